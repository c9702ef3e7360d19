//! Linear dependence of the rows of a sparse matrix.

use std::collections::{BTreeMap, BTreeSet};

/// What remains of a row that depends on others, relative to its largest entry.
const ROUNDING: f64 = 1e-10;

/// What remains of a row with a single 1, whose largest entries on the way there may be larger.
const ROUNDING_OF_UNITS: f64 = 1e-8;

/// A pivot is at least this part of the largest entry in its row.
const SMALLEST_PIVOT: f64 = 0.05;

/// A row that is a combination of rows above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    pub row: usize,
    pub others: Vec<usize>,
}

/// A row without the pivots of those above it, and the combination of given rows that it is.
struct Reduced {
    /// In the order of the rows.
    order: usize,
    entries: BTreeMap<usize, f64>,
    combination: BTreeMap<usize, f64>,
}

/// The rows that depend on rows above them, of a matrix given by its entries (row, column, value).
pub fn dependences(rows: usize, entries: &[(usize, usize, f64)]) -> Vec<Dependence> {
    eliminate(rows, entries).1
}

/// Of columns, those in which nothing of the null space has an entry.
pub fn held(rows: usize, entries: &[(usize, usize, f64)], columns: &[usize]) -> Vec<bool> {
    let (pivots, _) = eliminate(rows, entries);
    let is_held = |&column: &usize| {
        let unit = BTreeMap::from([(column, 1.0)]);
        largest(&reduce(rows, unit, &pivots).entries) <= ROUNDING_OF_UNITS
    };
    columns.iter().map(is_held).collect()
}

/// Independent rows by the columns of their pivots, and the other ones.
fn eliminate(rows: usize, entries: &[(usize, usize, f64)]) -> (BTreeMap<usize, Reduced>, Vec<Dependence>) {
    let mut matrix: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); rows];
    // The last row with an entry in a column: pivots in columns that end early leave the rows below alone.
    let mut last_row: BTreeMap<usize, usize> = BTreeMap::new();
    for &(row, column, value) in entries {
        if let Some(row_entries) = matrix.get_mut(row) {
            *row_entries.entry(column).or_insert(0.0) += value;
            let last = last_row.entry(column).or_insert(row);
            *last = row.max(*last);
        }
    }
    let mut pivots: BTreeMap<usize, Reduced> = BTreeMap::new();
    let mut found = Vec::new();
    for (row, entries) in matrix.into_iter().enumerate() {
        let scale = largest(&entries);
        let reduced = reduce(row, entries, &pivots);
        let rest = largest(&reduced.entries);
        if rest <= ROUNDING * scale {
            let others = reduced.combination.iter().filter(|(other, _)| **other != row);
            found.push(Dependence {
                row,
                others: others
                    .filter(|(_, factor)| factor.abs() > ROUNDING)
                    .map(|(other, _)| *other)
                    .collect(),
            });
            continue;
        }
        let candidates = reduced.entries.iter().filter(|(_, value)| value.abs() >= SMALLEST_PIVOT * rest);
        let pivot = candidates.min_by_key(|(column, _)| (last_row.get(column).copied(), **column));
        if let Some((&column, _)) = pivot {
            pivots.insert(column, reduced);
        }
    }
    (pivots, found)
}

fn largest(entries: &BTreeMap<usize, f64>) -> f64 {
    entries.values().fold(0.0, |largest: f64, value| largest.max(value.abs()))
}

/// Eliminates the columns of all pivots in the order of their rows: each has none of the pivots above it.
fn reduce(row: usize, mut entries: BTreeMap<usize, f64>, pivots: &BTreeMap<usize, Reduced>) -> Reduced {
    let mut combination = BTreeMap::from([(row, 1.0)]);
    let position = |column: &usize| pivots.get(column).map(|pivot_row| (pivot_row.order, *column));
    let mut open: BTreeSet<(usize, usize)> = entries.keys().filter_map(position).collect();
    while let Some((_, column)) = open.pop_first() {
        let (Some(value), Some(pivot_row)) = (entries.remove(&column), pivots.get(&column)) else { continue };
        let Some(pivot) = pivot_row.entries.get(&column).copied() else { continue };
        let factor = value / pivot;
        for (&other, &entry) in pivot_row.entries.iter().filter(|(other, _)| **other != column) {
            *entries.entry(other).or_insert(0.0) -= factor * entry;
            open.extend(position(&other));
        }
        for (&other, &part) in &pivot_row.combination {
            *combination.entry(other).or_insert(0.0) -= factor * part;
        }
    }
    Reduced { order: row, entries, combination }
}
