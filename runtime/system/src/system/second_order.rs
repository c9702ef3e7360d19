//! The runs in dual numbers that checks and designs of experiments need.

use costate_numerics::scalar::Dual;

use crate::problem::{Problem, SimulationError};
use crate::run::{RunStates, StoredRun};
use crate::series::Series;

use super::Differentiable;

/// The runs of a system in [`Dual`] numbers, which carry the exact derivative of the computed numbers in one direction,
/// and sweeps through them, whose results carry second derivatives.
///
/// # Errors
/// Of all methods those of [`gradient`](crate::gradient::gradient()).
#[allow(clippy::missing_errors_doc)]
pub trait SecondOrder: Sync {
    /// Returns the system with first derivatives. `Differentiable` is no supertrait, because its loops would
    /// then be compiled again with those of second derivatives.
    fn differentiable(&self) -> &'static dyn Differentiable;

    /// Computes the outputs of a run at all samples.
    fn outputs_dual(&self, problem: &Problem, parameters: &[Dual]) -> Result<Series<Dual>, SimulationError>;

    /// Runs the model and keeps the data for a gradient.
    fn run_dual(&self, problem: &Problem, parameters: &[Dual]) -> Result<StoredRun<Dual>, SimulationError>;

    /// Computes the gradient with respect to all samples of all inputs, as `input_gradient` does.
    fn input_gradient_dual(
        &self,
        problem: &Problem,
        run: RunStates<'_, Dual>,
        output_gradient: &Series<Dual>,
        end_gradient: Option<&[Dual]>,
    ) -> Result<Series<Dual>, SimulationError>;
}
