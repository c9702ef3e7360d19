//! What is minimised, and how its evaluation can fail.

use std::error::Error;

/// Why a cost or gradient could not be evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure<E> {
    /// Not at this point: the line search takes the cost as infinite there and steps back.
    Here(E),
    /// Not at all: the minimisation ends with this error.
    Stop(E),
}

/// A cost J(p) and its gradient.
pub trait Objective {
    /// Why it cannot be evaluated.
    type Error;

    /// J at `parameters`, one per variable.
    ///
    /// # Errors
    /// [`Failure`]; a cost that is not finite counts as [`Failure::Here`].
    fn cost(&mut self, parameters: &[f64]) -> Result<f64, Failure<Self::Error>>;

    /// Writes dJ/dp to `gradient`. The parameters are always those of the latest call of
    /// [`cost`](Objective::cost), which succeeded.
    ///
    /// # Errors
    /// [`Failure`].
    fn gradient(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Self::Error>>;
}

/// A minimisation that ended without a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptimizeError<E: Error + 'static> {
    /// The cost cannot be evaluated at the start values.
    #[error("the cost cannot be evaluated at the start values; choose others")]
    Start {
        /// The reason.
        #[source]
        source: E,
    },
    /// Cost or gradient are infinite or NaN at the start values.
    #[error("the cost or its gradient is not finite at the start values; choose others")]
    StartNotFinite,
    /// The objective or the observer asked to stop.
    #[error("the minimisation was stopped")]
    Stopped {
        /// The reason.
        #[source]
        source: E,
    },
}
