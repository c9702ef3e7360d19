//! The way to a position of rest of a mechanism that creeps there.

use crate::linalg::{LuFactors, SparseMatrix};
use crate::matrices::MotionMatrices;
use crate::newton::{Outcome, length, moved, newton, stuck};
use crate::residual::Residual;
use crate::system::StateVectors;

const MOST_STEPS: usize = 500;
/// The largest correction after a step, relative to the step, with which the step follows the motion.
const ACCURATE: f64 = 0.3;

/// Follows M q' = f - C_q^T lambda, C = 0 by implicit steps that grow, and ends with Newton's method.
///
/// Along this motion a potential falls, so that it comes to stable positions. Steps against the forces are refused: those of Newton's
/// method lead to positions that are not stable as well.
pub fn relax(residual: &Residual<'_>, start: &StateVectors<f64>) -> Outcome {
    let mut state = start.clone();
    let mut matrices = residual.linearized(&state).component(0);
    let mut shift = first_shift(residual, &matrices);
    let smallest = 1e-9 * shift;
    for _ in 0..MOST_STEPS {
        let rows = residual.wanted(&state);
        let mut next = None;
        if let Ok(factors) = LuFactors::new(&residual.jacobian(&matrices, shift)) {
            let correction = -factors.solve(&rows);
            let power: f64 =
                residual.open.iter().enumerate().map(|(row, _)| correction[row] * rows[row]).sum();
            let trial = moved(residual, &state, &correction, 1.0);
            // what an implicit step leaves: M q' shift + residual
            let mut left = residual.wanted(&trial);
            for (row, column, value) in matrices.mass.select(&residual.open).iter() {
                left[row] += shift * value * correction[column];
            }
            let size = length(residual, &correction);
            let rest = length(residual, &factors.solve(&left));
            if rest.is_finite() && rest <= ACCURATE * size && power <= 0.0 {
                next = Some(trial);
            } else if size == 0.0 && rest == 0.0 {
                return newton(residual, &trial);
            }
        }
        match next {
            Some(trial) => {
                state = trial;
                matrices = residual.linearized(&state).component(0);
                shift /= 3.0;
                if shift < smallest {
                    return newton(residual, &state);
                }
            }
            None => {
                shift *= 4.0;
                if !shift.is_finite() || shift > 1e30 {
                    break;
                }
            }
        }
    }
    stuck(residual, &state)
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
