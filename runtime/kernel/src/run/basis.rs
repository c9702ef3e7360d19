//! The basis of a run of a model: its parameters, constants and initial state, and quantities that follow
//! from these and the states.

use std::sync::Arc;

use costate_numerics::scalar::{Scalar, Vector, lift_into};
use costate_system::model::Functions;
use costate_system::problem::{Buffer, OtherProblem, Problem};
use costate_system::series::Series;

use crate::initial::Consistent;
use crate::step::{State, Statistics};

use super::constants::RunConstants;
use super::stored::fetch_row;
use super::{Trajectory, outputs_of_levels};

/// The parameters, constants and initial state of a run of a model.
pub struct RunBasis<M: Functions, S: Scalar> {
    /// All parameters.
    pub parameters: M::Parameters<S>,
    /// The constants of the steps.
    pub constants: RunConstants<M, S>,
    /// The initial state, with the data for its derivatives.
    pub initial: Consistent<S>,
}

/// Creates the trajectory of a run of `problem` from its states.
pub fn trajectory<M: Functions, S: Scalar>(
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
pub fn basis_of<M: Functions, S: Scalar>(run: &Trajectory<S>) -> Result<&RunBasis<M, S>, OtherProblem> {
    run.basis()
        .downcast_ref()
        .ok_or_else(|| run.conditions().of_other_model(M::COMPILED.map_or("a loaded model", |model| model.name)))
}

/// Prefetches x_i, which will be needed soon, from memory.
#[inline(always)]
pub fn fetch<M: Functions, S: Scalar>(program: M::Program, run: &Trajectory<S>, i: usize) {
    fetch_row(run.all_states(), i, M::lengths(program).state());
}

/// Evaluates the outputs of a run of the model `M` at all samples; returns none for a run of another model.
pub fn outputs_of<M: Functions, S: Scalar>(run: &Trajectory<S>) -> Series<S> {
    if let Some(combined) = outputs_of_levels(run, outputs_of::<M, S>) {
        return combined;
    }
    let Ok(basis) = basis_of::<M, S>(run) else { return Series::zeros(run.step(), 0, 0) };
    let program = basis.constants.program();
    let lengths = M::lengths(program);
    let mut series = Series::zeros(run.step(), lengths.outputs, run.samples());
    let (mut state, mut inputs) = (State::<M, S>::zeros_of(program), M::Inputs::<S>::zeros(lengths.inputs));
    let mut outputs = M::Outputs::<S>::zeros(lengths.outputs);
    for k in 0..run.samples() {
        let i = run.step_of_sample(k);
        run.load(i, &mut state);
        lift_into(run.conditions().inputs.row(i), inputs.as_mut());
        M::outputs(&state.point(run.time(i), &inputs, basis.constants.model()), &mut outputs);
        series.row_mut(k).copy_from_slice(outputs.as_ref());
    }
    series
}
