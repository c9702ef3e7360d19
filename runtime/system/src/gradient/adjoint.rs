//! Gradients by the discrete adjoint.

use crate::identifiers::Parameter;
use crate::model::Model;
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::series::Series;

/// The gradient dJ/dp of a cost of the outputs with respect to the parameters `unknown`, `&[Mount::C, Mount::D]`.
///
/// `output_gradient` holds dJ/ds_i of every output at every step of `run`, a run of `problem`: a `&Trajectory`, or a
/// `&mut StoredRun`, whose states are computed once more where it has checkpoints. The result is the same, bit by bit.
/// The cost of the gradient hardly depends on the number of unknowns.
///
/// # Errors
/// [`SimulationError::Selection`] for a parameter that is named twice,
/// [`SimulationError::OtherProblem`] for a run of another problem, [`SimulationError::CostDerivatives`] for derivatives
/// of another length; `StepError::Singular` at a step whose Newton matrix is singular,
/// [`SimulationError::InitialState`] if the initial state has no derivative, [`SimulationError::Interrupted`].
pub fn gradient<'a, M: Model>(
    problem: &'a Problem,
    run: impl Into<RunStates<'a>>,
    output_gradient: &Series<f64>,
    unknown: &[Parameter<M>],
) -> Result<Vec<f64>, SimulationError> {
    let mut gradients = gradients(problem, run, &[output_gradient], unknown)?;
    Ok(gradients.pop().unwrap_or_default())
}

/// The gradients of several costs in one backward sweep: each step is evaluated and factorised once for all of them.
/// Worth it where the rows of a Jacobian are wanted and there are fewer of them than unknowns.
///
/// # Errors
/// As [`gradient`].
pub fn gradients<'a, M: Model>(
    problem: &'a Problem,
    run: impl Into<RunStates<'a>>,
    output_gradients: &[&Series<f64>],
    unknown: &[Parameter<M>],
) -> Result<Vec<Vec<f64>>, SimulationError> {
    M::differentiable().gradients(problem, run.into(), output_gradients, &Parameter::indices(unknown))
}
