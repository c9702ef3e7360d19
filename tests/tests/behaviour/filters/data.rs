//! Reference numbers.

use nalgebra::{DMatrix, DVector};
use serde_json::Value;

/// A matrix, row by row.
macro_rules! dmatrix {
    ($($($x:expr),+);+) => {{
        let rows = [$(vec![$(f64::from($x)),+]),+];
        nalgebra::DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
    }};
}

/// A vector.
macro_rules! dvector {
    ($($x:expr),+) => { nalgebra::DVector::from_vec(vec![$(f64::from($x)),+]) };
}

/// The file with this name.
pub fn read(name: &str) -> Value {
    let path = format!("{}/reference/kalman/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

pub fn vector(value: &Value) -> DVector<f64> {
    DVector::from_vec(numbers(value))
}

pub fn matrix(value: &Value) -> DMatrix<f64> {
    let rows: Vec<_> = value.as_array().unwrap().iter().map(numbers).collect();
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}
