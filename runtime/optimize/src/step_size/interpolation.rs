//! The line search by quadratic and cubic interpolation.

use super::super::erased::AnyError;
use super::super::ray::Ray;
use super::descent::{Descent, Sample, sample};
use super::{cubic, quadratic};

/// The polynomial that the search ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Quadratic,
    Cubic,
}

/// Evaluates the minimum of the parabola through both ends, and of the cubic through that point as well. Goes on from
/// there while the cost does not decrease sufficiently, and while it only falls more and more steeply.
pub(super) fn search(
    ray: &mut Ray<'_>,
    descent: &Descent<'_>,
    (first, limit): (f64, f64),
    tolerance: f64,
    order: Order,
) -> Result<(), AnyError> {
    /// Farthest that an interpolation may lead, relative to the step it begins with.
    const MAX_RATIO: f64 = 10.0;
    let left = Sample { step: 0.0, cost: descent.cost };
    let mut best = None;
    let mut first = first.min(limit);
    let mut falling = false;
    while let Some(right) = match falling {
        false => descent.first_sample(ray, first)?,
        true => Some(sample(ray, first)?).filter(|sample| sample.cost.is_finite()),
    } {
        descent.improve(&mut best, right);
        if !descent.may_continue(ray) || descent.hidden(right.step) {
            break;
        }
        let Some(minimum) = quadratic::minimum(left, descent.slope, right) else {
            // Concave up to here: farther, if there is more room.
            if right.step >= limit {
                break;
            }
            (first, falling) = ((MAX_RATIO * right.step).min(limit), true);
            continue;
        };
        let between = |step: f64| step.clamp(right.step / MAX_RATIO, MAX_RATIO * right.step).min(limit);
        let near = |one: f64, two: f64| (one - two).abs() <= tolerance * two;
        let minimum = between(minimum);
        if near(minimum, right.step) {
            break;
        }
        let inner = sample(ray, minimum)?;
        descent.improve(&mut best, inner);
        if order == Order::Cubic && inner.cost.is_finite() && descent.may_continue(ray) {
            let better = cubic::minimum(left, descent.slope, [right, inner]).map(between);
            if let Some(better) = better.filter(|step| !near(*step, inner.step) && !near(*step, right.step)) {
                let last = sample(ray, better)?;
                descent.improve(&mut best, last);
            }
        }
        if best.is_some() || minimum >= right.step {
            break;
        }
        first = if inner.cost.is_finite() { minimum } else { 0.25 * minimum };
        falling = false;
    }
    descent.settle(ray, best)
}
