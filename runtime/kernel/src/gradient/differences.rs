//! Differences between a run and one with other steps: the second is made on the way and kept nowhere.

use costate_numerics::scalar::Vector;
use costate_system::model::Functions;
use costate_system::problem::{Problem, SimulationError};

use super::{Differences, Own};
use crate::run::{RunBasis, RunConstants, basis_of, differences_to, integrator};

/// The differences to a run of `other`, of whose samples `every.0` stand where `every.1` of the run's do.
///
/// # Errors
/// As of a run of `other`.
pub fn differences<M: Functions>(
    own: Own<'_>,
    other: &Problem,
    every: (usize, usize),
) -> Result<Differences, SimulationError> {
    if other.settings().order > 2 {
        return differences_to(own, other, every);
    }
    let RunBasis { parameters, initial, constants } = basis_of::<M, f64>(own.run)?;
    let program = constants.program();
    let constants = RunConstants::new(program, other, parameters);
    let (state, mut auxiliary) = initial.start::<M>();
    if other.settings().scheme.has_auxiliary() {
        // what displaces velocities at the start is proportional to the step
        let ratio = other.first_step() / own.problem.first_step();
        auxiliary.as_mut().iter_mut().for_each(|s| *s *= ratio);
    }
    let width = own.run.coordinates(0).len() + own.outputs.width();
    let mut found = Differences::zeros(width);
    let mut integrator = integrator(other, parameters, &constants, (state, auxiliary));
    let lengths = M::lengths(program);
    let mut outputs = M::Outputs::<f64>::zeros(lengths.outputs);
    let mut inputs = M::Inputs::<f64>::zeros(lengths.inputs);
    for i in 0..=other.steps() {
        let at = other.moment(i);
        if i > 0 {
            let constants = constants.enter(other, i, &mut integrator);
            integrator.step(constants, at)?;
            other.poll(i)?;
        }
        let state = integrator.state();
        at.lift_inputs(&mut inputs);
        M::outputs(&state.point(at.time, &inputs, constants.model()), &mut outputs);
        let others = state.coordinates.as_ref().iter().chain(outputs.as_ref());
        found.widen(others.clone());
        let Some(sample) = other.sample(i).map(|sample| sample * every.1) else { continue };
        let k = sample / every.0;
        if sample.is_multiple_of(every.0) && k < own.run.samples() {
            found.take(own, (k, own.run.step_of_sample(k)), others);
        }
    }
    Ok(found)
}
