//! Knots where data are.

use std::sync::Arc;

use costate_contract::tables::{Extension, GridError};
use costate_system::table::prior::{Break, PriorError, knots_with_breaks};
use costate_system::table::{AnyTable, Curve, Surface};

/// The reason why a table cannot have these knots.
#[derive(Debug, thiserror::Error)]
pub(super) enum ResampleError {
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Break(#[from] PriorError),
}

/// The table with so many knots along every argument, over the range of the arguments that were `touched`; the knots of
/// a curve that no argument is beside are left out, and it has these `others` beside them.
pub(super) fn resampled(
    table: &AnyTable,
    count: usize,
    touched: &[[f64; 2]],
    breaks: &[Break],
    others: &[f64],
) -> Result<AnyTable, ResampleError> {
    let knots = |along: usize, range: [f64; 2], extension: Extension, is_thinned: bool| {
        // what repeats itself keeps its period
        if extension == Extension::Periodic {
            return even(range, count);
        }
        let arguments: Vec<f64> = touched.iter().map(|point| point[along]).collect();
        let even = even(visited(&arguments).unwrap_or(range), count);
        if is_thinned { beside(&even, &arguments) } else { even }
    };
    Ok(match table {
        AnyTable::Curve(curve) => {
            let knots = joined(knots(0, curve.range(), curve.extension(), true), others);
            at_knots(curve, knots_with_breaks(&knots, breaks)?)?
        }
        AnyTable::Surface(surface) => {
            let ([of_x, of_y], [along_x, along_y]) = (surface.ranges(), surface.extensions());
            let (x, y) = (knots(0, of_x, along_x, false), knots(1, of_y, along_y, false));
            let values = x.iter().flat_map(|x| y.iter().map(|y| surface.value(*x, *y))).collect();
            let refined = Surface::new(x, y, values, surface.extensions())?;
            AnyTable::Surface(Arc::new(refined.interpolated(surface.interpolations())))
        }
    })
}

/// Knots with those of the `others` that lie within them and not on them.
pub(super) fn joined(mut knots: Vec<f64>, others: &[f64]) -> Vec<f64> {
    /// The least distance of a knot that is added, as a part of the range.
    const MIN_DISTANCE: f64 = 1e-7;
    if let (Some(&first), Some(&last)) = (knots.first(), knots.last()) {
        let least = MIN_DISTANCE * (last - first);
        for &other in others {
            if first < other && other < last && knots.iter().all(|knot| (knot - other).abs() > least) {
                knots.push(other);
            }
        }
        knots.sort_by(f64::total_cmp);
    }
    knots
}

/// The table with the knots that breaks need beside its own.
pub(super) fn with_breaks(table: &AnyTable, breaks: &[Break]) -> Result<AnyTable, ResampleError> {
    match table {
        AnyTable::Curve(curve) if !breaks.is_empty() => at_knots(curve, knots_with_breaks(&curve.knots(), breaks)?),
        _ => Ok(table.clone()),
    }
}

/// The curve's values at these knots.
fn at_knots(curve: &Curve, knots: Vec<f64>) -> Result<AnyTable, ResampleError> {
    let values = knots.iter().map(|x| curve.value(*x)).collect();
    Ok(AnyTable::Curve(Arc::new(Curve::new(knots, values, curve.extension())?.interpolated(curve.interpolation()))))
}

/// Least and largest argument; `None` where they do not differ.
fn visited(arguments: &[f64]) -> Option<[f64; 2]> {
    let least = arguments.iter().copied().fold(f64::INFINITY, f64::min);
    let most = arguments.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (least < most && (most - least).is_finite()).then_some([least, most])
}

fn even([first, last]: [f64; 2], count: usize) -> Vec<f64> {
    let parts = count.saturating_sub(1).max(1) as f64;
    (0..count).map(|k| if k + 1 == count { last } else { first + (last - first) * k as f64 / parts }).collect()
}

/// The knots with arguments in one of the intervals beside them; the first and last one stay.
fn beside(knots: &[f64], arguments: &[f64]) -> Vec<f64> {
    /// The fewest arguments beside a knot for which it stays.
    const MIN_ARGUMENTS: usize = 3;
    if arguments.is_empty() {
        return knots.to_vec();
    }
    let mut counts = vec![0_usize; knots.len() + 1];
    for x in arguments {
        counts[knots.partition_point(|knot| knot <= x)] += 1;
    }
    let stays = |k: usize| k == 0 || k + 1 == knots.len() || counts[k] + counts[k + 1] >= MIN_ARGUMENTS;
    (0..knots.len()).filter(|k| stays(*k)).map(|k| knots[k]).collect()
}

/// Half of the distance of the smallest and the largest value.
pub(super) fn height(table: &AnyTable) -> f64 {
    let values = table.values();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    0.5 * (most - least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_cover_what_was_touched_and_leave_out_what_was_not() {
        let guess = Curve::new(vec![-9.0, 0.0, 9.0], vec![-9.0, 0.0, 9.0], Extension::Linear).unwrap();
        let low = (0..100).map(|i| [-2.0 + 0.01 * f64::from(i), 0.0]);
        let touched: Vec<[f64; 2]> = low.clone().chain(low.map(|[x, _]| [x + 4.0, 0.0])).collect();
        let AnyTable::Curve(found) = resampled(&AnyTable::Curve(Arc::new(guess)), 51, &touched, &[], &[]).unwrap()
        else {
            panic!("a curve stays one")
        };
        let knots = found.knots();
        assert_eq!((knots[0], knots[knots.len() - 1]), (-2.0, 2.99));
        assert!(knots.iter().all(|x| *x < -0.9 || *x > 1.9) && knots.len() > 20, "{knots:?}");
        assert!(found.values().iter().zip(&knots).all(|(f, x)| (f - x).abs() < 1e-12));
    }
}
