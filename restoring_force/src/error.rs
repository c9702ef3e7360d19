//! What an identification of restoring forces cannot work with.

use crate::filter::{Divergence, FilterError};
use crate::scalar::out_of_range::OutOfRange;

/// Why restoring forces cannot be identified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoringForceError {
    /// The filter cannot work with its data.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The sensors do not determine all states.
    #[error(
        "the sensors cannot observe {}: measure one kinematic quantity for each degree of freedom (KE 2.33); missing {}",
        .states.join(", "), .elements.join(", ")
    )]
    Unobservable {
        /// States that no sensor depends on.
        states: Vec<String>,
        /// Elements without a sensor.
        elements: Vec<String>,
    },
    /// A matrix or list has the wrong size.
    #[error("`{field}` has the size {given}, it must be {expected}")]
    Size {
        /// The matrix or list.
        field: &'static str,
        /// Its size.
        given: usize,
        /// What it must be.
        expected: usize,
    },
    /// A number is out of range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A signal has a value that is infinite or, where gaps are not allowed, not a number.
    #[error("the signal `{field}` has the value {value} at sample {sample}: {remedy}", value = costate_contract::shown::Shown(*value))]
    Signal {
        /// The signal.
        field: String,
        /// The sample, from 0.
        sample: usize,
        /// The value.
        value: f64,
        /// What to do.
        remedy: &'static str,
    },
    /// Too little is left to fit a curve or a surface.
    #[error("{samples} samples are too few for a {what}: {needed} are needed. {remedy}")]
    TooFewSamples {
        /// `curve` or `surface`.
        what: &'static str,
        /// Samples that can be used.
        samples: usize,
        /// The smallest number.
        needed: usize,
        /// What to do.
        remedy: &'static str,
    },
    /// A fitted table cannot be interpolated.
    #[error(transparent)]
    Grid(#[from] crate::table::GridError),
    /// An output is not what an element of a model needs.
    #[error("the {role} `{output}` of element {element} does not fit the model: {why}")]
    Element {
        /// The element, from 1.
        element: usize,
        /// `deformation` or `rate`.
        role: &'static str,
        /// The output.
        output: &'static str,
        /// What is wrong, and what to write instead.
        why: String,
    },
    /// Modes of elements without a constant inertia.
    #[error(
        "the inertia of these elements depends on where the model is: linearise the model with the new curves as tables (`Linearization`)"
    )]
    NoInertia,
    /// The motion of an adapted model has no end.
    #[error(
        "the motion with these curves is not finite at {time} s, in {steps} steps from one sample to the next: look for curves that fall \
         where they should rise, at their ends above all, or allow more steps (`most_steps`)", time = costate_contract::shown::Exact(*time)
    )]
    RunsAway {
        /// When that is, in s from the first sample.
        time: f64,
        /// Steps from one sample to the next.
        steps: usize,
    },
    /// No filter of a search was stable.
    #[error("no pair of exponents from q_s {low} to {high} gives a stable filter: {reason}", low = costate_contract::shown::Exact(*low), high = costate_contract::shown::Exact(*high))]
    NoStableTuning {
        /// The lowest exponent tried.
        low: f64,
        /// The highest exponent tried.
        high: f64,
        /// Why the filter with the lowest one was stopped.
        reason: String,
    },
}

/// That a list has as many entries as it must have.
pub(super) fn size(field: &'static str, given: usize, expected: usize) -> Result<(), RestoringForceError> {
    if given == expected { Ok(()) } else { Err(RestoringForceError::Size { field, given, expected }) }
}

impl From<Divergence> for RestoringForceError {
    fn from(divergence: Divergence) -> Self {
        Self::Filter(FilterError::Diverged(divergence))
    }
}
