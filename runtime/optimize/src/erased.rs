//! Objectives of any type, whose iterations are compiled once: what is generic ends here.

use std::error::Error;
use std::fmt;

use super::method::Method;
use super::objective::{Failure, LeastSquaresObjective, LinearResiduals, MethodError, Objective, OptimizeError};
use super::state::OptimizerState;

/// An error of any type.
#[derive(Debug)]
pub(super) struct AnyError(Box<dyn Error>);

impl AnyError {
    pub fn of<E: Error + 'static>(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for AnyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for AnyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// An observer of any type.
pub(super) type Observer<'a> = dyn FnMut(&OptimizerState) -> Result<(), AnyError> + 'a;

/// Result of a part of an iteration.
pub(super) type Outcome<T = ()> = Result<T, OptimizeError<AnyError>>;

/// Result of an evaluation.
pub(super) type Evaluated<T> = Result<T, Failure<AnyError>>;

/// An objective that may have residuals, with errors of any type.
pub(super) trait Residuals: Objective<Error = AnyError> {
    /// Evaluates residuals and their derivatives; `None` for a cost without.
    fn residuals(&mut self, _parameters: &[f64]) -> Evaluated<Option<LinearResiduals>> {
        Ok(None)
    }

    /// Evaluates residuals alone; `None` where the objective has no cheaper way.
    fn residual_values(&mut self, _parameters: &[f64]) -> Evaluated<Option<Vec<f64>>> {
        Ok(None)
    }

    /// Checks whether there are as many residuals as data.
    fn are_counted(&self) -> bool {
        false
    }

    /// Checks whether the cost has residuals that this method may take.
    fn are_there(&self, _method: Method) -> bool {
        false
    }
}

/// An objective of any type, with its residuals or without.
pub(super) struct Erased<'a, O, const WITH_RESIDUALS: bool>(pub &'a mut O);

fn failure<E: Error + 'static>(failure: Failure<E>) -> Failure<AnyError> {
    match failure {
        Failure::Here(error) => Failure::Here(AnyError::of(error)),
        Failure::Stop(error) => Failure::Stop(AnyError::of(error)),
    }
}

impl<O: Objective, const WITH_RESIDUALS: bool> Objective for Erased<'_, O, WITH_RESIDUALS>
where
    O::Error: Error + 'static,
{
    type Error = AnyError;

    fn cost(&mut self, parameters: &[f64]) -> Evaluated<f64> {
        self.0.cost(parameters).map_err(failure)
    }

    fn announce(&mut self, parameters: &[Vec<f64>]) {
        self.0.announce(parameters);
    }

    fn gradient(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Evaluated<()> {
        self.0.gradient(parameters, gradient).map_err(failure)
    }
}

impl<O: Objective> Residuals for Erased<'_, O, false> where O::Error: Error + 'static {}

impl<O: LeastSquaresObjective> Residuals for Erased<'_, O, true>
where
    O::Error: Error + 'static,
{
    fn residuals(&mut self, parameters: &[f64]) -> Evaluated<Option<LinearResiduals>> {
        self.0.residuals(parameters).map(Some).map_err(failure)
    }

    fn residual_values(&mut self, parameters: &[f64]) -> Evaluated<Option<Vec<f64>>> {
        self.0.residual_values(parameters).map_err(failure)
    }

    fn are_counted(&self) -> bool {
        self.0.are_residuals_counted()
    }

    fn are_there(&self, method: Method) -> bool {
        method.needs_residuals() || self.0.has_residuals()
    }
}

/// Gives an error its own type again.
pub(super) fn with_its_type<E: Error + 'static>(error: OptimizeError<AnyError>) -> OptimizeError<E> {
    // all errors are those of the objective and of the observer, which have this type
    let own = |AnyError(error)| error.downcast().map(|error| *error);
    let damaged = |_| OptimizeError::Method(MethodError::Damaged);
    match error {
        OptimizeError::Start { source } => own(source).map_or_else(damaged, |source| OptimizeError::Start { source }),
        OptimizeError::StartNotFinite => OptimizeError::StartNotFinite,
        OptimizeError::Method(error) => OptimizeError::Method(error),
        OptimizeError::Stopped { source } => {
            own(source).map_or_else(damaged, |source| OptimizeError::Stopped { source })
        }
    }
}
