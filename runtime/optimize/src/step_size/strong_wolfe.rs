//! Strong Wolfe conditions.
//!
//! What: a step with a sufficiently lower cost at which the slope is sufficiently flatter.
//! When: the default; the step then shows the curvature that quasi-Newton methods learn from.
//! Source: Nocedal, Wright, Numerical Optimization, 2nd ed., algorithms 3.5 and 3.6, interpolation (3.57) to (3.59);
//! with safeguards for costs that are infinite somewhere.
//! Settings: `sufficient_decrease` and `curvature`, c_1 and c_2.

use super::super::erased::AnyError;
use super::super::ray::Ray;
use super::descent::Descent;

/// A point on the ray; the slope is known only where the cost decreased sufficiently.
#[derive(Debug, Clone, Copy)]
struct Trial {
    step: f64,
    cost: f64,
    slope: Option<f64>,
}

/// The second of the strong Wolfe conditions.
fn flat(descent: &Descent<'_>, slope: f64) -> bool {
    slope.abs() <= -descent.settings.curvature * descent.slope
}

/// Afterwards `ray.reached` is the best point with sufficient decrease, if there is one: it satisfies the strong
/// Wolfe conditions, or is at the limit, or the evaluations were used up.
pub(super) fn search(ray: &mut Ray<'_>, descent: &Descent<'_>, (first, limit): (f64, f64)) -> Result<(), AnyError> {
    let mut before = Trial { step: 0.0, cost: descent.cost, slope: Some(descent.slope) };
    let mut step = first.min(limit);
    while ray.evaluations < descent.settings.line_search_evaluations {
        let cost = ray.cost(step)?;
        let mut trial = Trial { step, cost, slope: None };
        if !descent.decreases(step, cost) || cost >= before.cost {
            return zoom(ray, descent, before, trial);
        }
        let Some(slope) = ray.slope(step, cost)? else {
            trial.cost = f64::INFINITY;
            return zoom(ray, descent, before, trial);
        };
        trial.slope = Some(slope);
        if flat(descent, slope) || (slope < 0.0 && step >= limit) {
            return Ok(());
        }
        if slope >= 0.0 {
            return zoom(ray, descent, trial, before);
        }
        let width = step - before.step;
        let guess = interpolate(before, trial).filter(|guess| *guess > step).unwrap_or(step + 4.0 * width);
        before = trial;
        step = guess.clamp(step + width, step + 4.0 * width).min(limit);
    }
    Ok(())
}

/// Narrows the interval between `low`, the best point, and `high` (Nocedal, Wright, algorithm 3.6).
fn zoom(ray: &mut Ray<'_>, descent: &Descent<'_>, mut low: Trial, mut high: Trial) -> Result<(), AnyError> {
    while ray.evaluations < descent.settings.line_search_evaluations {
        let width = high.step - low.step;
        // No room left, or none that the rounding of the cost would show.
        let farthest = high.step.max(low.step);
        if width.abs() <= 1e-14 * farthest || descent.hidden(farthest) {
            break;
        }
        let step = if high.cost.is_finite() {
            let (near, far) = (low.step + 0.1 * width, low.step + 0.9 * width);
            let guess = interpolate(low, high).unwrap_or(low.step + 0.5 * width);
            guess.clamp(near.min(far), near.max(far))
        } else {
            low.step + 0.25 * width
        };
        let cost = ray.cost(step)?;
        let mut trial = Trial { step, cost, slope: None };
        if !descent.decreases(step, cost) || cost >= low.cost {
            high = trial;
            continue;
        }
        let Some(slope) = ray.slope(step, cost)? else {
            high = Trial { cost: f64::INFINITY, ..trial };
            continue;
        };
        trial.slope = Some(slope);
        if flat(descent, slope) {
            break;
        }
        if slope * (high.step - low.step) >= 0.0 {
            high = low;
        }
        low = trial;
    }
    Ok(())
}

/// The minimiser of the cubic through both points with their slopes, of the parabola if only the first slope is
/// known.
fn interpolate(a: Trial, b: Trial) -> Option<f64> {
    let width = b.step - a.step;
    let slope_a = a.slope?;
    let guess = match b.slope {
        Some(slope_b) => {
            let d1 = slope_a + slope_b - 3.0 * (b.cost - a.cost) / width;
            let d2 = (d1 * d1 - slope_a * slope_b).sqrt().copysign(width);
            b.step - width * (slope_b + d2 - d1) / (slope_b - slope_a + 2.0 * d2)
        }
        None => a.step - 0.5 * slope_a * width * width / (b.cost - a.cost - slope_a * width),
    };
    guess.is_finite().then_some(guess)
}
