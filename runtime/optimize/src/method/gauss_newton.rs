//! Gauss-Newton.
//!
//! What: the step that makes the residuals least if they are taken as linear, min |r + J d|.
//! When: costs J = 1/2 r^T r whose residuals are small at the minimum or almost linear.
//! Source: Nocedal, Wright, Numerical Optimization, 2nd ed., section 10.3, (10.23); J by the sensitivities of OB 3.8.
//! Settings: `largest_step` for every variable on its own; the line search begins at the full step.

use super::super::linearized::Linearized;
use super::super::split::Split;

/// The step of the moving variables. A variable that would change by more than `largest` changes by that, and the
/// others follow: shortening the whole step instead would let the least determined variable stop all others.
pub(in super::super) fn step(residuals: &Linearized, split: &Split, largest: f64) -> Option<Vec<f64>> {
    /// Singular values below this part of the largest one count as 0: the step then is the shortest of the best ones.
    const MIN_SINGULAR_VALUE: f64 = 1e-10;
    let inverse = |value: f64, greatest: f64| if value > MIN_SINGULAR_VALUE * greatest { 1.0 / value } else { 0.0 };
    let mut step = vec![0.0; residuals.variables()];
    let mut moving = split.moving.clone();
    while !moving.is_empty() {
        let solution = residuals.solve(&moving, &step, inverse)?;
        let farthest = (0..moving.len()).max_by(|&a, &b| solution[a].abs().total_cmp(&solution[b].abs()))?;
        if solution[farthest].abs() <= largest {
            moving.iter().zip(&solution).for_each(|(&k, d)| step[k] = *d);
            break;
        }
        step[moving.remove(farthest)] = largest.copysign(solution[farthest]);
    }
    Some(split.moving.iter().map(|&k| step[k]).collect())
}
