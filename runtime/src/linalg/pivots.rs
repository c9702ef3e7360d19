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

/// The elimination in progress, dense because it happens seldom.
struct Elimination {
    size: usize,
    values: Vec<f64>,
    pattern: Vec<bool>,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

/// Eliminates the equilibrated matrix `values` (dense, by rows) with the structure `pattern`, choosing in every step
/// the pivot with the least fill among those that are large enough and above `limit`.
pub(super) fn choose(
    size: usize,
    values: Vec<f64>,
    pattern: Vec<bool>,
    limit: f64,
) -> Result<Pivots, NoPivot> {
    let all: Vec<usize> = (0..size).collect();
    let mut left = Elimination { size, values, pattern, rows: all.clone(), columns: all };
    let (mut rows, mut columns) = (Vec::with_capacity(size), Vec::with_capacity(size));
    while !left.rows.is_empty() {
        let (row, column) = left.best(limit).ok_or_else(|| left.largest())?;
        left.eliminate(row, column);
        rows.push(row);
        columns.push(column);
    }
    Ok(Pivots { rows, columns, pattern: left.pattern })
}

impl Elimination {
    fn value(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    fn is_entry(&self, row: usize, column: usize) -> bool {
        self.pattern[row * self.size + column]
    }

    /// Least (r - 1)(c - 1) for the numbers r, c of entries in row and column; among equals the largest.
    fn best(&self, limit: f64) -> Option<(usize, usize)> {
        let counts: Vec<usize> = self
            .rows
            .iter()
            .map(|&row| self.columns.iter().filter(|&&column| self.is_entry(row, column)).count())
            .collect();
        let mut best: Option<(usize, f64, usize, usize)> = None;
        for &column in &self.columns {
            let entries = || self.rows.iter().zip(&counts).filter(|(row, _)| self.is_entry(**row, column));
            let largest = entries().map(|(&row, _)| self.value(row, column).abs()).fold(0.0, f64::max);
            let below = entries().count().saturating_sub(1);
            for (&row, count) in entries() {
                let size = self.value(row, column).abs();
                if !(size >= THRESHOLD * largest && size > limit) {
                    continue;
                }
                let cost = (count - 1) * below;
                if best.is_none_or(|(least, most, ..)| cost < least || (cost == least && size > most)) {
                    best = Some((cost, size, row, column));
                }
            }
        }
        best.map(|(_, _, row, column)| (row, column))
    }

    /// The largest entry that is left; a row without entries before all others.
    fn largest(&self) -> NoPivot {
        let mut found = NoPivot { row: self.rows[0], column: self.columns[0], pivot: -1.0 };
        for &row in &self.rows {
            for &column in &self.columns {
                let size = self.value(row, column).abs();
                if size > found.pivot || size.is_nan() {
                    found = NoPivot { row, column, pivot: size };
                }
            }
        }
        found
    }

    fn eliminate(&mut self, pivot_row: usize, pivot_column: usize) {
        self.rows.retain(|&row| row != pivot_row);
        self.columns.retain(|&column| column != pivot_column);
        let pivot = self.value(pivot_row, pivot_column);
        for &row in &self.rows {
            if !self.pattern[row * self.size + pivot_column] {
                continue;
            }
            let factor = self.values[row * self.size + pivot_column] / pivot;
            for &column in &self.columns {
                if self.pattern[pivot_row * self.size + column] {
                    self.values[row * self.size + column] -=
                        factor * self.values[pivot_row * self.size + column];
                    self.pattern[row * self.size + column] = true;
                }
            }
        }
    }
}
