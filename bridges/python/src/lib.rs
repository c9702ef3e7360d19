//! costate for Python: a thin layer over the crate `costate`.
//!
//! Methods of Python convert what they are given, call the library in a thread without the lock of the interpreter,
//! and convert its results. `work` has the thread, `errors` and `words` the exceptions, `setup` the description of a
//! run; `functions` are those of a text or compiled in; the other files have one class of Python each.

mod campaign;
mod cost;
mod errors;
mod estimate;
mod filter;
mod fit;
mod functions;
mod model;
mod numbers;
mod record;
mod run;
mod setup;
mod spectra;
mod vibration;
mod words;
mod work;

use pyo3::prelude::*;

/// The compiled part of the package `costate`.
#[pymodule(gil_used = false)]
mod _costate {
    use super::*;

    #[pymodule_export]
    use crate::filter::{Filtered, filter};
    #[pymodule_export]
    use crate::fit::{Density, Fit, check, fit, prediction_error};
    #[pymodule_export]
    use campaign::Campaign;
    #[pymodule_export]
    use cost::{Cost, Function};
    #[pymodule_export]
    use model::{Loaded, compiled};
    #[pymodule_export]
    use record::Record;
    #[pymodule_export]
    use run::{Accuracy, Run, simulate};

    #[pymodule_export]
    use spectra::{densities, responses, spectral_map};
    #[pymodule_export]
    use vibration::{Equilibrium, Modes, Periodic, equilibrium, harmonic_balance};

    /// The name among others that is probably meant by a wrong one.
    #[pyfunction]
    fn nearest(name: &str, available: Vec<String>) -> Option<String> {
        costate::command::nearest::nearest(name, available.iter().map(String::as_str)).map(str::to_owned)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Words a message of the library as Python does.
    #[pyfunction]
    fn _worded(text: &str) -> String {
        words::of_python(text)
    }
}
