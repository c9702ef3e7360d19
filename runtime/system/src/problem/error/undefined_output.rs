//! An output that is no number.

/// The first value of an output that is infinite or not a number.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct UndefinedOutput {
    /// The output's name.
    pub output: &'static str,
    /// The index of the output.
    pub index: usize,
    /// The index of the sample.
    pub sample: usize,
    /// The time in s.
    pub time: f64,
    /// The value, infinite or NaN.
    pub value: f64,
}
