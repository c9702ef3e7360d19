//! Errors of an identification of restoring forces.

use costate_contract::shown::{Exact, Shown};
use costate_numerics::scalar::out_of_range::OutOfRange;
use costate_system::state_space::{Divergence, FilterError};

/// The error of an identification of restoring forces.
///
/// `element` is counted from 1, `sample` from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum RestoringForceError {
    /// Data with which the filter cannot work.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// Sensors that do not determine all states.
    #[error(
        "the sensors cannot observe {}: measure one kinematic quantity for each degree of freedom (KE 2.33); missing \
         {}",
        .states.join(", "), .elements.join(", ")
    )]
    Unobservable { states: Vec<String>, elements: Vec<String> },
    /// A matrix or list of the wrong size.
    #[error("`{field}` has the size {given}, it must be {expected}")]
    Size { field: &'static str, given: usize, expected: usize },
    /// A number that is out of range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A signal with a value that is infinite or, where gaps are not allowed, NaN.
    #[error("the signal `{field}` has the value {value} at sample {sample}: {remedy}", value = Shown(*value))]
    Signal { field: String, sample: usize, value: f64, remedy: &'static str },
    /// Too few samples for a curve or a surface.
    #[error("{samples} samples are too few for a {what}: {needed} are needed. {remedy}")]
    TooFewSamples {
        /// `curve` or `surface`.
        what: &'static str,
        samples: usize,
        needed: usize,
        remedy: &'static str,
    },
    /// A fitted table that cannot be interpolated.
    #[error(transparent)]
    Grid(#[from] costate_system::table::GridError),
    /// An output that cannot be that of an element of a model.
    #[error("the {role} `{output}` of element {element} does not fit the model: {why}")]
    Element {
        element: usize,
        /// `deformation` or `rate`.
        role: &'static str,
        output: &'static str,
        why: String,
    },
    /// Modes of elements without a constant inertia.
    #[error(
        "the inertia of these elements depends on the position: linearise the model with the new curves as tables \
         (`Linearization`)"
    )]
    NoInertia,
    /// A motion of an adapted model that grows without limit.
    #[error(
        "the motion with these curves is not finite at {time} s, in {steps} steps from one sample to the next: check \
         the curves, mainly at their ends, for slopes of the wrong sign, or allow more steps (`most_steps`)",
        time = Exact(*time)
    )]
    RunsAway { time: f64, steps: usize },
    /// A search in which no filter was stable.
    #[error(
        "no pair of exponents from q_s {low} to {high} gives a stable filter: {reason}",
        low = Exact(*low), high = Exact(*high)
    )]
    NoStableTuning { low: f64, high: f64, reason: String },
}

/// Checks that a list has as many entries as it must have.
pub(super) fn size(field: &'static str, given: usize, expected: usize) -> Result<(), RestoringForceError> {
    if given == expected { Ok(()) } else { Err(RestoringForceError::Size { field, given, expected }) }
}

impl From<Divergence> for RestoringForceError {
    fn from(divergence: Divergence) -> Self {
        Self::Filter(FilterError::Diverged(divergence))
    }
}
