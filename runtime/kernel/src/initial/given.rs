//! Checks of given values that cannot be intended, although motion can begin with them. Trials of a fit may
//! use such values.

use super::check_parameters;
use super::consistent::solve_plain;
use super::definite::{check_definite, has_coupled_masses};
use super::rest::assembled;
use super::system::{StartSystem, with_start_system};
use costate_numerics::linalg::block::find;
use costate_system::model::{Argument, Description, Function, Functions, Group};
use costate_system::problem::{InitialStateError, Problem};
use costate_system::system::StateVectors;

/// Fails where masses are not positive because of parameters that have to be, where a motion has a negative mass, and
/// where a coordinate begins at the mirror image of its hint.
pub fn check_given<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<f64>,
) -> Result<(), InitialStateError> {
    with_start_system::<M, f64, _>(program, problem, parameters, |system| check(problem, system))
}

fn check(problem: &Problem, system: &StartSystem<'_, f64>) -> Result<(), InitialStateError> {
    /// Largest distance of a position from the mirror image of its hint, relative to its distance from the hint,
    /// with which it counts as on the other side.
    const MAX_DISTANCE: f64 = 0.2;
    let description = system.description();
    let positive = description.positive_parameters.iter();
    let value = |&k: &usize| Some((description.parameters.get(k)?.name, *system.parameters.get(k)?));
    let wrong: Vec<(&'static str, f64)> = positive.filter_map(value).filter(|(_, value)| *value <= 0.0).collect();
    let hints = if system.given.is_some() { Vec::new() } else { hints(description) };
    let has_coupled_masses = has_coupled_masses(description);
    if wrong.is_empty() && hints.is_empty() && !has_coupled_masses {
        return Ok(());
    }
    let consistent = match check_parameters(description, system.parameters) {
        Ok(()) => solve_plain(problem, system),
        Err(error) => Err(error),
    };
    if !wrong.is_empty() {
        // there may be no consistent state for this reason
        let state = consistent.as_ref().map_or_else(|_| system.specified(), |found| found.state.clone());
        check_masses(system, &state, wrong)?;
    }
    let mut state = consistent?.state;
    if has_coupled_masses {
        check_definite(system, &state)?;
    }
    if system.is_at_rest() {
        // an equilibrium may be anywhere
        state = assembled(system)?;
    }
    let near = system.specified();
    for j in hints {
        let (near, found) = (near.coordinates[j], state.coordinates[j]);
        if near * found < 0.0 && (near + found).abs() <= MAX_DISTANCE * (near - found).abs() {
            let coordinate = description.coordinates[j].name;
            return Err(InitialStateError::OtherSide { coordinate, near, found });
        }
    }
    Ok(())
}

/// Returns the coordinates with hints for their initial values; not Euler parameters, of which two sets are
/// one orientation.
fn hints(description: &Description) -> Vec<usize> {
    let initial = find(description.groups.initial, Function::InitialCoordinates, None);
    let rows = initial.entries.iter().map(|&(row, _)| row as usize);
    let is_hint = |&j: &usize| {
        let known = description.specified_coordinates.get(j).zip(description.coordinates.get(j));
        known.is_some_and(|(specified, coordinate)| !specified && coordinate.unit != "1")
    };
    rows.filter(is_hint).collect()
}

/// Refuses negative masses, and zero masses of coordinates that no constraint moves.
fn check_masses(
    system: &StartSystem<'_, f64>,
    state: &StateVectors<f64>,
    parameters: Vec<(&'static str, f64)>,
) -> Result<(), InitialStateError> {
    let layout = system.description().groups.linearization;
    let group = system.evaluate(Group::Linearization, state);
    let constrained = find(layout, Function::Constraint, Some(Argument::Coordinates)).entries;
    let masses = find(layout, Function::Inertia, Some(Argument::Accelerations)).iter(&group);
    for (j, _, mass) in masses.filter(|(row, column, _)| row == column) {
        let moved = || constrained.iter().any(|&(_, column)| column as usize == j);
        if mass < 0.0 || mass == 0.0 && !moved() {
            let coordinate = system.description().coordinates[j].name;
            return Err(InitialStateError::Mass { coordinate, mass, parameters });
        }
    }
    Ok(())
}
