//! An input that a run does not resolve.

use std::fmt;

/// An input that changes between two samples in a way that no run with these samples can resolve.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct UnseenInput {
    /// The input's name.
    pub input: &'static str,
    /// A time in s at which the input is outside of the range of the samples before and after it.
    pub time: f64,
    /// Value of the input at that time, in its unit.
    pub value: f64,
    /// The samples before and after that time.
    pub samples: [f64; 2],
}

impl fmt::Display for UnseenInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { input, time, value, samples: [before, after] } = self;
        write!(f, "the input `{input}` is {value} at {time:.6} s, between samples of {before} and {after}")
    }
}
