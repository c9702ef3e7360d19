//! Choice of pivots for sparse elimination.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The best entry that is left when none is large enough.
#[derive(Debug)]
pub(super) struct NoPivot {
    pub row: usize,
    pub column: usize,
    pub pivot: f64,
}

/// The best pivot of a row; the least one of all rows is taken: that with the least fill, among equals the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// (r - 1)(c - 1) for the numbers r, c of entries in row and column.
    cost: usize,
    /// Bits of the size, which are ordered as positive numbers are.
    size: Reverse<u64>,
    column: usize,
}

/// The elimination in progress: the rows that are left, each with its entries by column.
struct Elimination {
    rows: Vec<Option<Vec<(usize, f64)>>>,
    /// The rows that are left with an entry in a column; `None` after its elimination.
    columns: Vec<Option<Vec<usize>>>,
    /// The largest entry of every column.
    largest: Vec<f64>,
    /// The best pivot of every row, where it has not changed.
    candidates: Vec<Option<Candidate>>,
    /// The candidates and their rows, the best one first, among others that have changed since.
    queue: BinaryHeap<Reverse<(Candidate, usize)>>,
    limit: f64,
}

/// Eliminates the equilibrated matrix with these entries, (row, column, value), choosing in every step the pivot with
/// the least fill among those that are large enough and above `limit`. The pivots are (row, column) in order.
pub(super) fn choose(
    size: usize,
    entries: impl Iterator<Item = (usize, usize, f64)>,
    limit: f64,
) -> Result<Vec<(u32, u32)>, NoPivot> {
    let mut left = Elimination::new(size, entries, limit);
    let mut pivots = Vec::with_capacity(size);
    for _ in 0..size {
        let (row, column) = left.best().ok_or_else(|| left.largest())?;
        left.eliminate(row, column);
        pivots.push((row as u32, column as u32));
    }
    Ok(pivots)
}

impl Elimination {
    fn new(size: usize, entries: impl Iterator<Item = (usize, usize, f64)>, limit: f64) -> Self {
        // room for some fill
        let room = 2 * entries.size_hint().0 / size.max(1);
        let mut rows: Vec<Vec<(usize, f64)>> = (0..size).map(|_| Vec::with_capacity(room)).collect();
        let mut columns: Vec<Vec<usize>> = (0..size).map(|_| Vec::with_capacity(room)).collect();
        for (row, column, value) in entries {
            rows[row].push((column, value));
            columns[column].push(row);
        }
        rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|(column, _)| *column));
        let mut left = Self {
            rows: rows.into_iter().map(Some).collect(),
            columns: columns.into_iter().map(Some).collect(),
            largest: vec![0.0; size],
            candidates: vec![None; size],
            queue: BinaryHeap::new(),
            limit,
        };
        (0..size).for_each(|column| left.largest[column] = left.largest_of(column));
        (0..size).for_each(|row| left.update(row));
        left
    }

    /// The rows that are left, with their entries.
    fn rows(&self) -> impl Iterator<Item = (usize, &[(usize, f64)])> {
        self.rows.iter().enumerate().filter_map(|(row, entries)| Some((row, entries.as_deref()?)))
    }

    /// Rows that are left with an entry in the column.
    fn rows_of(&self, column: usize) -> &[usize] {
        self.columns[column].as_deref().unwrap_or_default()
    }

    fn largest_of(&self, column: usize) -> f64 {
        let entries = self.rows_of(column).iter().filter_map(|&row| self.rows[row].as_deref());
        entries.map(|row| entry(row, column).abs()).fold(0.0, f64::max)
    }

    /// The best pivot of a row.
    fn candidate(&self, row: usize) -> Option<Candidate> {
        /// Markowitz' rule looks only at entries that are at least this fraction of the largest in their column: the
        /// usual compromise between fill-in and growth of the factors, which is bounded by 1/0.1 per step.
        const MIN_RELATIVE_SIZE: f64 = 0.1;
        let entries = self.rows[row].as_deref()?;
        let mut best: Option<Candidate> = None;
        for &(column, value) in entries {
            let size = value.abs();
            if !(size >= MIN_RELATIVE_SIZE * self.largest[column] && size > self.limit) {
                continue;
            }
            let cost = (entries.len() - 1) * (self.rows_of(column).len() - 1);
            let candidate = Candidate { cost, size: Reverse(size.to_bits()), column };
            if best.is_none_or(|best| candidate < best) {
                best = Some(candidate);
            }
        }
        best
    }

    /// Finds the best pivot of a row that has changed.
    fn update(&mut self, row: usize) {
        let candidate = self.candidate(row);
        if candidate != self.candidates[row] {
            self.candidates[row] = candidate;
            self.queue.extend(candidate.map(|new| Reverse((new, row))));
        }
    }

    /// Row and column of the best pivot.
    fn best(&mut self) -> Option<(usize, usize)> {
        loop {
            let &Reverse((candidate, row)) = self.queue.peek()?;
            if self.candidates[row] == Some(candidate) {
                return Some((row, candidate.column));
            }
            self.queue.pop();
        }
    }

    /// The largest entry that is left; where nothing is, the first row and the first column that are.
    fn largest(&self) -> NoPivot {
        let column = self.columns.iter().position(Option::is_some).unwrap_or(0);
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

    fn eliminate(&mut self, row: usize, column: usize) {
        let entries = self.rows[row].take().unwrap_or_default();
        let mut lower = self.columns[column].take().unwrap_or_default();
        lower.retain(|&other| other != row);
        self.update(row);
        let pivot = entry(&entries, column);
        let upper: Vec<(usize, f64)> = entries.into_iter().filter(|(other, _)| *other != column).collect();
        for &(other, _) in &upper {
            if let Some(rows) = &mut self.columns[other] {
                rows.retain(|&other| other != row);
            }
        }
        for &below in &lower {
            self.subtract(below, column, pivot, &upper);
        }
        // what the best pivots of other rows depend on
        let mut changed = lower;
        for &(other, _) in &upper {
            self.largest[other] = self.largest_of(other);
            changed.extend(self.rows_of(other));
        }
        changed.sort_unstable();
        changed.dedup();
        for row in changed {
            self.update(row);
        }
    }

    /// Subtracts the multiple of the pivot row with the rest `upper` that removes the entry of `row` in `column`.
    fn subtract(&mut self, row: usize, column: usize, pivot: f64, upper: &[(usize, f64)]) {
        let Some(entries) = &mut self.rows[row] else { return };
        let Ok(at) = entries.binary_search_by_key(&column, |(column, _)| *column) else { return };
        let factor = entries.remove(at).1 / pivot;
        for &(column, value) in upper {
            match entries.binary_search_by_key(&column, |(column, _)| *column) {
                Ok(at) => entries[at].1 -= factor * value,
                Err(at) => {
                    entries.insert(at, (column, -factor * value));
                    if let Some(rows) = &mut self.columns[column] {
                        rows.push(row);
                    }
                }
            }
        }
    }
}

/// The value in this column of a row.
fn entry(entries: &[(usize, f64)], column: usize) -> f64 {
    entries.binary_search_by_key(&column, |(column, _)| *column).map_or(0.0, |at| entries[at].1)
}
