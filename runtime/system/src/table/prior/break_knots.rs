//! Knots around breaks, and the weights of the roughness beside them.

use super::breaks::Break;
use super::error::PriorError;
use crate::table::{Curve, Interpolation};

/// Returns the knots with those that breaks need, in place of others that are as close: three close to each
/// other for a kink; nine for a jump, from close to it to almost half of the distance of the knots around it.
///
/// # Errors
/// [`PriorError::Break`] for a break that is not, with all of its knots, between the first and the last knot.
pub fn knots_with_breaks(knots: &[f64], breaks: &[Break]) -> Result<Vec<f64>, PriorError> {
    let mut all = knots.to_vec();
    for of_curve in breaks {
        let (at, offsets) = (of_curve.at(), of_curve.offsets());
        let reach = offsets.last().copied().unwrap_or_default();
        let [first, last] = [all.first(), all.last()].map(|end| end.copied().unwrap_or(f64::NAN));
        let outside = PriorError::Break { at, first, last };
        let after = all.partition_point(|knot| *knot <= at);
        let (Some(before), Some(next)) = (after.checked_sub(1).and_then(|k| all.get(k)), all.get(after)) else {
            return Err(outside);
        };
        // the innermost knots are close to the break, relative to the knots around it
        let width = 0.05 * (next - before);
        if !(at - reach * width > first && at + reach * width < last) {
            return Err(outside);
        }
        all.retain(|knot| (knot - at).abs() > (reach + 1.0) * width || *knot == first || *knot == last);
        all.push(at);
        all.extend(offsets.iter().flat_map(|offset| [at - offset * width, at + offset * width]));
        all.sort_by(f64::total_cmp);
    }
    Ok(all)
}

/// Returns the weight of each residual of a curve's [roughness](super::roughness()) relative to the others,
/// for these breaks.
#[doc(hidden)]
pub fn weights_beside(curve: &Curve, breaks: &[Break]) -> Result<Vec<f64>, PriorError> {
    // those of the spline that has the roughness
    let curve = &curve.clone().interpolated(Interpolation::Spline);
    let [first, last] = curve.range();
    let length = last - first;
    let mut starts = vec![first];
    starts.extend(curve.intervals().map(|(_, length)| length).scan(first, |end, length| {
        *end += length;
        Some(*end)
    }));
    let mut factors = vec![1.0; starts.len() - 1];
    for of_curve in breaks {
        let (at, reach) = (of_curve.at(), of_curve.reach());
        // knots are at breaks but for rounding
        let found = starts.iter().position(|knot| (knot - at).abs() <= 1e-9 * length);
        let knot = found.filter(|knot| *knot >= reach && knot + reach < starts.len());
        let Some(knot) = knot else { return Err(PriorError::Break { at, first, last }) };
        for interval in knot - reach..knot + reach {
            let outer = f64::max((starts[interval] - at).abs(), (starts[interval + 1] - at).abs());
            factors[interval] = f64::min(factors[interval], of_curve.factor(outer, length));
        }
    }
    Ok(factors.into_iter().flat_map(|factor| [factor; 2]).collect())
}
