//! Which coordinates and velocities are open, and the velocities of *free* coordinates, which have neither mass nor
//! constraint.

use costate_numerics::linalg::{LuFactors, SparseMatrix};
use costate_numerics::scalar::Scalar;
use costate_system::model::{Argument, Description, Function, Group};
use costate_system::problem::InitialStateError;
use costate_system::system::StateVectors;

use crate::step::Unknown;

use super::iteration::{check_finite, component_matrix, iterate, subtract};
use super::system::StartSystem;

/// Indices that are neither specified nor free.
pub(super) fn open_indices(specified: &[bool], free: &[bool]) -> Vec<usize> {
    let is_free = |index: usize| free.get(index).copied().unwrap_or(false);
    (0..specified.len()).filter(|&index| !specified[index] && !is_free(index)).collect()
}

/// Indices of the free coordinates.
pub(super) fn free_indices(free: &[bool]) -> Vec<usize> {
    (0..free.len()).filter(|&index| free[index]).collect()
}

/// Coordinates whose row and column of M and column of C_q vanish.
pub(super) fn free_coordinates<S: Scalar>(system: &StartSystem<'_, S>, state: &StateVectors<S>) -> Vec<bool> {
    let matrices = system.matrices(Group::Linearization, state);
    let mass = matrices.matrix(Function::Inertia, Argument::Accelerations);
    let jacobian = matrices.matrix(Function::Constraint, Argument::Coordinates);
    let mut free: Vec<bool> = (0..system.n()).map(|j| jacobian.column(j).is_empty()).collect();
    for (row, column, _) in mass.iter() {
        (free[row], free[column]) = (false, false);
    }
    free
}

/// Velocities of free coordinates: f_F(v_F) = 0 by Newton's method.
pub(super) fn balance_free<S: Scalar>(
    system: &StartSystem<'_, S>,
    free: &[bool],
    state: &mut StateVectors<S>,
) -> Result<(), InitialStateError> {
    let free = free_indices(free);
    if free.is_empty() {
        return Ok(());
    }
    let specified = state.clone();
    let has_settled = iterate(|| {
        let force = system.force(Function::Force, state);
        let rows: Vec<S> = free.iter().map(|&j| force[j]).collect();
        check_finite(system.description(), &rows, |row| free[row], "velocities")?;
        let damping = system.matrices(Group::Linearization, state).matrix(Function::Force, Argument::Velocities);
        let update = free_lu(system.description(), &damping.select(&free), &free)?.solve(&component_matrix(&rows));
        Ok(Some(subtract(update.as_view(), 0, &mut state.velocities, free.iter().copied())))
    })?;
    if has_settled {
        return check_specified(system, &specified, state, &free);
    }
    let force = system.force(Function::Force, state);
    let worst = free.iter().copied().max_by(|&a, &b| force[a].real().abs().total_cmp(&force[b].real().abs()));
    let worst = worst.unwrap_or(0);
    let coordinate = system.description().coordinates[worst].name;
    Err(InitialStateError::NoBalance { coordinate, force: force[worst].real() })
}

/// Factors of f_v of the free coordinates.
pub(super) fn free_lu(
    model: &Description,
    damping: &SparseMatrix,
    free: &[usize],
) -> Result<LuFactors, InitialStateError> {
    LuFactors::new(damping).map_err(|involved| InitialStateError::NoDamping {
        coordinates: involved.iter().map(|&row| Unknown::at(model, free[row])).collect(),
    })
}

/// A specified velocity of a free coordinate must be the one that its force gives.
fn check_specified<S: Scalar>(
    system: &StartSystem<'_, S>,
    specified: &StateVectors<S>,
    state: &StateVectors<S>,
    free: &[usize],
) -> Result<(), InitialStateError> {
    /// Relative difference that a specified velocity of a free coordinate may have from the computed one.
    const MAX_DIFFERENCE: f64 = 1e-9;
    for &j in free.iter().filter(|&&j| system.specified_velocities()[j]) {
        let (specified, computed) = (specified.velocities[j].real(), state.velocities[j].real());
        if (specified - computed).abs() > MAX_DIFFERENCE * specified.abs().max(computed.abs()) {
            let coordinate = system.description().coordinates[j].name;
            return Err(InitialStateError::FreeVelocity { coordinate, specified, computed });
        }
    }
    Ok(())
}
