//! Choice of pivots for sparse elimination.

/// Markowitz' rule looks only at entries that are at least this fraction of the largest in their column: the usual
/// compromise between fill-in and growth of the factors, which is bounded by 1/0.1 per step.
const THRESHOLD: f64 = 0.1;

/// The order of elimination and where the factors have entries.
pub(super) struct Pivots {
    /// Rows in the order of elimination.
    pub rows: Vec<usize>,
    /// Columns in the order of elimination.
    pub columns: Vec<usize>,
    /// Whether (row, column) is an entry of the factors, structural ones and fill, `row * size + column`.
    pub pattern: Vec<bool>,
}

/// The best entry that is left when none is large enough.
pub(super) struct NoPivot {
    pub row: usize,
    pub column: usize,
    pub pivot: f64,
}

/// The elimination in progress: the rows that are left, each with its entries by column.
struct Elimination {
    size: usize,
    rows: Vec<Option<Vec<(usize, f64)>>>,
    /// Entries of every column in the rows that are left.
    column_counts: Vec<usize>,
    column_left: Vec<bool>,
    pattern: Vec<bool>,
}

/// Eliminates the equilibrated matrix with these entries, (row, column, value), choosing in every step the pivot with
/// the least fill among those that are large enough and above `limit`.
pub(super) fn choose(
    size: usize,
    entries: impl Iterator<Item = (usize, usize, f64)>,
    limit: f64,
) -> Result<Pivots, NoPivot> {
    let mut left = Elimination::new(size, entries);
    let (mut rows, mut columns) = (Vec::with_capacity(size), Vec::with_capacity(size));
    for _ in 0..size {
        let (row, column) = left.best(limit).ok_or_else(|| left.largest())?;
        left.eliminate(row, column);
        rows.push(row);
        columns.push(column);
    }
    Ok(Pivots { rows, columns, pattern: left.pattern })
}

impl Elimination {
    fn new(size: usize, entries: impl Iterator<Item = (usize, usize, f64)>) -> Self {
        let mut left = Self {
            size,
            rows: vec![Some(Vec::new()); size],
            column_counts: vec![0; size],
            column_left: vec![true; size],
            pattern: vec![false; size * size],
        };
        for (row, column, value) in entries {
            if let Some(row_entries) = &mut left.rows[row] {
                row_entries.push((column, value));
            }
            left.column_counts[column] += 1;
            left.pattern[row * size + column] = true;
        }
        left.rows.iter_mut().flatten().for_each(|row| row.sort_unstable_by_key(|(column, _)| *column));
        left
    }

    /// The rows that are left, with their entries.
    fn rows(&self) -> impl Iterator<Item = (usize, &[(usize, f64)])> {
        self.rows.iter().enumerate().filter_map(|(row, entries)| Some((row, entries.as_deref()?)))
    }

    /// Least (r - 1)(c - 1) for the numbers r, c of entries in row and column; among equals the largest.
    fn best(&self, limit: f64) -> Option<(usize, usize)> {
        let mut largest = vec![0f64; self.size];
        for &(column, value) in self.rows().flat_map(|(_, entries)| entries) {
            largest[column] = largest[column].max(value.abs());
        }
        let mut best: Option<(usize, f64, usize, usize)> = None;
        for (row, entries) in self.rows() {
            for &(column, value) in entries {
                let size = value.abs();
                if !(size >= THRESHOLD * largest[column] && size > limit) {
                    continue;
                }
                let cost = (entries.len() - 1) * (self.column_counts[column] - 1);
                let better = best.is_none_or(|(least, most, best_row, best_column)| {
                    (cost, -size, column, row) < (least, -most, best_column, best_row)
                });
                if better {
                    best = Some((cost, size, row, column));
                }
            }
        }
        best.map(|(_, _, row, column)| (row, column))
    }

    /// The largest entry that is left; where nothing is, the first row and the first column that are.
    fn largest(&self) -> NoPivot {
        let column = self.column_left.iter().position(|left| *left).unwrap_or(0);
        let row = self.rows().next().map_or(0, |(row, _)| row);
        let mut found = NoPivot { row, column, pivot: 0.0 };
        for (row, entries) in self.rows() {
            for &(column, value) in entries {
                let size = value.abs();
                if size > found.pivot || size.is_nan() {
                    found = NoPivot { row, column, pivot: size };
                }
            }
        }
        found
    }

    fn eliminate(&mut self, pivot_row: usize, pivot_column: usize) {
        let Some(pivot_entries) = self.rows[pivot_row].take() else { return };
        for &(column, _) in &pivot_entries {
            self.column_counts[column] -= 1;
        }
        self.column_left[pivot_column] = false;
        let pivot = entry(&pivot_entries, pivot_column);
        let rest: Vec<(usize, f64)> =
            pivot_entries.into_iter().filter(|(column, _)| *column != pivot_column).collect();
        for (row, entries) in self.rows.iter_mut().enumerate() {
            let Some(entries) = entries else { continue };
            let Ok(at) = entries.binary_search_by_key(&pivot_column, |(column, _)| *column) else { continue };
            let factor = entries.remove(at).1 / pivot;
            self.column_counts[pivot_column] -= 1;
            for &(column, value) in &rest {
                match entries.binary_search_by_key(&column, |(column, _)| *column) {
                    Ok(at) => entries[at].1 -= factor * value,
                    Err(at) => {
                        entries.insert(at, (column, -factor * value));
                        self.column_counts[column] += 1;
                        self.pattern[row * self.size + column] = true;
                    }
                }
            }
        }
    }
}

/// The value in this column of a row.
fn entry(entries: &[(usize, f64)], column: usize) -> f64 {
    entries.iter().find(|(other, _)| *other == column).map_or(0.0, |(_, value)| *value)
}
