//! Choice of the pivot order in which the library factorises the Newton matrix, where no factors are emitted or where
//! these fail.
//!
//! Numbers are all alike to the library: Markowitz' rule counts products in the factorisation and in the solutions.
//! Pivots are large enough at every sample, and their rows wait in a queue, so that a long chain takes little time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::order::MIN_PIVOT;
use super::random::Random;
use super::samples::{SAMPLES, Values};

/// Smallest ratios of a pivot to the largest entry in its column, at every sample. The first one with which there is an
/// order is taken: large pivots are suitable in more states.
const PIVOT_THRESHOLDS: [f64; 4] = [0.3, 0.1, 0.02, 0.001];

/// Smallest ratios for pivots of parts of equal structure, to the largest entry in the rows of the part.
const PIVOT_THRESHOLDS_OF_PARTS: [f64; 3] = [0.3, 0.1, 0.02];

/// Largest work of one trial: beyond it, a matrix has hardly any zeros, and its order matters little.
const MAX_TRIAL_WORK: usize = 3_000_000;

/// Chooses the order of pivots (row, column) with the fewest products, for entries (row, column) with their sampled
/// values; `None` if there is no suitable one. The `parts` have equal structure: each lists its rows and columns, and
/// shares entries with no other one. They come first where this is possible, each in the same order.
pub fn choose(size: usize, entries: &[(usize, usize, Values)], parts: &[Vec<usize>]) -> Option<Vec<(usize, usize)>> {
    // Smallest number of parts of equal structure that come first: fewer do not go side by side.
    const MIN_PARTS: usize = 3;
    let alike = if parts.len() < MIN_PARTS { &[] } else { parts };
    let mut work = 0;
    let mut find = |parts: &[Vec<usize>], thresholds: &[f64]| {
        thresholds.iter().find_map(|&threshold| {
            let is_short = work < MAX_TRIAL_WORK;
            is_short.then(|| best_of_trials((size, entries), parts, threshold, &mut work)).flatten()
        })
    };
    let by_parts = if alike.is_empty() { None } else { find(alike, &PIVOT_THRESHOLDS_OF_PARTS) };
    by_parts.or_else(|| find(&[], &PIVOT_THRESHOLDS))
}

fn best_of_trials(
    (size, entries): (usize, &[(usize, usize, Values)]),
    parts: &[Vec<usize>],
    threshold: f64,
    work: &mut usize,
) -> Option<Vec<(usize, usize)>> {
    // Work of all trials, in visited entries, after which no further trial is made.
    const MAX_WORK: usize = 500_000;
    // Largest share of random changes in a cost.
    const MAX_COST_NOISE: f64 = 0.3;
    // Number of orders that are tried, all but the first with random changes of the costs.
    const TRIALS: u64 = 4;
    let (mut best, mut least) = (None, usize::MAX);
    for trial in 0..TRIALS {
        let noise = if trial == 0 { 0.0 } else { MAX_COST_NOISE };
        let mut matrix = Matrix::new(size, entries, parts, (threshold, noise, Random::new(trial + 1)));
        if let Some(order) = matrix.eliminate(least) {
            least = matrix.cost;
            best = Some(order);
        }
        *work += matrix.work;
        if best.is_none() || *work > MAX_WORK {
            break;
        }
    }
    best
}

/// The best pivot of a row: its cost, as the bits of a positive number, and its column.
type Candidate = (u64, usize);

/// The part of the matrix that has not been eliminated.
struct Matrix<'a> {
    /// Parts of equal structure, whose pivots are chosen first.
    parts: &'a [Vec<usize>],
    /// Places of the rows and columns of the first part.
    places: Vec<Option<usize>>,
    /// Rows and columns that belong to no part.
    is_border: Vec<bool>,
    /// Number of pivots that are left in every part.
    left: usize,
    /// Entries of the rows that are left, (column, index of its values), by columns.
    rows: Vec<Vec<(usize, usize)>>,
    /// Entries of the columns that are left, (row, index of its values).
    columns: Vec<Vec<(usize, usize)>>,
    values: Vec<Values>,
    /// The largest sizes in every column.
    largest: Vec<Values>,
    candidates: Vec<Option<Candidate>>,
    /// Candidates with their rows, the best one first, among others that have changed since.
    queue: BinaryHeap<Reverse<(Candidate, usize)>>,
    threshold: f64,
    random: Random,
    noise: f64,
    cost: usize,
    work: usize,
}

