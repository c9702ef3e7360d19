//! Golden section.
//!
//! What: an interval with a minimum inside is narrowed from the side of the higher of two inner costs.
//! When: costs that are cheap, or of a shape that polynomials do not follow; it needs no gradient but at the end.
//! Source: OB 4.3.2.1, (4.25), a = (sqrt 5 - 1)/2, so that every narrowing needs one evaluation.
//! Settings: the width of the last interval relative to its end.

use super::super::objective::Objective;
use super::super::ray::Ray;
use super::descent::{Descent, Sample, sample};

/// a of OB (4.25), with a^2 + a = 1.
const RATIO: f64 = 0.618_033_988_749_894_9;

/// What remains of a first step that is too long.
const SHORTER: f64 = 0.1;

/// Ends of an interval, and the sample inside at (1 - a) of its width if there is one already.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bracket {
    left: Sample,
    right: Sample,
    inner: Option<Sample>,
}

/// Finds an interval that contains a minimum, narrows it, and ends at the lowest cost of all.
pub(super) fn search<O: Objective>(
    ray: &mut Ray<'_, O>,
    descent: &Descent<'_>,
    (first, limit): (f64, f64),
    tolerance: f64,
) -> Result<(), O::Error> {
    let mut best = None;
    if let Some(bracket) = bracket(ray, descent, (first, limit), &mut best)? {
        narrow(ray, descent, bracket, tolerance, &mut best)?;
    }
    descent.settle(ray, best)
}

/// Steps on, each step longer by the golden ratio than the one before, until the cost rises; or back until a tenth of
/// the step lowers the cost. `None` if the cost still falls at the limit.
fn bracket<O: Objective>(
    ray: &mut Ray<'_, O>,
    descent: &Descent<'_>,
    (first, limit): (f64, f64),
    best: &mut Option<Sample>,
) -> Result<Option<Bracket>, O::Error> {
    let mut left = Sample { step: 0.0, cost: descent.cost };
    let Some(mut middle) = descent.first_sample(ray, first.min(limit))? else { return Ok(None) };
    descent.improve(best, middle);
    if middle.cost >= left.cost {
        // Nested intervals would take many evaluations for every decade.
        while descent.may_continue(ray) && !descent.hidden(middle.step) {
            let next = sample(ray, SHORTER * middle.step)?;
            descent.improve(best, next);
            if next.cost < left.cost {
                break;
            }
            middle = next;
        }
        return Ok(Some(Bracket { left, right: middle, inner: None }));
    }
    while descent.may_continue(ray) {
        if middle.step >= limit {
            // The latest sample is the one at the limit.
            let slope = ray.slope(middle.step, middle.cost)?;
            let rises = slope.is_none_or(|slope| slope > 0.0);
            return Ok(rises.then_some(Bracket { left, right: middle, inner: None }));
        }
        let next = sample(ray, (middle.step + (middle.step - left.step) / RATIO).min(limit))?;
        descent.improve(best, next);
        if next.cost >= middle.cost {
            return Ok(Some(Bracket { left, right: next, inner: Some(middle) }));
        }
        (left, middle) = (middle, next);
    }
    Ok(None)
}

/// OB (4.25): l^ = l + (1 - a)(r - l), r^ = l + a (r - l).
fn narrow<O: Objective>(
    ray: &mut Ray<'_, O>,
    descent: &Descent<'_>,
    Bracket { mut left, mut right, inner }: Bracket,
    tolerance: f64,
    best: &mut Option<Sample>,
) -> Result<(), O::Error> {
    let lower_step = |l: Sample, r: Sample| l.step + (1.0 - RATIO) * (r.step - l.step);
    let upper_step = |l: Sample, r: Sample| l.step + RATIO * (r.step - l.step);
    let wide = |l: Sample, r: Sample| r.step - l.step > tolerance * r.step && !descent.hidden(r.step);
    // At a limit that cut the last step the sample inside is not where the section needs it.
    let placed = |s: &Sample| (s.step - lower_step(left, right)).abs() <= 1e-9 * (right.step - left.step);
    let mut lower = inner.filter(placed);
    let mut upper = None;
    while wide(left, right) && descent.may_continue(ray) {
        let mut at = |known: Option<Sample>, step| -> Result<Sample, O::Error> {
            if let Some(known) = known {
                return Ok(known);
            }
            let new = sample(ray, step)?;
            descent.improve(best, new);
            Ok(new)
        };
        let l = at(lower, lower_step(left, right))?;
        let r = at(upper, upper_step(left, right))?;
        if l.cost <= r.cost {
            (right, upper, lower) = (r, Some(l), None);
        } else {
            (left, lower, upper) = (l, Some(r), None);
        }
    }
    Ok(())
}
