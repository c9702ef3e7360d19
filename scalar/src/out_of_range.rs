//! Numbers that are not what they must be.

/// A number outside of its range.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("`{field}` is {value}, it must be {limit}", value = costate_contract::shown::Shown(*value))]
pub struct OutOfRange {
    /// What has the number: a setting, or a part of what was given.
    pub field: &'static str,
    /// The number.
    pub value: f64,
    /// What it must be.
    pub limit: &'static str,
}

/// Fails with the number unless what it must be holds.
pub fn require(field: &'static str, value: f64, holds: bool, limit: &'static str) -> Result<(), OutOfRange> {
    if holds { Ok(()) } else { Err(OutOfRange { field, value, limit }) }
}
