//! The transpose of a spline: transforms the derivatives of a number with respect to value and slope at every
//! knot to those with respect to the values that the spline interpolates.

use costate_contract::tables::Extension;
use costate_contract::tables::spline::{Knot, Row, open_rows, periodic_rows, solve, solve_around};

/// Returns the derivatives with respect to the values at the knots of the data, from those with respect to value and
/// slope at every knot of [`refined`](costate_contract::tables::spline::refined): the transpose of
/// [`interpolate`](costate_contract::tables::spline::interpolate), which is linear. A period's first and last knot have
/// one value: the first entry has its derivative, the last is 0.
pub(super) fn transposed(knots: &[f64], nodes: &[[f64; 2]], extension: Extension) -> Vec<f64> {
    let n = knots.len();
    match extension {
        Extension::Periodic => periodic(knots, nodes),
        Extension::Linear => open(knots, nodes, &vec![0.0; n], extension),
        Extension::Clamped => {
            let mut per_slope = vec![0.0; n];
            per_slope[1] = (knots[1] - knots[0]) / 3.0;
            per_slope[n - 2] = (knots[n - 2] - knots[n - 1]) / 3.0;
            let mut values = open(knots, nodes, &per_slope, extension);
            // the additional knots go with the values at the edges
            let after = values.remove(n - 2);
            let before = values.remove(1);
            values[0] += before;
            values[n - 3] += after;
            values
        }
    }
}

/// Transposes a spline with two ends, whose value at every knot is a value of its own plus `per_slope` times
/// the slope there.
fn open(knots: &[f64], nodes: &[[f64; 2]], per_slope: &[f64], extension: Extension) -> Vec<f64> {
    let last = nodes.len() - 1;
    let unknown: Vec<Knot> = per_slope.iter().map(|&per_slope| Knot { value: 0.0, per_slope }).collect();
    let mut rows = swapped(&open_rows(knots, &unknown, extension));
    (rows[0].below, rows[last].above) = (0.0, 0.0);
    for ((row, node), per_slope) in rows.iter_mut().zip(nodes).zip(per_slope) {
        row.right = node[1] + per_slope * node[0];
    }
    let mut values: Vec<f64> = nodes.iter().map(|node| node[0]).collect();
    for (i, right) in solve(&rows).into_iter().enumerate() {
        let mut chord = |i: usize| {
            let share = 3.0 * right / (knots[i + 1] - knots[i]);
            values[i] -= share;
            values[i + 1] += share;
        };
        match extension {
            Extension::Linear if i == 0 => chord(0),
            Extension::Linear if i == last => chord(last - 1),
            _ if i == 0 || i == last => (),
            _ => {
                let shares = of_values(right, knots[i] - knots[i - 1], knots[i + 1] - knots[i]);
                values[i - 1..=i + 1].iter_mut().zip(shares).for_each(|(value, share)| *value += share);
            }
        }
    }
    values
}

fn periodic(knots: &[f64], nodes: &[[f64; 2]]) -> Vec<f64> {
    let count = nodes.len() - 1;
    // the first knot is the last one too
    let node = |i: usize, part: usize| nodes[i][part] + if i == 0 { nodes[count][part] } else { 0.0 };
    let mut rows = swapped(&periodic_rows(knots, &vec![0.0; count + 1]));
    rows.iter_mut().enumerate().for_each(|(i, row)| row.right = node(i, 1));
    let mut values: Vec<f64> = (0..count).map(|i| node(i, 0)).collect();
    let length = |i: usize| knots[i % count + 1] - knots[i % count];
    for (i, right) in solve_around(&rows).into_iter().enumerate() {
        for (j, share) in of_values(right, length(i + count - 1), length(i)).into_iter().enumerate() {
            values[(i + count - 1 + j) % count] += share;
        }
    }
    values.push(0.0);
    values
}

/// Returns the derivatives with respect to the values before, at and after a knot, from that with respect to
/// the right-hand side of the knot's row; `left` and `right` are the lengths of the intervals.
fn of_values(of_row: f64, left: f64, right: f64) -> [f64; 3] {
    let (before, after) = (6.0 * of_row / (left * left), 6.0 * of_row / (right * right));
    [-before, before - after, after]
}

/// Returns the transposed matrix, in which the first and last rows are coupled.
fn swapped(rows: &[Row]) -> Vec<Row> {
    let count = rows.len();
    let row = |i: usize| Row {
        below: rows[(i + count - 1) % count].above,
        at: rows[i].at,
        above: rows[(i + 1) % count].below,
        right: 0.0,
    };
    (0..count).map(row).collect()
}
