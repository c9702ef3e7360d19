//! What checks and designs of experiments ask of a model: runs in dual numbers.

use crate::problem::{Problem, SimulationError};
use crate::run::{RunStates, StoredRun};
use crate::scalar::Dual;
use crate::series::Series;

use super::Differentiable;

/// The runs of a system in [`Dual`] numbers, which carry the exact derivative of the computed numbers in one direction, and sweeps
/// through them, whose results carry second derivatives.
///
/// # Errors
/// Of all methods those of [`gradient`](crate::gradient::gradient()).
#[allow(clippy::missing_errors_doc)]
pub trait SecondOrder: Sync {
    /// Gives the system as one with first derivatives. `Differentiable` is no supertrait: its loops would be compiled again with
    /// those of second derivatives.
    fn differentiable(&self) -> &'static dyn Differentiable;

    /// The outputs of a run at all samples.
    fn outputs_dual(&self, problem: &Problem, parameters: &[Dual]) -> Result<Series<Dual>, SimulationError>;

    /// A run with what its gradient needs.
    fn run_dual(&self, problem: &Problem, parameters: &[Dual]) -> Result<StoredRun<Dual>, SimulationError>;

    /// The gradient with respect to all samples of all inputs, as `input_gradient`.
    fn input_gradient_dual(
        &self,
        problem: &Problem,
        run: RunStates<'_, Dual>,
        output_gradient: &Series<Dual>,
        end_gradient: Option<&[Dual]>,
    ) -> Result<Series<Dual>, SimulationError>;
}
