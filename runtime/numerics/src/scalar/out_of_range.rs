//! The error of numbers that do not meet a requirement.

/// A number outside of its range.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("`{field}` is {value}, it must be {limit}", value = costate_contract::shown::Shown(*value))]
pub struct OutOfRange {
    /// Name of the setting or part of the data that has the number.
    pub field: &'static str,
    /// The number.
    pub value: f64,
    /// The requirement.
    pub limit: &'static str,
}

/// Fails with the number unless the requirement `holds`.
pub fn require(field: &'static str, value: f64, holds: bool, limit: &'static str) -> Result<(), OutOfRange> {
    if holds { Ok(()) } else { Err(OutOfRange { field, value, limit }) }
}
