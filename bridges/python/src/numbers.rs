//! Arrays of numbers that Python gives.

use numpy::{PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

/// Numbers of a contiguous array, or of any sequence.
#[derive(Debug, Clone)]
pub struct Numbers(pub Vec<f64>);

impl<'a, 'py> FromPyObject<'a, 'py> for Numbers {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match given.extract::<PyReadonlyArray1<'_, f64>>() {
            Ok(array) => Ok(Self(array.to_vec()?)),
            Err(_) => Ok(Self(given.extract()?)),
        }
    }
}
