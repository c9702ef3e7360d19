//! Accelerations and multipliers of a state whose positions and velocities are known.

use costate_numerics::linalg::{LuFactors, dependent_rows};
use costate_numerics::scalar::Scalar;
use costate_system::model::{Argument, Function, Group};
use costate_system::problem::InitialStateError;
use costate_system::system::StateVectors;

use crate::step::Unknown;

use super::free::free_indices;
use super::iteration::{check_finite, component_matrix, subtract};
use super::system::StartSystem;

/// The matrix [M C_q^T; C_q 0] with unit rows for free coordinates, factorised.
pub(super) fn acceleration_lu<S: Scalar>(
    system: &StartSystem<'_, S>,
    free: &[bool],
    state: &StateVectors<S>,
) -> Result<LuFactors, InitialStateError> {
    let matrices = system.matrices(Group::Linearization, state);
    let jacobian = matrices.matrix(Function::Constraint, Argument::Coordinates);
    let mass = matrices.matrix(Function::Inertia, Argument::Accelerations);
    let units = free_indices(free).into_iter().map(|j| (j, j, 1.0));
    let matrix = jacobian.saddle(mass.iter().chain(units));
    // where it is regular no constraint depends on others
    if let Some(factors) = LuFactors::beyond_doubt(&matrix, system.order()) {
        return Ok(factors);
    }
    let dependent = dependent_rows(&jacobian);
    if !dependent.is_empty() {
        let names = dependent.iter().map(|&j| system.description().constraints[j].name).collect();
        return Err(InitialStateError::RedundantConstraints { names });
    }
    LuFactors::new(&matrix).map_err(|involved| InitialStateError::Singular {
        unknowns: involved.iter().map(|&index| Unknown::at(system.description(), index)).collect(),
    })
}

/// Accelerations and multipliers from the equations of motion and the constraints at acceleration level; gives the
/// factors of these equations, which depend on positions alone.
///
/// They are linear in the unknowns, but derivatives need the solution of the real parts, and rounding one more round.
pub(super) fn accelerate<S: Scalar>(
    system: &StartSystem<'_, S>,
    free: &[bool],
    state: &mut StateVectors<S>,
) -> Result<LuFactors, InitialStateError> {
    const ROUNDS: usize = 3;
    let (n, m) = (system.n(), system.m());
    state.accelerations.fill(S::default());
    state.multipliers.fill(S::default());
    let factors = acceleration_lu(system, free, state)?;
    for _ in 0..ROUNDS {
        let mut rows = system.motion(state);
        for j in free_indices(free) {
            rows[j] = state.accelerations[j];
        }
        rows.extend(system.kinematics(Function::ConstraintAcceleration, state));
        check_finite(system.description(), &rows, |row| row, "accelerations")?;
        let update = factors.solve(&component_matrix(&rows));
        subtract(update.rows(0, n), 0, &mut state.accelerations, 0..n);
        subtract(update.rows(n, m), 0, &mut state.multipliers, 0..m);
    }
    Ok(factors)
}
