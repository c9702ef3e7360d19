//! Cubic splines: the slopes at the knots that make the curvature continuous.

use super::grid::Extension;

/// Returns the knots of the spline: those of the data, and with clamped ends an additional one a third into
/// the first and last interval, so that the spline can bring value, slope and curvature to those of the
/// constant beyond the edge.
pub fn refined(knots: &[f64], extension: Extension) -> Vec<f64> {
    let [first, second, ..] = *knots else { return knots.to_vec() };
    let [.., before, last] = *knots else { return knots.to_vec() };
    let mut refined = knots.to_vec();
    if extension == Extension::Clamped {
        refined.insert(knots.len() - 1, last - (last - before) / 3.0);
        refined.insert(1, first + (second - first) / 3.0);
    }
    refined
}

/// Computes value and slope of the spline at every knot of [`refined`], through `values` at the knots of the
/// data.
pub fn interpolate(knots: &[f64], values: &[f64], extension: Extension) -> Vec<[f64; 2]> {
    match extension {
        Extension::Periodic => periodic(knots, values),
        Extension::Linear => {
            let unknown = values.iter().map(|&value| Knot { value, per_slope: 0.0 }).collect();
            open(knots, unknown, extension)
        }
        Extension::Clamped => {
            let mut unknown: Vec<_> = values.iter().map(|&value| Knot { value, per_slope: 0.0 }).collect();
            let n = knots.len();
            // beginning at the edge the spline is f + c u^3: at the additional knot, u = h, it is f + slope
            // h/3
            if let (Some(&first), Some(&last)) = (values.first(), values.last()) {
                let behind = Knot { value: last, per_slope: (knots[n - 2] - knots[n - 1]) / 3.0 };
                unknown.insert(values.len() - 1, behind);
                unknown.insert(1, Knot { value: first, per_slope: (knots[1] - knots[0]) / 3.0 });
            }
            open(knots, unknown, extension)
        }
    }
}

/// Selects the entries at the knots of the data from those at every knot of [`refined`].
pub fn of_data<T: Copy>(all: &[T], extension: Extension) -> Vec<T> {
    let additional = match extension {
        Extension::Clamped => [1, all.len().saturating_sub(2)],
        Extension::Periodic | Extension::Linear => [usize::MAX; 2],
    };
    let of_data = all.iter().enumerate().filter(|(i, _)| !additional.contains(i));
    of_data.map(|(_, value)| *value).collect()
}

/// The spline's value at a knot, as a function of its slope there: value + per_slope * slope.
#[derive(Debug, Clone, Copy)]
pub struct Knot {
    /// Value at a slope of 0.
    pub value: f64,
    /// Change of the value per slope.
    pub per_slope: f64,
}

/// A row of a tridiagonal system: `below` x_{i-1} + `at` x_i + `above` x_{i+1} = `right`.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Factor of the unknown before.
    pub below: f64,
    /// Factor of the row's own unknown.
    pub at: f64,
    /// Factor of the next unknown.
    pub above: f64,
    /// Right-hand side.
    pub right: f64,
}

/// Returns the row that makes the curvatures on both sides of a knot equal; `left` and `right` are the
/// lengths of the intervals.
fn smooth(before: Knot, at: Knot, after: Knot, left: f64, right: f64) -> Row {
    let (left2, right2) = (left * left, right * right);
    Row {
        below: 2.0 / left + 6.0 * before.per_slope / left2,
        at: 4.0 / left + 4.0 / right + 6.0 * at.per_slope * (1.0 / right2 - 1.0 / left2),
        above: 2.0 / right - 6.0 * after.per_slope / right2,
        right: 6.0 * (at.value - before.value) / left2 + 6.0 * (after.value - at.value) / right2,
    }
}

/// Computes a spline with conditions at both ends: slope zero, or curvature zero.
fn open(knots: &[f64], unknown: Vec<Knot>, extension: Extension) -> Vec<[f64; 2]> {
    let slopes = solve(&open_rows(knots, &unknown, extension));
    unknown.iter().zip(slopes).map(|(knot, slope)| [knot.value + knot.per_slope * slope, slope]).collect()
}

