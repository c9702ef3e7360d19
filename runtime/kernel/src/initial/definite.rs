//! Checks of the mass matrix as a whole: entries off the diagonal can make the mass of a motion negative though no
//! mass is.

use costate_numerics::linalg::block::find;
use costate_system::model::{Argument, Description, Function, Group};
use costate_system::negative_mass::negative_mass;
use costate_system::problem::InitialStateError;
use costate_system::system::StateVectors;

use super::system::StartSystem;

/// Returns true if the mass matrix has entries beside its diagonal.
pub(super) fn has_coupled_masses(description: &Description) -> bool {
    let mass = find(description.groups.linearization, Function::Inertia, Some(Argument::Accelerations));
    mass.entries.iter().any(|(row, column)| row != column)
}

/// Refuses a state in which a motion that the constraints allow has a negative mass.
pub(super) fn check_definite(
    system: &StartSystem<'_, f64>,
    state: &StateVectors<f64>,
) -> Result<(), InitialStateError> {
    let matrices = system.matrices(Group::Linearization, state);
    let mass = matrices.matrix(Function::Inertia, Argument::Accelerations);
    match negative_mass(&mass, || matrices.matrix(Function::Constraint, Argument::Coordinates)) {
        None => Ok(()),
        Some(largest) => {
            let coordinate = system.description().coordinates.get(largest).map_or("?", |found| found.name);
            Err(InitialStateError::NegativeMass { coordinate })
        }
    }
}
