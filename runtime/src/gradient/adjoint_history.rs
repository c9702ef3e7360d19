//! The adjoint variables over time: what a change of the state at any time is worth (OB 3.3.2).

use crate::initial::initial_state_changes;
use crate::model::{Model, SelectedParameters};
use crate::problem::{Problem, SimulationError};
use crate::run::{Backward, RunStates};
use crate::scalar::Vector;
use crate::series::Series;

use super::adjoint::Sweep;
use super::belongs::check_derivatives;
use super::cost_sweep::CostSweep;

/// The derivatives of a cost with respect to the state at every sample: p(t) of OB (3.20), dJ_tau/dx_tau.
#[derive(Debug, Clone, PartialEq)]
pub struct AdjointHistory {
    /// dJ/dq: what J changes by per unit of a jump of each coordinate at sample i, one row per sample, in units of the cost over
    /// those of the coordinates. Accelerations and multipliers, and all that comes after, follow the jump.
    pub coordinates: Series<f64>,
    /// dJ/dv, likewise for velocities.
    pub velocities: Series<f64>,
}

/// The adjoint variables of a cost over time, of the discrete scheme. Row 0 is dJ/dx_0, the gradient with respect to the
/// initial coordinates and velocities.
///
/// `output_gradient` holds dJ/ds_i as for [`gradient`](super::gradient()). In models with constraints only such changes of a state
/// make sense as the constraints allow: the product with one of them counts, not a single entry. A velocity of a coordinate without
/// mass follows from the force on it, so that its derivative at the start is 0.
///
/// ```
/// # costate::model! {
/// #     pub Mount {
/// #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40, x_0: m = 0.01 }
/// #         coordinates { x: m }
/// #         mass { x: m }
/// #         forces { x: -c*x - d*dot(x) }
/// #         initial { x = x_0, dot(x) = 0[m/s] }
/// #         outputs { position: m = x }
/// #     }
/// # }
/// use costate::cost::{BolzaCost, Cost};
/// use costate::differentiate::adjoint_history;
/// use costate::{Model, Simulation, gradient};
///
/// # fn main() -> anyhow::Result<()> {
/// let mount = Mount::default();
/// let problem = Simulation::new(&mount).step(1e-3).until(1.0).problem()?;
/// let run = problem.forward(&mount.parameters())?;
/// let cost = BolzaCost::new(1e-3, problem.samples()).with_end_value(Mount::POSITION, 1.0)?;
/// let by_outputs = cost.output_gradient(&run.outputs());
/// let adjoint = adjoint_history::<Mount>(&problem, &run, &by_outputs)?;
/// // the initial position is a parameter here, by which the gradient is the same
/// let by_start = gradient(&problem, &run, &by_outputs, &[Mount::X_0])?[0];
/// assert!((adjoint.coordinates.row(0)[0] - by_start).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`gradient`](super::gradient()); [`SimulationError::Settings`] for a problem with adaptive steps.
pub fn adjoint_history<'a, M: Model>(
    problem: &'a Problem,
    run: impl Into<RunStates<'a>>,
    output_gradient: &Series<f64>,
) -> Result<AdjointHistory, SimulationError> {
    M::differentiable().adjoint_history(problem, run.into(), output_gradient)
}

/// The [`adjoint_history`] of a run of the model `M`.
pub(crate) fn history_of_adjoint<M: Model>(
    problem: &Problem,
    run: RunStates<'_>,
    output_gradient: &Series<f64>,
) -> Result<AdjointHistory, SimulationError> {
    problem.require_constant_steps("the adjoint variables over time")?;
    check_derivatives(problem, output_gradient)?;
    let mut states = Backward::<M, f64>::new(problem, run)?;
    let (steps, n) = (problem.steps(), <M::Coordinates<f64> as Vector<f64>>::LENGTH);
    let zeros = || Series::zeros(problem.settings().step, n, steps + 1);
    let mut history = AdjointHistory { coordinates: zeros(), velocities: zeros() };
    let parameters = states.parameters;
    let (cost, nothing) = (CostSweep::new(output_gradient), (&[][..], SelectedParameters::default()));
    let mut sweep = Sweep::new(problem, parameters, states.constants, vec![cost], nothing);
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
    let changes = initial_state_changes::<M, _>(problem, parameters, state)?;
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
