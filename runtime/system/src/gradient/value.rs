//! A cost and its gradient in one call.

use crate::cost::Cost;
use crate::identifiers::Parameter;
use crate::model::{Model, SelectedParameters};
use crate::problem::{CostDerivativeError, Problem, SimulationError};

use super::adjoint::gradient;

impl Problem {
    /// J and its gradient dJ/dp with respect to the parameters `unknown`, at these parameters: one [`run`](Self::run),
    /// and one sweep back by the discrete [`gradient`](crate::gradient::gradient()), however many parameters there are.
    ///
    /// # Errors
    /// Those of [`run`](Self::run) and of [`gradient`](crate::gradient::gradient());
    /// [`SimulationError::CostDerivatives`] for a cost that does not fit the run.
    pub fn value_and_gradient<M: Model>(
        &self,
        cost: &dyn Cost,
        parameters: &[f64],
        unknown: &[Parameter<M>],
    ) -> Result<(f64, Vec<f64>), SimulationError> {
        SelectedParameters::of(M::description(), &Parameter::indices(unknown))?;
        check_cost(self, cost)?;
        let mut run = self.run(parameters)?;
        let (value, by_outputs) = (cost.value(run.outputs()), cost.output_gradient(run.outputs()));
        Ok((value, gradient(self, &mut run, &by_outputs, unknown)?))
    }
}

/// Checks that the cost belongs to runs of `problem`.
pub fn check_cost(problem: &Problem, cost: &dyn Cost) -> Result<(), CostDerivativeError> {
    let (samples, width, step) = (problem.samples(), problem.description().outputs.len(), problem.settings().step);
    match cost.fits(step, samples, width) {
        true => Ok(()),
        false => Err(CostDerivativeError::Cost { samples, width, step }),
    }
}
