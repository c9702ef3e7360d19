//! The way to a position of rest of a mechanism that creeps there.

use nalgebra::DMatrix;

use costate_numerics::linalg::{LeastNorm, LuFactors, SparseMatrix};

use crate::equilibrium::matrices::MotionMatrices;
use crate::equilibrium::newton::{Outcome, length, moved, newton, stuck, with_reactions};
use crate::equilibrium::residual::Residual;
use crate::system::StateVectors;

/// Follows M q' = f - C_q^T lambda, C = 0 by implicit steps that grow, and ends with Newton's method.
///
/// Along this motion a potential falls, so that it comes to stable positions. Steps against the forces are refused:
/// those of Newton's method lead to positions that are not stable as well.
pub fn relax(residual: &Residual<'_>, start: &StateVectors<f64>) -> Outcome {
    /// Far more steps than a motion takes that comes to rest.
    const MAX_STEPS: usize = 500;
    /// Part of the forces at the start that may be left where Newton's method takes over.
    const BALANCED_FORCE_RATIO: f64 = 1e-9;
    /// The largest correction after a step, relative to the step, with which the step follows the motion.
    const MAX_CORRECTION_RATIO: f64 = 0.3;
    let mut state = on_constraints(residual, &start.coordinates).unwrap_or_else(|| start.clone());
    let mut matrices = residual.linearized(&state).component(0);
    let mut shift = first_shift(residual, &matrices);
    let mut singular = None;
    let is_balanced = |state: &StateVectors<f64>, matrices: &MotionMatrices| {
        let mut limits = rounding(residual, state, matrices);
        limits.iter_mut().for_each(|limit| *limit = limit.max(BALANCED_FORCE_RATIO * residual.force_at_start));
        limits.resize(residual.n() + residual.m(), BALANCED_FORCE_RATIO * residual.force_at_start);
        residual.unbalanced(state).iter().zip(limits).all(|(force, limit)| force.abs() <= limit)
    };
    for _ in 0..MAX_STEPS {
        let rows = residual.wanted(&state);
        let mut next = None;
        let factors = LuFactors::new(&residual.jacobian(&matrices, shift));
        singular = factors.as_ref().err().cloned();
        if let Ok(factors) = factors {
            let correction = -factors.solve(&rows);
            let power: f64 = residual.open.iter().enumerate().map(|(row, _)| correction[row] * rows[row]).sum();
            let trial = moved(residual, &state, &correction, 1.0);
            // what an implicit step leaves: M q' shift + residual
            let mut left = residual.wanted(&trial);
            for (row, column, value) in matrices.mass.select(&residual.open).iter() {
                left[row] += shift * value * correction[column];
            }
            let size = length(residual, &correction);
            let rest = length(residual, &factors.solve(&left));
            if rest.is_finite() && rest <= MAX_CORRECTION_RATIO * size && power <= 0.0 {
                next = on_constraints(residual, &trial.coordinates);
            } else if size == 0.0 && rest == 0.0 {
                return newton(residual, &trial);
            }
        }
        match next {
            Some(trial) => {
                state = trial;
                matrices = residual.linearized(&state).component(0);
                shift /= 3.0;
                if is_balanced(&state, &matrices) {
                    return newton(residual, &state);
                }
            }
            // no step follows forces that are left by rounding
            None if is_balanced(&state, &matrices) => return newton(residual, &state),
            None => {
                shift *= 4.0;
                if !shift.is_finite() || shift > 1e30 {
                    break;
                }
            }
        }
    }
    match singular {
        // coordinates without mass that nothing determines, whatever the steps
        Some(involved) => Outcome::Singular { involved, state },
        None => stuck(residual, &state),
    }
}

/// Returns the largest forces on all coordinates that the last digits of coordinates change, as those of stiff springs.
fn rounding(residual: &Residual<'_>, state: &StateVectors<f64>, matrices: &MotionMatrices) -> Vec<f64> {
    let mut forces = vec![0.0_f64; residual.n()];
    for (row, column, stiffness) in residual.stiffness(matrices).iter() {
        forces[row] += f64::EPSILON * (stiffness * state.coordinates[column]).abs();
    }
    // motions along constraints add the forces of several coordinates
    let largest = forces.iter().copied().fold(0.0, f64::max);
    if residual.m() > 0 { vec![largest; forces.len()] } else { forces }
}

/// Moves coordinates to the constraints by steps of least norm, and adds the reactions there; `None` where they do not
/// get there.
fn on_constraints(residual: &Residual<'_>, coordinates: &[f64]) -> Option<StateVectors<f64>> {
    const MAX_ROUNDS: usize = 20;
    const CONSTRAINT_TOLERANCE: f64 = 1e-10;
    let mut state = with_reactions(residual, coordinates);
    if residual.m() == 0 {
        return Some(state);
    }
    let mut least_norm = LeastNorm::default();
    for _ in 0..MAX_ROUNDS {
        let mut jacobian = residual.linearized(&state).component(0).jacobian.select_columns(&residual.open);
        let scale = |norm: &f64| if *norm > 0.0 && norm.is_finite() { 1.0 / norm } else { 1.0 };
        let scales: Vec<f64> = jacobian.row_norms().iter().map(scale).collect();
        jacobian.scale_rows(&scales);
        let violated = residual.all(&state);
        let violated = violated.iter().skip(residual.n()).zip(&scales).map(|(value, scale)| value * scale);
        let violated = DMatrix::from_iterator(residual.m(), 1, violated);
        let change = jacobian.transposed_product(&least_norm.solve(&jacobian.normal(), &violated)?);
        let mut coordinates = state.coordinates;
        residual.open.iter().zip(change.iter()).for_each(|(&index, change)| coordinates[index] -= change);
        state = with_reactions(residual, &coordinates);
        let size = state.coordinates.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        if change.iter().all(|change| change.abs() <= CONSTRAINT_TOLERANCE * size) {
            return Some(state);
        }
    }
    None
}

/// Returns the largest ratio of stiffness to mass, in 1/s^2.
fn first_shift(residual: &Residual<'_>, matrices: &MotionMatrices) -> f64 {
    let n = residual.n();
    let (mut mass, mut stiffness) = (vec![0.0_f64; n], vec![0.0_f64; n]);
    let largest = |to: &mut Vec<f64>, matrix: &SparseMatrix| {
        matrix.iter().for_each(|(row, _, value)| to[row] = to[row].max(value.abs()));
    };
    largest(&mut mass, &matrices.mass);
    largest(&mut stiffness, &residual.stiffness(matrices));
    let ratios = mass.iter().zip(&stiffness).filter(|(mass, _)| **mass > 0.0);
    let ratio = ratios.map(|(mass, stiffness)| stiffness / mass).fold(0.0, f64::max);
    if ratio > 0.0 && ratio.is_finite() { ratio } else { 1.0 }
}
