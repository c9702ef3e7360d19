//! Numbers for the entries of a matrix at made-up states and parameters, so that no number is special.

use std::collections::BTreeMap;

use crate::mechanics::Random;
use crate::model::Model;
use crate::symbolic::{Graph, Id, Node, Symbol};

/// States that are tried.
pub const STATES: usize = 4;

/// The entries as numbers.
pub fn values(model: &Model, graph: &Graph, entries: &[(usize, usize, Id)], sample: usize) -> Vec<(usize, usize, f64)> {
    let numbers = evaluate(model, graph, &expressions(entries), sample, 1.0, &BTreeMap::new());
    entries.iter().zip(numbers).map(|(entry, value)| (entry.0, entry.1, value)).collect()
}

/// The entries as numbers, where no constraint carries a load.
pub fn unloaded(model: &Model, graph: &Graph, entries: &[(usize, usize, Id)], sample: usize) -> Vec<f64> {
    evaluate(model, graph, &expressions(entries), sample, 0.0, &BTreeMap::new())
}

fn expressions(entries: &[(usize, usize, Id)]) -> Vec<Id> {
    entries.iter().map(|entry| entry.2).collect()
}

/// Expressions as numbers, with multipliers of this size, and with these coordinates, the others made up.
fn evaluate(
    model: &Model,
    graph: &Graph,
    roots: &[Id],
    sample: usize,
    load: f64,
    coordinates: &BTreeMap<usize, f64>,
) -> Vec<f64> {
    let between = |kind: usize, i: usize, from, to| {
        Random::new((sample * 16 + kind) as u64 + ((i as u64) << 16)).between(from, to)
    };
    // A parameter keeps its order of magnitude, but not its value: equal lengths are no property of a model.
    let parameter = |i: usize| match model.defaults.get(i).copied().flatten() {
        Some(value) if value != 0.0 => value * between(1, i, 0.8, 1.25),
        _ => between(1, i, 0.5, 1.5),
    };
    let numbers = graph.evaluate_with(
        roots,
        |symbol| match symbol {
            Symbol::Parameter(i) => parameter(i),
            Symbol::Coordinate(i) => coordinates.get(&i).copied().unwrap_or_else(|| between(2, i, -1.5, 1.5)),
            Symbol::Velocity(i) => between(3, i, -1.5, 1.5),
            Symbol::Acceleration(i) => between(4, i, -1.5, 1.5),
            Symbol::Multiplier(i) => load * between(5, i, -1.5, 1.5),
            Symbol::Input(i) => between(6, i, -1.5, 1.5),
            Symbol::Time => between(7, 0, 0.1, 1.5),
            Symbol::Integrator(_) | Symbol::Given(..) => 1.0,
        },
        |lookup, _| between(8, lookup.table as usize, 0.5, 1.5),
    );
    numbers
        .into_iter()
        .enumerate()
        // Outside of the domain of a root or logarithm any number will do.
        .map(|(i, value)| if value.is_finite() { value } else { between(9, i, 0.5, 1.5) })
        .collect()
}