/// Returns the system for the slopes of a spline with two ends.
pub fn open_rows(knots: &[f64], unknown: &[Knot], extension: Extension) -> Vec<Row> {
    let last = unknown.len() - 1;
    let chord = |i: usize| (unknown[i + 1].value - unknown[i].value) / (knots[i + 1] - knots[i]);
    (0..=last)
        .map(|i| match (extension, i) {
            (Extension::Linear, 0) => Row { below: 0.0, at: 2.0, above: 1.0, right: 3.0 * chord(0) },
            (Extension::Linear, _) if i == last => {
                Row { below: 1.0, at: 2.0, above: 0.0, right: 3.0 * chord(last - 1) }
            }
            _ if i == 0 || i == last => Row { below: 0.0, at: 1.0, above: 0.0, right: 0.0 },
            _ => {
                let [left, right] = [knots[i] - knots[i - 1], knots[i + 1] - knots[i]];
                smooth(unknown[i - 1], unknown[i], unknown[i + 1], left, right)
            }
        })
        .collect()
}

/// Computes a periodic spline: the last knot is the first one.
fn periodic(knots: &[f64], values: &[f64]) -> Vec<[f64; 2]> {
    let mut slopes = solve_around(&periodic_rows(knots, values));
    let first = slopes.first().copied();
    slopes.extend(first);
    values.iter().zip(slopes).map(|(&value, slope)| [value, slope]).collect()
}

/// Returns the system for the slopes of a periodic spline, at all knots but the last.
pub fn periodic_rows(knots: &[f64], values: &[f64]) -> Vec<Row> {
    let count = values.len() - 1;
    let knot = |i: usize| Knot { value: values[i % count], per_slope: 0.0 };
    let length = |i: usize| knots[i % count + 1] - knots[i % count];
    let row = |i: usize| smooth(knot(i + count - 1), knot(i), knot(i + 1), length(i + count - 1), length(i));
    (0..count).map(row).collect()
}

/// Solves a cyclic system, whose first and last rows are coupled.
pub fn solve_around(rows: &[Row]) -> Vec<f64> {
    let [first, without @ ..] = rows else { return Vec::new() };
    // the slopes after the first knot are those for a slope of 0 there, plus the effect of each unit of that
    // slope
    let mut per_unit: Vec<Row> = without.iter().map(|row| Row { right: 0.0, ..*row }).collect();
    if let Some(row) = per_unit.first_mut() {
        row.right -= row.below;
    }
    if let Some(row) = per_unit.last_mut() {
        row.right -= row.above;
    }
    let (without, per_unit) = (solve(without), solve(&per_unit));
    let around = |slopes: &[f64]| {
        let [after, .., before] = *slopes else {
            return slopes.first().map_or(0.0, |only| (first.above + first.below) * only);
        };
        first.above * after + first.below * before
    };
    let slope = (first.right - around(&without)) / (first.at + around(&per_unit));
    let mut slopes = vec![slope];
    slopes.extend(without.iter().zip(&per_unit).map(|(slope_without, unit)| slope_without + unit * slope));
    slopes
}

/// Solves by elimination without pivoting: the rows of a spline are dominated by their diagonals.
pub fn solve(rows: &[Row]) -> Vec<f64> {
    let mut reduced: Vec<(f64, f64)> = Vec::with_capacity(rows.len());
    for row in rows {
        let (above, right) = reduced.last().copied().unwrap_or_default();
        let pivot = row.at - row.below * above;
        reduced.push((row.above / pivot, (row.right - row.below * right) / pivot));
    }
    let mut solution = vec![0.0; rows.len()];
    let mut next = 0.0;
    for (value, (above, right)) in solution.iter_mut().zip(reduced).rev() {
        next = right - above * next;
        *value = next;
    }
    solution
}
