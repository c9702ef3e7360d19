//! The place at which the functions of a model are evaluated.

use costate_system::problem::Problem;
use nalgebra::DMatrix;

use costate_contract::{Function, Group};
use costate_numerics::linalg::block::find;
use costate_system::system::{Instant, StateVectors};

use crate::error::VibrationError;

/// Problem, parameters, time and inputs at which the functions of a model are evaluated.
#[derive(Clone)]
pub(crate) struct Place {
    pub problem: Problem,
    pub parameters: Vec<f64>,
    pub time: f64,
    pub inputs: Vec<f64>,
    /// The coordinates whose start was given in place of the model's.
    pub started: Vec<usize>,
}

/// Returns the derivatives of held coordinates: those of the initial values, zero for values that the search was given.
pub(crate) fn held_derivatives(
    place: &Place,
    held: &[(usize, f64)],
    parameters: &[usize],
) -> Result<DMatrix<f64>, VibrationError> {
    let from_model: Vec<usize> =
        held.iter().map(|(index, _)| *index).filter(|index| !place.started.contains(index)).collect();
    if from_model.is_empty() {
        return Ok(DMatrix::zeros(held.len(), parameters.len()));
    }
    let problem = &place.problem;
    let all = problem.system().initial_derivatives(problem, &place.parameters, parameters)?;
    Ok(DMatrix::from_fn(held.len(), parameters.len(), |row, column| {
        let index = held[row].0;
        if from_model.contains(&index) { all[(index, column)] } else { 0.0 }
    }))
}

/// Returns the consistent initial state or, without one and where they are wanted, the specified initial values.
pub(crate) fn start_of(problem: &Problem, parameters: &[f64], from_specified: bool) -> StateVectors<f64> {
    let model = problem.description();
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    if !from_specified && let Ok(state) = problem.initial_state(parameters) {
        return StateVectors::of_stored(n, &state);
    }
    let mut start = StateVectors::zeros(n, m);
    let inputs = problem.inputs().row(0);
    problem.system().with_equations(problem, parameters, &mut |equations| {
        let group = equations.group(Group::Initial, Instant { time: 0.0, state: &StateVectors::zeros(n, m), inputs });
        let block = find(model.groups.initial, Function::InitialCoordinates, None);
        block.iter(&group).for_each(|(row, _, value)| start.coordinates[row] = value);
    });
    start
}