/// The gradients of these constraints, given by their entries, in a state in which they are satisfied, with made-up
/// parameters; `None` if none was found.
pub fn assembled(
    model: &Model,
    graph: &Graph,
    entries: &[(usize, usize, Id)],
    rows: &[usize],
    sample: usize,
) -> Option<Vec<(usize, usize, f64)>> {
    const MAX_ITERATIONS: usize = 100;
    const MAX_HALVINGS: usize = 10;
    const MAX_VIOLATION: f64 = 1e-13;
    let constraints: Vec<Id> = rows.iter().filter_map(|row| model.constraint.get(*row)).copied().collect();
    let mut columns: Vec<usize> = entries.iter().map(|entry| entry.1).collect();
    columns.sort_unstable();
    columns.dedup();
    let symbols: Vec<Id> = columns.iter().filter_map(|&i| graph.find(Node::Symbol(Symbol::Coordinate(i)))).collect();
    let start = evaluate(model, graph, &symbols, sample, 0.0, &BTreeMap::new());
    let mut state: BTreeMap<usize, f64> = columns.iter().copied().zip(start).collect();
    let violation = |state: &BTreeMap<usize, f64>| evaluate(model, graph, &constraints, sample, 0.0, state);
    let size = |violation: &[f64]| violation.iter().map(|value| value * value).sum::<f64>().sqrt();
    let mut left = violation(&state);
    for _ in 0..MAX_ITERATIONS {
        let numbers = evaluate(model, graph, &expressions(entries), sample, 0.0, &state);
        let largest = state.values().fold(1.0f64, |largest, x| largest.max(x.abs()));
        if size(&left) <= MAX_VIOLATION * largest {
            return Some(entries.iter().zip(numbers).map(|(entry, value)| (entry.0, entry.1, value)).collect());
        }
        let (mut matrix, mut right) = (vec![vec![0.0; columns.len()]; columns.len()], vec![0.0; columns.len()]);
        for (row, left) in rows.iter().zip(&left) {
            let own = entries.iter().zip(&numbers).filter(|((of, ..), _)| of == row);
            let own: Vec<(usize, f64)> =
                own.filter_map(|(entry, value)| Some((columns.binary_search(&entry.1).ok()?, *value))).collect();
            for &(i, a) in &own {
                right[i] -= a * left;
                own.iter().for_each(|&(j, b)| matrix[i][j] += a * b);
            }
        }
        let mean = (0..columns.len()).map(|i| matrix[i][i]).sum::<f64>() / columns.len().max(1) as f64;
        let damping = mean * (1e-12 + 1e-3 * size(&left).powi(2).min(1.0));
        (0..columns.len()).for_each(|i| matrix[i][i] += damping);
        let mut step = solve(matrix, right)?;
        for halving in 0..=MAX_HALVINGS {
            let next: BTreeMap<usize, f64> = state.iter().zip(&step).map(|((&i, x), dx)| (i, x + dx)).collect();
            let there = violation(&next);
            if size(&there) < size(&left) || halving == MAX_HALVINGS {
                (state, left) = (next, there);
                break;
            }
            step.iter_mut().for_each(|step| *step *= 0.5);
        }
    }
    None
}

/// Solves a system with a positive definite matrix.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for pivot in 0..n {
        if matrix[pivot][pivot].is_nan() || matrix[pivot][pivot] <= 0.0 {
            return None;
        }
        let (above, below) = matrix.split_at_mut(pivot + 1);
        for (at, row) in below.iter_mut().enumerate() {
            let factor = row[pivot] / above[pivot][pivot];
            if factor != 0.0 {
                row.iter_mut().zip(&above[pivot]).skip(pivot).for_each(|(entry, other)| *entry -= factor * other);
                right[pivot + 1 + at] -= factor * right[pivot];
            }
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

/// Scales rows and columns so that the largest entries are near 1.
pub fn scale(values: &mut [(usize, usize, f64)]) {
    // Sweeps of the scaling.
    const SCALING_SWEEPS: usize = 3;
    let rows = values.iter().map(|entry| entry.0 + 1).max().unwrap_or(0);
    let columns = values.iter().map(|entry| entry.1 + 1).max().unwrap_or(0);
    for _ in 0..SCALING_SWEEPS {
        let (mut in_row, mut in_column) = (vec![0f64; rows], vec![0f64; columns]);
        for &(row, column, value) in &*values {
            in_row[row] = in_row[row].max(value.abs());
            in_column[column] = in_column[column].max(value.abs());
        }
        let root = |largest: f64| if largest > 0.0 { largest.sqrt() } else { 1.0 };
        for (row, column, value) in &mut *values {
            *value /= root(in_row[*row]) * root(in_column[*column]);
        }
    }
}
