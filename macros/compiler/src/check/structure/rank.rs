//! Linear dependence of the rows of a sparse matrix.

use std::collections::{BTreeMap, BTreeSet};

/// A row that is a combination of rows above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    pub row: usize,
    pub others: Vec<usize>,
}

/// A row after elimination of the pivots above it, and its combination of given rows.
struct Reduced {
    /// Position of the row.
    order: usize,
    entries: BTreeMap<usize, f64>,
    combination: BTreeMap<usize, f64>,
}

/// Finds the rows that depend on rows above them, of a matrix given by its entries (row, column, value).
pub fn dependences(rows: usize, entries: &[(usize, usize, f64)]) -> Vec<Dependence> {
    eliminate(rows, entries).1
}

/// Marks those of `columns` in which every vector of the null space is zero.
pub fn held(rows: usize, entries: &[(usize, usize, f64)], columns: &[usize]) -> Vec<bool> {
    // Largest remainder of a row with a single 1; entries that arise during the elimination may be larger than 1.
    const MAX_REMAINDER_OF_UNITS: f64 = 1e-8;
    let (pivots, _) = eliminate(rows, entries);
    let is_held = |&column: &usize| {
        let unit = BTreeMap::from([(column, 1.0)]);
        largest(&reduce(rows, unit, &pivots).entries) <= MAX_REMAINDER_OF_UNITS
    };
    columns.iter().map(is_held).collect()
}

/// Eliminates, and returns the independent rows by the columns of their pivots, and the dependent rows.
fn eliminate(rows: usize, entries: &[(usize, usize, f64)]) -> (BTreeMap<usize, Reduced>, Vec<Dependence>) {
    // Smallest ratio of a pivot to the largest entry in its row.
    const MIN_PIVOT_RATIO: f64 = 0.05;
    // Largest remainder of a dependent row after elimination, relative to its largest entry.
    const MAX_REMAINDER: f64 = 1e-10;
    let mut matrix: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); rows];
    // The last row with an entry in a column: a pivot whose column ends early changes few rows below.
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
        if rest <= MAX_REMAINDER * scale {
            let others = reduced.combination.iter().filter(|(other, _)| **other != row);
            found.push(Dependence {
                row,
                others: others.filter(|(_, factor)| factor.abs() > MAX_REMAINDER).map(|(other, _)| *other).collect(),
            });
            continue;
        }
        let candidates = reduced.entries.iter().filter(|(_, value)| value.abs() >= MIN_PIVOT_RATIO * rest);
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

/// Eliminates the columns of all pivots from a row, in the order of the pivot rows: a pivot row has no entry in the
/// columns of pivots above it.
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
