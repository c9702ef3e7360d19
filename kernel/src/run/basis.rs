//! The basis of a run of a model: its parameters, constants and initial state, and quantities that follow
//! from these and the states.

use std::sync::Arc;

use crate::initial::Consistent;
use crate::model::Model;
use crate::problem::{Buffer, OtherProblem, Problem};
use crate::scalar::{Scalar, Vector, lift_into};
use crate::series::Series;
use crate::step::{State, Statistics};

use super::Trajectory;
use super::constants::RunConstants;
use super::stored::fetch_row;

/// The parameters, constants and initial state of a run of a model.
pub struct RunBasis<M: Model, S: Scalar> {
    /// All parameters.
    pub parameters: M::Parameters<S>,
    /// The constants of the steps.
    pub constants: RunConstants<M, S>,
    /// The initial state, with what its derivatives need.
    pub initial: Consistent<S>,
}

/// Creates the trajectory of a run of `problem` from its states.
pub fn trajectory<M: Model, S: Scalar>(
    problem: &Problem,
    basis: RunBasis<M, S>,
    states: Buffer<S>,
    statistics: Statistics,
) -> Trajectory<S> {
    let parameters = basis.parameters.as_ref().to_vec();
    Trajectory::new(problem.conditions(), parameters, Arc::new(basis), states, statistics)
}

/// Returns the basis of a run, if the run is one of the model `M`.
///
/// # Errors
/// [`OtherProblem`] for a run of another model.
pub fn basis_of<M: Model, S: Scalar>(run: &Trajectory<S>) -> Result<&RunBasis<M, S>, OtherProblem> {
    run.basis().downcast_ref().ok_or_else(|| run.conditions().of_other_model(M::DESCRIPTION.name))
}

/// Prefetches x_i, which will be needed soon, from memory.
#[inline(always)]
pub fn fetch<M: Model, S: Scalar>(run: &Trajectory<S>, i: usize) {
    fetch_row(run.all_states(), i, State::<M, S>::STRIDE);
}

/// Evaluates the outputs of a run of the model `M` at all samples; returns none for a run of another model.
pub fn outputs_of<M: Model, S: Scalar>(run: &Trajectory<S>) -> Series<S> {
    let width = <M::Outputs<S> as Vector<S>>::LENGTH;
    let Ok(basis) = basis_of::<M, S>(run) else { return Series::zeros(run.step(), width, 0) };
    let mut series = Series::zeros(run.step(), width, run.samples());
    let (mut state, mut inputs, mut outputs) =
        (State::<M, S>::zeros(), M::Inputs::<S>::zeros(), M::Outputs::<S>::zeros());
    for k in 0..run.samples() {
        let i = run.step_of_sample(k);
        run.load(i, &mut state);
        lift_into(run.conditions().inputs.row(i), inputs.as_mut());
        M::outputs(&state.point(run.time(i), &inputs, basis.constants.model()), &mut outputs);
        series.row_mut(k).copy_from_slice(outputs.as_ref());
    }
    series
}
