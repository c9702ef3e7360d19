//! Ranges of settings.

/// Checks that a value is within its range, both ends included.
pub(super) fn within(setting: &'static str, value: f64, low: f64, high: f64) -> Result<(), OptimizerSettingsError> {
    if value >= low && value <= high { Ok(()) } else { Err(OptimizerSettingsError { setting, value, low, high }) }
}

/// A setting that is out of range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the setting `{setting}` is {value}; choose a value from {low} to {high}")]
pub struct OptimizerSettingsError {
    /// Name of the field of [`OptimizerSettings`](super::OptimizerSettings), and of the field of its value if there is
    /// one.
    pub setting: &'static str,
    /// Value of the setting.
    pub value: f64,
    /// The smallest value allowed.
    pub low: f64,
    /// The largest value allowed.
    pub high: f64,
}
