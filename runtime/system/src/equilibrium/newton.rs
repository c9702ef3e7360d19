//! Newton's method for a steady motion, damped.

use nalgebra::DMatrix;

use costate_numerics::linalg::LeastNorm;

use crate::equilibrium::residual::Residual;
use crate::system::StateVectors;

/// The end of an iteration.
pub enum Outcome {
    /// The forces are in balance.
    Found(StateVectors<f64>),
    /// The matrix is singular.
    Singular {
        /// The unknowns of a null vector, coordinates first.
        involved: Vec<usize>,
        /// The last trial.
        state: StateVectors<f64>,
    },
    /// The iteration does not converge.
    Stuck {
        /// The row with the largest residual.
        row: usize,
        /// The residual.
        value: f64,
        /// The last trial.
        state: StateVectors<f64>,
    },
}

/// Returns the state at these coordinates with the reactions that balance the forces best.
pub fn with_reactions(residual: &Residual<'_>, coordinates: &[f64]) -> StateVectors<f64> {
    let m = residual.m();
    let without = residual.state(coordinates, &vec![0.0; m]);
    let jacobian = residual.linearized(&without).component(0).jacobian.select_columns(&residual.open);
    let rows = residual.all(&without);
    let forces = DMatrix::from_fn(residual.open.len(), 1, |row, _| -rows[residual.open[row]]);
    let scale = |norm: &f64| if *norm > 0.0 && norm.is_finite() { 1.0 / norm } else { 1.0 };
    let scales: Vec<f64> = jacobian.row_norms().iter().map(scale).collect();
    let mut scaled = jacobian;
    scaled.scale_rows(&scales);
    match LeastNorm::default().solve(&scaled.normal(), &scaled.product(&forces)) {
        Some(multipliers) => {
            let multipliers: Vec<f64> = multipliers.iter().zip(&scales).map(|(value, scale)| value * scale).collect();
            residual.state(coordinates, &multipliers)
        }
        None => without,
    }
}

/// Adds `part` of a correction of the unknowns.
pub fn moved(
    residual: &Residual<'_>,
    state: &StateVectors<f64>,
    correction: &DMatrix<f64>,
    part: f64,
) -> StateVectors<f64> {
    let (mut coordinates, mut multipliers) = (state.coordinates.clone(), state.multipliers.clone());
    for (&index, change) in residual.open.iter().zip(correction.iter()) {
        coordinates[index] += part * change;
    }
    for (multiplier, change) in multipliers.iter_mut().zip(correction.iter().skip(residual.open.len())) {
        *multiplier += part * change;
    }
    residual.state(&coordinates, &multipliers)
}

/// Returns the length of the part of a correction that belongs to coordinates.
pub fn length(residual: &Residual<'_>, correction: &DMatrix<f64>) -> f64 {
    correction.iter().take(residual.open.len()).map(|change| change * change).sum::<f64>().sqrt()
}

/// Returns the largest turn of an angle by a correction, in rad.
fn turn(residual: &Residual<'_>, correction: &DMatrix<f64>) -> f64 {
    let coordinates = residual.model().coordinates;
    let is_angle = |index: usize| coordinates.get(index).is_some_and(|of| of.unit == "rad");
    let changes = residual.open.iter().zip(correction.iter()).filter(|(index, _)| is_angle(**index));
    changes.fold(0.0, |most: f64, (_, change)| most.max(change.abs()))
}

/// Solves the equations from this state; a correction is shortened until the next one would be shorter, and until it
/// turns nothing farther than a linear model holds.
pub fn newton(residual: &Residual<'_>, start: &StateVectors<f64>) -> Outcome {
    /// Far more iterations than a search takes that converges.
    const MAX_ITERATIONS: usize = 60;
    /// The shortest part of a correction that is tried.
    const MIN_STEP_PART: f64 = 1e-4;
    /// The largest turn of an angle by a correction in rad, where nothing is known of the forces.
    const FIRST_TURN: f64 = 0.5;
    /// Part of what a correction takes away that may be left of it where the forces are linear along it.
    const MAX_LINEAR_REST: f64 = 0.1;
    /// Factor of the largest turn after a correction along which the forces are linear.
    const TURN_GROWTH: f64 = 4.0;
    let mut largest_turn = FIRST_TURN;
    let mut state = start.clone();
    let mut previous = f64::INFINITY;
    for _ in 0..MAX_ITERATIONS {
        let matrices = residual.linearized(&state).component(0);
        let rows = residual.wanted(&state);
        if !rows.iter().all(|value| value.is_finite()) {
            return stuck(residual, &state);
        }
        let factors = match residual.factors(&state, &matrices) {
            Ok(factors) => factors,
            Err(involved) => return Outcome::Singular { involved, state },
        };
        let correction = -factors.solve(&rows);
        let size = length(residual, &correction);
        let scale = state.coordinates.iter().map(|value| value * value).sum::<f64>().sqrt();
        let turn = turn(residual, &correction);
        let first = if turn > largest_turn { largest_turn / turn } else { 1.0 };
        let mut part = first;
        let next = loop {
            let trial = moved(residual, &state, &correction, part);
            let simplified = factors.solve(&residual.wanted(&trial));
            // at the level of rounding a correction need not become shorter
            if length(residual, &simplified) <= (1.0 - 0.25 * part) * size || size <= 1e-9 * scale {
                let rest = simplified + &correction * (1.0 - part);
                let is_linear = length(residual, &rest) <= MAX_LINEAR_REST * part * size;
                largest_turn = if is_linear { TURN_GROWTH * largest_turn } else { FIRST_TURN };
                break Some(trial);
            }
            part *= 0.5;
            if part < MIN_STEP_PART * first {
                break None;
            }
        };
        let Some(next) = next else { return stuck(residual, &state) };
        state = next;
        let relative = size / scale.max(f64::MIN_POSITIVE);
        if size == 0.0 || relative <= 4.0 * f64::EPSILON || (relative < 1e-9 && size > 0.3 * previous) {
            return Outcome::Found(state);
        }
        previous = size;
    }
    stuck(residual, &state)
}

pub fn stuck(residual: &Residual<'_>, state: &StateVectors<f64>) -> Outcome {
    let all = residual.all(state);
    let wanted = residual.open.iter().copied().chain(residual.n()..all.len());
    let size = |row: &usize| if all[*row].is_nan() { f64::INFINITY } else { all[*row].abs() };
    let worst = wanted.max_by(|one, other| size(one).total_cmp(&size(other))).unwrap_or(0);
    Outcome::Stuck { row: worst, value: all.get(worst).copied().unwrap_or(f64::NAN), state: state.clone() }
}
