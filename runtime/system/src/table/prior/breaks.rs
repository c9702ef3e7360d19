//! Places where a curve may bend or jump abruptly, such as those of a backlash or of dry friction.

use std::fmt;

use serde::Serialize;

use super::error::PriorError;
use crate::table::{Curve, Interpolation};

/// Distance of a break's innermost knots, relative to that of the knots around it.
const WIDTH: f64 = 0.05;

/// Positions of knots on either side of a break, in units of that distance. An apparent jump may be a steep
/// transition of any width; therefore the knots of a jump are at distances of all sizes.
const OF_KINK: [f64; 1] = [1.0];
const OF_JUMP: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// Largest distance of a knot from a break at it, relative to the range.
const AT_KNOT: f64 = 1e-9;

/// A place where a curve need not be smooth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Break {
    /// The slope may change at this place, in units of the argument.
    Kink(f64),
    /// The value may change at this place.
    Jump(f64),
}

/// The change that may happen at a [`Break`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BreakKind {
    /// The slope may change.
    Kink,
    /// The value may change.
    Jump,
}

impl BreakKind {
    /// Returns a break of this kind at a place.
    pub fn at(self, place: f64) -> Break {
        match self {
            Self::Kink => Break::Kink(place),
            Self::Jump => Break::Jump(place),
        }
    }
}

impl fmt::Display for BreakKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kink => "kink",
            Self::Jump => "jump",
        })
    }
}

impl Break {
    /// Returns the place of the break.
    pub fn at(self) -> f64 {
        match self {
            Self::Kink(at) | Self::Jump(at) => at,
        }
    }

    /// Returns the positions of its knots on each side.
    fn offsets(self) -> &'static [f64] {
        match self {
            Self::Kink(_) => &OF_KINK,
            Self::Jump(_) => &OF_JUMP,
        }
    }

    /// Returns the number of its knots on each side.
    pub(super) fn reach(self) -> usize {
        self.offsets().len()
    }

    /// Returns the weight of a second derivative within `distance` of the break, in a curve over `length`: a
    /// change of slope, or of the value, over that distance counts as much as an equally large one of a
    /// smooth curve over its range.
    fn factor(self, distance: f64, length: f64) -> f64 {
        match self {
            Self::Kink(_) => distance / length,
            Self::Jump(_) => 8.0 * (distance / length).powi(2),
        }
    }
}

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
        let behind = all.partition_point(|knot| *knot <= at);
        let (Some(before), Some(next)) = (behind.checked_sub(1).and_then(|k| all.get(k)), all.get(behind)) else {
            return Err(outside);
        };
        let width = WIDTH * (next - before);
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
        let found = starts.iter().position(|knot| (knot - at).abs() <= AT_KNOT * length);
        let knot = found.filter(|knot| *knot >= reach && knot + reach < starts.len());
        let Some(knot) = knot else { return Err(PriorError::Break { at, first, last }) };
        for interval in knot - reach..knot + reach {
            let outer = f64::max((starts[interval] - at).abs(), (starts[interval + 1] - at).abs());
            factors[interval] = f64::min(factors[interval], of_curve.factor(outer, length));
        }
    }
    Ok(factors.into_iter().flat_map(|factor| [factor; 2]).collect())
}
