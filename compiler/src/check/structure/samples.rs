//! Numbers for the entries of a matrix at made-up states and parameters, so that no number is special.

use crate::mechanics::Random;
use crate::model::Model;
use crate::symbolic::{Graph, Id, Symbol};

/// States that are tried.
pub const COUNT: usize = 4;

/// Sweeps of the scaling.
const SWEEPS: usize = 3;

/// The entries as numbers, with rows and columns scaled so that the largest are near 1.
pub fn values(
    model: &Model,
    graph: &Graph,
    entries: &[(usize, usize, Id)],
    sample: usize,
) -> Vec<(usize, usize, f64)> {
    let numbers = evaluate(model, graph, entries, sample, 1.0);
    let mut values: Vec<(usize, usize, f64)> =
        entries.iter().zip(numbers).map(|(entry, value)| (entry.0, entry.1, value)).collect();
    scale(&mut values);
    values
}

/// The entries as numbers, where no constraint carries a load.
pub fn unloaded(model: &Model, graph: &Graph, entries: &[(usize, usize, Id)], sample: usize) -> Vec<f64> {
    evaluate(model, graph, entries, sample, 0.0)
}

/// The entries as numbers, with multipliers of this size.
fn evaluate(
    model: &Model,
    graph: &Graph,
    entries: &[(usize, usize, Id)],
    sample: usize,
    load: f64,
) -> Vec<f64> {
    let roots: Vec<Id> = entries.iter().map(|entry| entry.2).collect();
    let between = |kind: usize, i: usize, from, to| {
        Random::new((sample * 16 + kind) as u64 + ((i as u64) << 16)).between(from, to)
    };
    // A parameter keeps its order of magnitude, but not its value: equal lengths are no property of a model.
    let parameter = |i: usize| match model.defaults.get(i).copied().flatten() {
        Some(value) if value != 0.0 => value * between(1, i, 0.8, 1.25),
        _ => between(1, i, 0.5, 1.5),
    };
    let numbers = graph.evaluate_with(
        &roots,
        |symbol| match symbol {
            Symbol::Parameter(i) => parameter(i),
            Symbol::Coordinate(i) => between(2, i, -1.5, 1.5),
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

fn scale(values: &mut [(usize, usize, f64)]) {
    let rows = values.iter().map(|entry| entry.0 + 1).max().unwrap_or(0);
    let columns = values.iter().map(|entry| entry.1 + 1).max().unwrap_or(0);
    for _ in 0..SWEEPS {
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
