//! The auxiliary acceleration at the start of a run: that of steps which restart, or the acceleration
//! itself.

use costate_numerics::linalg::SparseLu;
use costate_numerics::scalar::Scalar;
use costate_system::model::Functions;
use costate_system::problem::Problem;
use costate_system::system::StateVectors;

use super::system::{StartSystem, with_start_system};
use crate::step::{Displacement, State};

/// Returns s_0 of the consistent state `initial`; `factors` are those of its accelerations, where they are known.
pub(super) fn auxiliary<S: Scalar>(
    problem: &Problem,
    system: &StartSystem<'_, S>,
    initial: &StateVectors<S>,
    factors: Option<&SparseLu>,
) -> Vec<S> {
    if !problem.settings().scheme.has_auxiliary() {
        return initial.accelerations.clone();
    }
    displacement(problem, system, initial, factors).auxiliary()
}

/// Computes the displacement of the velocities at the start.
pub(super) fn displacement<S: Scalar>(
    problem: &Problem,
    system: &StartSystem<'_, S>,
    initial: &StateVectors<S>,
    factors: Option<&SparseLu>,
) -> Displacement<S> {
    let weights = problem.settings().scheme.start_weights(problem.first_step());
    let mut displacement = Displacement::new(system.description());
    displacement.find(system.equations(), &weights, system.time, initial, factors);
    displacement
}

/// Computes the displacement with its derivatives; `None` where s_0 is the acceleration.
pub(super) fn differentiated<S: Scalar>(
    problem: &Problem,
    system: &StartSystem<'_, S>,
    initial: &StateVectors<S>,
    factors: Option<&SparseLu>,
) -> Option<Displacement<S>> {
    problem.settings().scheme.has_auxiliary().then(|| {
        let mut displacement = displacement(problem, system, initial, factors);
        displacement.differentiate(system.equations(), system.time, initial);
        displacement
    })
}

/// Computes the displacement of the velocities at the consistent initial state of these parameters, with its
/// derivatives; `None` where s_0 is the acceleration.
pub fn initial_displacement<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<f64>,
    initial: &State<M, f64>,
) -> Option<Displacement<f64>> {
    let initial = StateVectors::of(initial);
    with_start_system::<M, f64, _>(program, problem, parameters, |system| {
        differentiated(problem, system, &initial, None)
    })
}