impl<'a> Matrix<'a> {
    fn new(
        size: usize,
        entries: &[(usize, usize, Values)],
        parts: &'a [Vec<usize>],
        (threshold, noise, random): (f64, f64, Random),
    ) -> Self {
        let mut places = vec![None; size];
        let first = parts.first().map_or(&[][..], |part| part);
        first.iter().enumerate().for_each(|(place, &i)| places[i] = Some(place));
        let mut is_border = vec![true; size];
        parts.iter().flatten().for_each(|&i| is_border[i] = false);
        let mut matrix = Self {
            parts,
            places,
            is_border,
            left: first.len(),
            rows: vec![Vec::new(); size],
            columns: vec![Vec::new(); size],
            values: Vec::with_capacity(2 * entries.len()),
            largest: vec![[0.0; SAMPLES]; size],
            candidates: vec![None; size],
            queue: BinaryHeap::new(),
            threshold,
            random,
            noise,
            cost: 0,
            work: 0,
        };
        for (index, &(row, column, values)) in entries.iter().enumerate() {
            matrix.values.push(values);
            matrix.rows[row].push((column, index));
            matrix.columns[column].push((row, index));
        }
        matrix.rows.iter_mut().for_each(|row| row.sort_unstable());
        (0..size).for_each(|column| matrix.find_largest(column));
        (0..size).for_each(|row| matrix.find_candidate(row));
        matrix
    }

    /// Eliminates all rows; `None` if no pivot is large enough, or if the cost or the work reaches its limit.
    fn eliminate(&mut self, limit: usize) -> Option<Vec<(usize, usize)>> {
        let mut order = Vec::with_capacity(self.rows.len());
        while order.len() < self.rows.len() {
            let (row, column) = self.best()?;
            let mut changed = Vec::new();
            for (row, column) in self.images(row, column) {
                self.eliminate_pivot(row, column, &mut changed);
                order.push((row, column));
            }
            if self.left > 0 {
                self.left -= 1;
                if self.left == 0 {
                    (0..self.columns.len()).for_each(|column| self.find_largest(column));
                    changed = (0..self.rows.len()).filter(|&row| !self.rows[row].is_empty()).collect();
                }
            }
            changed.sort_unstable();
            changed.dedup();
            changed.into_iter().for_each(|row| self.find_candidate(row));
            if self.cost >= limit || self.work > MAX_TRIAL_WORK {
                return None;
            }
        }
        Some(order)
    }

    /// Lists what corresponds to a pivot in every part, or the pivot alone where it belongs to none.
    fn images(&self, row: usize, column: usize) -> Vec<(usize, usize)> {
        match (self.places[row], self.places[column]) {
            (Some(row), Some(column)) if self.left > 0 => {
                self.parts.iter().map(|part| (part[row], part[column])).collect()
            }
            _ => vec![(row, column)],
        }
    }

    /// Checks whether an entry may be a pivot now: in what is left of the parts, one that is large enough in all of
    /// them.
    fn may_be_pivot(&self, row: usize, column: usize, index: usize) -> bool {
        if self.left == 0 {
            return self.is_large(column, index);
        }
        let (Some(_), Some(_)) = (self.places[row], self.places[column]) else { return false };
        self.images(row, column).into_iter().all(|(row, column)| {
            let found = self.rows[row].binary_search_by_key(&column, |&(column, _)| column);
            found.is_ok_and(|at| self.is_large(column, self.rows[row][at].1))
        })
    }

