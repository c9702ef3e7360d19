//! The errors of a filter's data, and the reasons why a filter stops.

use costate_contract::machine::OutOfMemory;
use costate_contract::shown::{Exact, Shown};
use costate_numerics::linalg::MatrixFault;
use costate_numerics::scalar::out_of_range::OutOfRange;

use super::failure::ModelFailure;

/// The reason why a matrix is no covariance.
///
/// `row` is counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum CovarianceFault {
    /// The matrix is not symmetric, not finite, or of another size.
    #[error(transparent)]
    Matrix(#[from] MatrixFault),
    /// A variance is zero or negative.
    #[error("has the variance {value} in row {row}, it must be {limit}", value = Shown(*value))]
    Variance { row: usize, value: f64, limit: &'static str },
    /// Some combination of the components has a negative or no variance.
    #[error(
        "is not positive {kind}: given the rows before it, row {row} has the conditional variance {value:e}. Check for \
         correlations of magnitude 1 or more"
    )]
    NotDefinite {
        /// `definite` or `semidefinite`.
        kind: &'static str,
        row: usize,
        value: f64,
    },
}

/// Data that a filter cannot work with.
///
/// `sample` is counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum FilterError {
    /// A matrix is no covariance.
    #[error("the covariance `{field}` {fault}")]
    Covariance {
        /// `initial`, `process_noise`, `measurement_noise`, ...
        field: &'static str,
        fault: CovarianceFault,
    },
    /// A vector has the wrong length.
    #[error("`{field}` has {given} entries, it must have {expected}")]
    Length { field: &'static str, given: usize, expected: usize },
    /// A number is out of range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A number is infinite or not a number.
    #[error("`{field}` has the value {value} at sample {sample}: it must be finite", value = Shown(*value))]
    NotFinite { field: &'static str, sample: usize, value: f64 },
    /// A lower bound is above the upper one, or above the start.
    #[error(
        "the bounds of `{state}` are {lower} and {upper}: the lower one must be below the upper one",
        lower = Exact(*lower), upper = Exact(*upper)
    )]
    Bounds { state: String, lower: f64, upper: f64 },
    /// A model cannot be filtered in this way.
    #[error("{what}: {remedy}")]
    Unsuitable { what: String, remedy: &'static str },
    /// A filter that needs more memory than the machine has.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The run did not keep the data that smoothing needs.
    #[error(
        "smoothing needs the smoother gains, which this filter run did not store: run the filter with `Storage::Gains`"
    )]
    NothingKept,
    /// A model cannot be simulated.
    #[error(transparent)]
    Model(#[from] ModelFailure),
    /// The filter diverges.
    #[error(transparent)]
    Diverged(#[from] Divergence),
}

impl FilterError {
    /// Creates the error of a model that cannot be set up, for this reason.
    #[doc(hidden)]
    pub fn of_model(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Model(ModelFailure::new(error))
    }
}

/// A filter that was stopped.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the filter was stopped at sample {sample} ({time} s): {reason}", time = Exact(*time))]
pub struct Divergence {
    /// The sample at which the filter failed, from 0.
    pub sample: usize,
    /// Time of the sample in s.
    pub time: f64,
    /// The reason.
    pub reason: DivergenceReason,
}

/// The reason why a filter was stopped.
///
/// `state` is counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum DivergenceReason {
    /// A state has grown without bound.
    #[error(
        "state {state} is {value}. Lower the process noise, or choose initial values closer to the true state",
        value = Shown(*value)
    )]
    NotFinite { state: usize, value: f64 },
    /// A covariance has no Cholesky factor any more.
    #[error(
        "the covariance of {field} is no longer positive definite (row {row}). Use a square-root form, or a larger \
         spread of the sigma points"
    )]
    NotDefinite { field: &'static str, row: usize },
    /// The model could not be advanced.
    #[error("{0}")]
    Model(ModelFailure),
    /// The measured signals are no longer related to the predicted ones.
    #[error(
        "over the last {window} samples the mean square prediction error is {error:.3} times the variance of the \
         signals, and {limit} is the limit. Lower the process noise, or choose a lower bound for the stiffness",
        limit = Shown(*limit)
    )]
    PredictionError {
        /// Normalised mean square error e_p (KE 2.52).
        error: f64,
        limit: f64,
        window: usize,
    },
    /// The run was stopped from outside.
    #[error("it was interrupted")]
    Interrupted,
    /// No particle explains the measurement.
    #[error(
        "the measurement is too improbable for every particle (all weights vanish): use more particles, or more \
         process noise"
    )]
    NoParticle,
}
