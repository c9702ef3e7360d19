//! The adjoint variables over time: the effect of a change of the state at any time on the cost (OB 3.3.2).

use costate_system::model::{Functions, SelectedParameters};
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use crate::initial::initial_state_changes;
use crate::run::{Backward, RunStates};

use super::AdjointHistory;
use super::adjoint::Sweep;
use super::cost_sweep::CostSweep;
use crate::gradient::check_derivatives;

/// The [`adjoint_history`](crate::gradient::adjoint_history()) of a run of the model `M`.
pub fn history_of_adjoint<M: Functions>(
    program: M::Program,
    problem: &Problem,
    run: RunStates<'_>,
    output_gradient: &Series<f64>,
) -> Result<AdjointHistory, SimulationError> {
    problem.require_constant_steps("the adjoint variables over time")?;
    check_derivatives(problem, output_gradient)?;
    let mut states = Backward::<M, f64>::new(problem, run)?;
    let (steps, n) = (problem.steps(), M::lengths(program).coordinates);
    let zeros = || Series::zeros(problem.settings().step, n, steps + 1);
    let mut history = AdjointHistory { coordinates: zeros(), velocities: zeros() };
    let parameters = states.parameters;
    let (cost, nothing) = (CostSweep::new(program, output_gradient), SelectedParameters::default());
    let mut sweep = Sweep::new(problem, parameters, states.constants, vec![cost], &[], nothing);
    for i in (1..=steps).rev() {
        sweep.step(i, states.at(i)?)?;
        if let Some(cost) = sweep.costs.first() {
            // multipliers of the formulas for q and v, whose right-hand sides a jump is added to
            let found = &cost.step.later;
            set_negative(history.coordinates.row_mut(i), found.y.as_ref());
            set_negative(history.velocities.row_mut(i), found.z.as_ref());
        }
        states.poll(i)?;
    }
    let state = states.at(0)?;
    let Some(by_start) = sweep.finish_start(state) else { return Ok(history) };
    let changes = initial_state_changes::<M>(program, problem, parameters, state)?;
    let total = |column: &Vec<f64>| column.iter().zip(&by_start).map(|(x, derivative)| x * derivative).sum();
    let (of_coordinates, of_velocities) = changes.split_at(n);
    for (row, columns) in
        [(history.coordinates.row_mut(0), of_coordinates), (history.velocities.row_mut(0), of_velocities)]
    {
        row.iter_mut().zip(columns).for_each(|(derivative, column)| *derivative = total(column));
    }
    Ok(history)
}

fn set_negative(row: &mut [f64], values: &[f64]) {
    row.iter_mut().zip(values).for_each(|(row, value)| *row = -value);
}