    fn is_large(&self, column: usize, index: usize) -> bool {
        let mut sizes = self.values[index].iter().zip(&self.largest[column]);
        sizes.all(|(value, largest)| value.abs() >= self.threshold * largest && value.abs() > MIN_PIVOT)
    }

    fn find_largest(&mut self, column: usize) {
        let mut largest = [0f64; SAMPLES];
        for &(row, index) in &self.columns[column] {
            if self.left > 0 && self.is_border[row] {
                // rows of the border are eliminated last
                continue;
            }
            for (largest, value) in largest.iter_mut().zip(&self.values[index]) {
                *largest = largest.max(value.abs());
            }
        }
        self.largest[column] = largest;
    }

    fn find_candidate(&mut self, row: usize) {
        self.work += self.rows[row].len();
        let mut best: Option<Candidate> = None;
        for at in 0..self.rows[row].len() {
            let (column, index) = self.rows[row][at];
            if !self.may_be_pivot(row, column, index) {
                continue;
            }
            let cost = cost(self.rows[row].len() - 1, self.columns[column].len() - 1) as f64;
            let cost = (cost + 0.01 * self.random.unit()) * (1.0 + self.noise * self.random.unit());
            let candidate = (cost.to_bits(), column);
            if best.is_none_or(|best| candidate < best) {
                best = Some(candidate);
            }
        }
        self.candidates[row] = best;
        self.queue.extend(best.map(|best| Reverse((best, row))));
    }

    /// Returns row and column of the best pivot.
    fn best(&mut self) -> Option<(usize, usize)> {
        loop {
            let Reverse((candidate, row)) = self.queue.pop()?;
            if self.candidates[row] == Some(candidate) {
                return Some((row, candidate.1));
            }
        }
    }

    /// Eliminates a pivot, and lists the rows that change.
    fn eliminate_pivot(&mut self, row: usize, column: usize, changed: &mut Vec<usize>) {
        self.candidates[row] = None;
        let mut upper = std::mem::take(&mut self.rows[row]);
        let mut lower = std::mem::take(&mut self.columns[column]);
        upper.retain(|&(other, _)| other != column);
        let Some(at) = lower.iter().position(|&(other, _)| other == row) else { return };
        let pivot = self.values[lower.swap_remove(at).1];
        self.cost += cost(upper.len(), lower.len());
        self.work += upper.len() * lower.len();
        for &(other, _) in &upper {
            self.columns[other].retain(|&(other, _)| other != row);
        }
        for &(below, index) in &lower {
            let factors: Values = std::array::from_fn(|i| self.values[index][i] / pivot[i]);
            self.rows[below].retain(|&(other, _)| other != column);
            for &(column, index) in &upper {
                self.subtract(below, column, &factors, index);
            }
        }
        changed.extend(lower.into_iter().map(|(row, _)| row));
        for &(other, _) in &upper {
            self.find_largest(other);
            changed.extend(self.columns[other].iter().map(|&(row, _)| row));
        }
    }

    /// Subtracts the multiples of the values with this index from an entry.
    fn subtract(&mut self, row: usize, column: usize, factors: &Values, index: usize) {
        let products: Values = std::array::from_fn(|i| factors[i] * self.values[index][i]);
        match self.rows[row].binary_search_by_key(&column, |&(column, _)| column) {
            Ok(at) => {
                let values = &mut self.values[self.rows[row][at].1];
                values.iter_mut().zip(products).for_each(|(value, product)| *value -= product);
            }
            Err(at) => {
                self.rows[row].insert(at, (column, self.values.len()));
                self.columns[column].push((row, self.values.len()));
                self.values.push(products.map(|product| -product));
            }
        }
    }
}

/// Returns the number of products in a factorisation and a solution for a pivot with so many entries beside it in its
/// row and its column.
fn cost(right: usize, below: usize) -> usize {
    right * below + right + below
}
