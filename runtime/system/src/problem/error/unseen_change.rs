//! A change of an input, or of a force, that a run does not resolve.

use std::fmt;

/// A change of an input, or of a force by itself, between two samples in a way that no run with these samples can
/// resolve.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct UnseenChange {
    /// The input or the force.
    pub quantity: Changing,
    /// A time in s at which it is outside of the range of the samples before and after it.
    pub time: f64,
    /// Value at that time, in the unit of the input, or of the coordinate's force.
    pub value: f64,
    /// The samples before and after that time.
    pub samples: [f64; 2],
}

/// A quantity that depends on the time alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changing {
    /// The input of this name.
    Input(&'static str),
    /// The force on the coordinate of this name, where the coordinates and velocities stay as they are.
    Force(&'static str),
}

impl UnseenChange {
    /// Number of steps, spread over the run, in which the first check looks whatever the samples are.
    pub(crate) const MIN_CHECKED_STEPS: usize = 64;

    /// Returns the distance from the two neighbouring samples from which on a value is unseen, for the least and the
    /// largest of all samples.
    pub(crate) fn allowed([least, largest]: [f64; 2]) -> f64 {
        /// Distance relative to the range of all samples.
        const UNSEEN_DISTANCE: f64 = 0.1;
        /// Rounding of the samples, relative to their size.
        const SAMPLE_ROUNDING: f64 = 1e-9;
        UNSEEN_DISTANCE * (largest - least) + SAMPLE_ROUNDING * least.abs().max(largest.abs())
    }
}

impl fmt::Display for UnseenChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { quantity, time, value, samples: [before, after] } = self;
        match quantity {
            Changing::Input(input) => write!(f, "the input `{input}`")?,
            Changing::Force(coordinate) => write!(f, "the force on `{coordinate}`")?,
        }
        write!(f, " is {value} at {time:.6} s, between samples of {before} and {after}")
    }
}
