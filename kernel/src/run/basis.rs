//! What a run of a model begins with, and what follows from it and the states.

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

/// What a run of a model begins with, and what does not change from step to step.
pub struct RunBasis<M: Model, S: Scalar> {
    /// All parameters.
    pub parameters: M::Parameters<S>,
    /// What does not change from step to step.
    pub constants: RunConstants<M, S>,
    /// The initial state, with what its derivatives need.
    pub initial: Consistent<S>,
}

/// The states of a run of `problem`.
pub fn trajectory<M: Model, S: Scalar>(
    problem: &Problem,
    basis: RunBasis<M, S>,
    states: Buffer<S>,
    statistics: Statistics,
) -> Trajectory<S> {
    let parameters = basis.parameters.as_ref().to_vec();
    Trajectory::new(problem.conditions(), parameters, Arc::new(basis), states, statistics)
}

/// What the run begins with, if it is one of the model `M`.
///
/// # Errors
/// [`OtherProblem`] for a run of another model.
pub fn basis_of<M: Model, S: Scalar>(run: &Trajectory<S>) -> Result<&RunBasis<M, S>, OtherProblem> {
    run.basis().downcast_ref().ok_or_else(|| run.conditions().of_other_model(M::DESCRIPTION.name))
}

/// Has x_i fetched from memory, where it will be needed soon.
#[inline(always)]
pub fn fetch<M: Model, S: Scalar>(run: &Trajectory<S>, i: usize) {
    fetch_row(run.all_states(), i, State::<M, S>::STRIDE);
}

/// The outputs of a run of the model `M` at all samples; none of a run of another model.
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
