//! Numbers of independent implementations.

use serde_json::Value;

/// The numbers in `tests/data` about a model.
///
/// # Panics
///
/// If there is no such file.
pub fn reference(name: &str) -> Value {
    let path = format!("{}/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let read = std::fs::read_to_string(&path).map(|text| serde_json::from_str(&text));
    match read {
        Ok(Ok(value)) => value,
        other => panic!("{path}: {other:?}"),
    }
}

/// The numbers of a list; what is no number is NaN.
pub fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().into_iter().flatten().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect()
}
