//! What a run begins with in the place of the auxiliary acceleration: that of steps which begin anew, or the acceleration itself.

use super::system::System;
use crate::model::Model;
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector};
use crate::step::{Displacement, State};

/// s_0 of the consistent state `initial`.
pub(super) fn auxiliary<M: Model, S: Scalar>(
    problem: &Problem<M>,
    system: &System<M, S>,
    initial: &State<M, S>,
) -> M::Coordinates<S> {
    if !problem.settings().scheme.has_auxiliary() {
        return initial.accelerations.clone();
    }
    let mut auxiliary = M::Coordinates::zeros();
    auxiliary.as_mut().copy_from_slice(&displacement(problem, system, initial).auxiliary());
    auxiliary
}

/// The displacement of the velocities at the start.
pub(super) fn displacement<M: Model, S: Scalar>(
    problem: &Problem<M>,
    system: &System<M, S>,
    initial: &State<M, S>,
) -> Displacement<M, S> {
    let weights = problem.settings().scheme.start_weights(problem.first_step());
    let mut displacement = Displacement::new();
    displacement.find(system.constants(), &weights, 0.0, initial);
    displacement
}

/// The displacement with its derivatives; nothing where s_0 is the acceleration.
pub(super) fn differentiated<M: Model, S: Scalar>(
    problem: &Problem<M>,
    system: &System<M, S>,
    initial: &State<M, S>,
) -> Option<Displacement<M, S>> {
    problem.settings().scheme.has_auxiliary().then(|| {
        let mut displacement = displacement(problem, system, initial);
        displacement.differentiate(system.constants(), 0.0, initial);
        displacement
    })
}

/// The displacement of the velocities at the consistent initial state of these parameters, with its derivatives; nothing where s_0
/// is the acceleration.
pub(crate) fn initial_displacement<M: Model>(
    problem: &Problem<M>,
    parameters: &M::Parameters<f64>,
    initial: &State<M, f64>,
) -> Option<Displacement<M, f64>> {
    differentiated(problem, &System::<M, f64>::new(problem, parameters), initial)
}
