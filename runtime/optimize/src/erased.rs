//! Objectives of any type, whose iterations are compiled once: what is generic ends here.

use std::error::Error;
use std::fmt;

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

/// An objective with errors of any type.
pub(super) struct Erased<'a, O>(pub &'a mut O);

fn failure<E: Error + 'static>(failure: Failure<E>) -> Failure<AnyError> {
    match failure {
        Failure::Here(error) => Failure::Here(AnyError::of(error)),
        Failure::Stop(error) => Failure::Stop(AnyError::of(error)),
    }
}

impl<O: Objective> Objective for Erased<'_, O>
where
    O::Error: Error + 'static,
{
    type Error = AnyError;

    fn cost(&mut self, parameters: &[f64]) -> Result<f64, Failure<AnyError>> {
        self.0.cost(parameters).map_err(failure)
    }

    fn announce(&mut self, parameters: &[Vec<f64>]) {
        self.0.announce(parameters);
    }

    fn gradient(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Result<(), Failure<AnyError>> {
        self.0.gradient(parameters, gradient).map_err(failure)
    }
}

impl<O: LeastSquaresObjective> LeastSquaresObjective for Erased<'_, O>
where
    O::Error: Error + 'static,
{
    fn residuals(&mut self, parameters: &[f64]) -> Result<LinearResiduals, Failure<AnyError>> {
        self.0.residuals(parameters).map_err(failure)
    }

    fn residual_values(&mut self, parameters: &[f64]) -> Result<Option<Vec<f64>>, Failure<AnyError>> {
        self.0.residual_values(parameters).map_err(failure)
    }

    fn are_residuals_counted(&self) -> bool {
        self.0.are_residuals_counted()
    }

    fn has_residuals(&self) -> bool {
        self.0.has_residuals()
    }
}

impl<O: Objective + ?Sized> Objective for &mut O {
    type Error = O::Error;

    fn cost(&mut self, parameters: &[f64]) -> Result<f64, Failure<O::Error>> {
        (**self).cost(parameters)
    }

    fn announce(&mut self, parameters: &[Vec<f64>]) {
        (**self).announce(parameters);
    }

    fn gradient(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Result<(), Failure<O::Error>> {
        (**self).gradient(parameters, gradient)
    }
}

impl<O: LeastSquaresObjective + ?Sized> LeastSquaresObjective for &mut O {
    fn residuals(&mut self, parameters: &[f64]) -> Result<LinearResiduals, Failure<O::Error>> {
        (**self).residuals(parameters)
    }

    fn residual_values(&mut self, parameters: &[f64]) -> Result<Option<Vec<f64>>, Failure<O::Error>> {
        (**self).residual_values(parameters)
    }

    fn are_residuals_counted(&self) -> bool {
        (**self).are_residuals_counted()
    }

    fn has_residuals(&self) -> bool {
        (**self).has_residuals()
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
