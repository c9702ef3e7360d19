//! Golden section.
//!
//! What: an interval with a minimum inside is narrowed from the side of the higher of two inner costs.
//! When: costs that are cheap, or of a shape that polynomials do not follow; it needs no gradient but at the end.
//! Source: OB 4.3.2.1, (4.25), a = (sqrt 5 - 1)/2, so that every narrowing needs one evaluation.
//! Settings: the width of the last interval relative to its end.

use super::super::erased::AnyError;
use super::super::ray::Ray;
use super::descent::{Descent, Sample, sample};
use super::foresight::Foresight;
use super::section::{SHORTENING, Section, longer};

/// Finds an interval that contains a minimum, narrows it, and ends at the lowest cost of all.
pub(super) fn search(
    ray: &mut Ray<'_>,
    descent: &Descent<'_>,
    (first, limit): (f64, f64),
    tolerance: f64,
) -> Result<(), AnyError> {
    let mut best = None;
    let foresight = Foresight { descent, limit, tolerance };
    if let Some(section) = bracket(ray, &foresight, first, &mut best)? {
        narrow(ray, &foresight, section, &mut best)?;
    }
    descent.settle(ray, best)
}

/// Steps on, each step longer by the golden ratio than the one before, until the cost rises; or back until a tenth of
/// the step lowers the cost. `None` if the cost still falls at the limit.
fn bracket(
    ray: &mut Ray<'_>,
    foresight: &Foresight<'_>,
    first: f64,
    best: &mut Option<Sample>,
) -> Result<Option<Section>, AnyError> {
    let (descent, limit) = (foresight.descent, foresight.limit);
    let mut left = Sample { step: 0.0, cost: descent.cost };
    let Some(mut middle) = descent.first_sample(ray, first.min(limit))? else { return Ok(None) };
    descent.improve(best, middle);
    if middle.cost >= left.cost {
        // Nested intervals would take many evaluations for every decade.
        while descent.may_continue(ray) && !descent.hidden(middle.step) {
            let step = SHORTENING * middle.step;
            if !ray.foresees(step) {
                foresight.announce(ray, foresight.shorter(left, middle));
            }
            let next = sample(ray, step)?;
            descent.improve(best, next);
            if next.cost < left.cost {
                break;
            }
            middle = next;
        }
        return Ok(Some(Section::between(left, middle)));
    }
    while descent.may_continue(ray) {
        if middle.step >= limit {
            // The latest sample is the one at the limit.
            let slope = ray.slope(middle.step, middle.cost)?;
            let rises = slope.is_none_or(|slope| slope > 0.0);
            return Ok(rises.then_some(Section::between(left, middle)));
        }
        let step = longer(left.step, middle.step, limit);
        if !ray.foresees(step) {
            foresight.announce(ray, foresight.longer(left, middle));
        }
        let next = sample(ray, step)?;
        descent.improve(best, next);
        if next.cost >= middle.cost {
            return Ok(Some(Section::around(left, middle, next)));
        }
        (left, middle) = (middle, next);
    }
    Ok(None)
}

fn narrow(
    ray: &mut Ray<'_>,
    foresight: &Foresight<'_>,
    mut section: Section,
    best: &mut Option<Sample>,
) -> Result<(), AnyError> {
    let descent = foresight.descent;
    while section.is_wide(foresight.tolerance, descent) && descent.may_continue(ray) {
        let mut at = |section: Section, step| -> Result<Sample, AnyError> {
            if !ray.foresees(step) {
                foresight.announce(ray, foresight.inside(section));
            }
            let new = sample(ray, step)?;
            descent.improve(best, new);
            Ok(new)
        };
        let lower = match section.lower {
            Some(lower) => lower,
            None => at(section, section.lower_step())?,
        };
        section.lower = Some(lower);
        let upper = match section.upper {
            Some(upper) => upper,
            None => at(section, section.upper_step())?,
        };
        section.narrow(lower, upper);
    }
    Ok(())
}
