//! LU factorisation of a sparse matrix with a fixed pattern, for many matrices that differ little.
//!
//! [`SparseLu::analyse`] chooses pivots for one matrix and lays out index tables; [`SparseLu::refactor`] then
//! factorises others by running over the tables, and checks the pivots. Factors are stored by elimination
//! step k: the inverse pivot, the rest of U's row k, the rest of L's column k, each step after the one
//! before, so that the update of later steps reads from the front part of one array and writes to the rest.

use crate::equilibrate;
use crate::pivots::{self, Pivot};

/// Size up to which entries of L may grow before new pivots are chosen (with freshly chosen pivots they stay
/// below 10): the limit bounds the loss of accuracy to about two digits.
const GROWTH_LIMIT: f64 = 100.0;

/// Fraction of its size at the choice of pivots below which a pivot causes new pivots to be chosen.
const SHRINK_LIMIT: f64 = 1e-3;

/// Number of roundings, relative to the size of the matrix, below which a pivot of the equilibrated matrix is
/// zero.
const SINGULAR_ROUNDINGS: f64 = 16.0;

/// A matrix without acceptable pivot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Singular {
    /// Row of the largest entry left.
    pub row: usize,
    /// Column of that entry.
    pub column: usize,
    /// Size of the entry in the equilibrated matrix.
    pub pivot: f64,
    /// The smallest size allowed.
    pub limit: f64,
}

/// The storage of the factors of one elimination step.
#[derive(Debug, Clone)]
struct Step {
    /// Start of the step in `factors`: the inverse pivot, then U's row, then L's column.
    start: usize,
    /// Start of L's column.
    lower: usize,
    /// End of the step.
    end: usize,
    /// Start of the step's part of `targets`, one for every pair of an entry of L and an entry of U.
    targets: usize,
    /// Row of the pivot, where the step's unknown is kept while solving.
    row: usize,
}

/// Sparse LU factors.
#[derive(Debug, Clone)]
pub struct SparseLu {
    size: usize,
    pattern: Vec<(u32, u32)>,
    /// Row and column factors of the equilibrated matrix.
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    /// Position in `factors` and scale of every entry of the pattern.
    scatter: Vec<(u32, f64)>,
    steps: Vec<Step>,
    factors: Vec<f64>,
    /// For every factor but the pivots, the row at which its unknown, or its equation, is stored.
    rows: Vec<u32>,
    /// Positions in `factors` that the elimination updates, relative to the end of the step they belong to.
    targets: Vec<u32>,
    /// Smallest pivot allowed in `refactor`.
    smallest: Vec<f64>,
    /// Exchanges that bring the unknowns from the pivots' rows to their columns.
    exchanges: Vec<(u32, u32)>,
    analyses: usize,
}

impl SparseLu {
    /// Creates factors of matrices with entries at (row, column), each position at most once; nothing is
    /// factorised yet.
    pub fn new(pattern: &[(u32, u32)], size: usize) -> Self {
        Self {
            size,
            pattern: pattern.to_vec(),
            row_scale: vec![1.0; size],
            column_scale: vec![1.0; size],
            scatter: Vec::new(),
            steps: Vec::new(),
            factors: Vec::new(),
            rows: Vec::new(),
            targets: Vec::new(),
            smallest: Vec::new(),
            exchanges: Vec::new(),
            analyses: 0,
        }
    }

    /// Returns how often pivots were chosen.
    pub fn analyses(&self) -> usize {
        self.analyses
    }

    /// Returns the smallest pivot of the equilibrated matrix, after it has been factorised.
    pub fn smallest_pivot(&self) -> f64 {
        let largest_inverse =
            self.steps.iter().map(|step| self.factors[step.start].abs()).fold(0.0, f64::max);
        1.0 / largest_inverse
    }

    /// Factorises, with new pivots where the old ones fail.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), Singular> {
        if self.analyses > 0 && self.refactor(values) { Ok(()) } else { self.analyse(values) }
    }

    /// Factorises with pivots chosen for this matrix.
    pub fn analyse(&mut self, values: &[f64]) -> Result<(), Singular> {
        self.analyses += 1;
        let n = self.size;
        let (row_scale, column_scale) = equilibrate((n, n), &self.pattern, values);
        let scaled = self.pattern.iter().zip(values).map(|(&(row, column), value)| {
            let (row, column) = (row as usize, column as usize);
            (row, column, value * row_scale[row] * column_scale[column])
        });
        let limit = SINGULAR_ROUNDINGS * f64::EPSILON * n as f64;
        let chosen = pivots::choose(n, scaled, limit).map_err(|none| Singular {
            row: none.row,
            column: none.column,
            pivot: none.pivot,
            limit,
        })?;
        // only now, so that the old pivots can still be used if there are no new ones
        (self.row_scale, self.column_scale) = (row_scale, column_scale);
        self.lay_out(&chosen);
        self.smallest.fill(limit);
        if !self.refactor(values) {
            return Err(self.failing_step(limit));
        }
        for (smallest, step) in self.smallest.iter_mut().zip(&self.steps) {
            *smallest = (SHRINK_LIMIT / self.factors[step.start].abs()).max(limit);
        }
        Ok(())
    }

    /// Lays out the factors and the index tables for the chosen pivots.
    fn lay_out(&mut self, chosen: &[Pivot]) {
        let n = self.size;
        // the steps at which rows and columns are eliminated
        let (mut row_order, mut column_order) = (vec![0; n], vec![0; n]);
        for (k, pivot) in chosen.iter().enumerate() {
            row_order[pivot.row] = k;
            column_order[pivot.column] = k;
        }
        let mut positions = Positions::new(n);
        self.steps.clear();
        self.rows.clear();
        self.targets.clear();
        for &Pivot { row, column, ref upper, ref lower } in chosen {
            let start = self.rows.len();
            positions.push(row, column, start);
            self.rows.push(row as u32);
            for &other in &sorted(upper, &column_order) {
                positions.push(row, other, self.rows.len());
                self.rows.push(chosen[column_order[other]].row as u32);
            }
            let end_of_upper = self.rows.len();
            for &other in &sorted(lower, &row_order) {
                positions.push(other, column, self.rows.len());
                self.rows.push(other as u32);
            }
            self.steps.push(Step { start, lower: end_of_upper, end: self.rows.len(), targets: 0, row });
        }
        for step in &mut self.steps {
            step.targets = self.targets.len();
            for &row in &self.rows[step.lower..step.end] {
                for &pivot_row in &self.rows[step.start + 1..step.lower] {
                    let column = chosen[row_order[pivot_row as usize]].column;
                    self.targets.push(positions.get(row as usize, column) - step.end as u32);
                }
            }
        }
        self.factors = vec![0.0; self.rows.len()];
        self.smallest = vec![0.0; n];
        self.scatter = self
            .pattern
            .iter()
            .map(|&(row, column)| {
                let (row, column) = (row as usize, column as usize);
                (positions.get(row, column), self.row_scale[row] * self.column_scale[column])
            })
            .collect();
        let (from, to): (Vec<usize>, Vec<usize>) =
            chosen.iter().map(|pivot| (pivot.row, pivot.column)).unzip();
        self.exchanges = exchanges(&from, &to);
    }

    /// Returns (row, column) of every entry.
    pub fn pattern(&self) -> &[(u32, u32)] {
        &self.pattern
    }

    /// Factorises with the pivots chosen before; `false` if they fail for this matrix.
    pub fn refactor(&mut self, values: &[f64]) -> bool {
        self.factors.fill(0.0);
        for (&(position, scale), value) in self.scatter.iter().zip(values) {
            self.factors[position as usize] = value * scale;
        }
        for (step, smallest) in self.steps.iter().zip(&self.smallest) {
            let (front, rest) = self.factors.split_at_mut(step.end);
            let (front, lower) = front.split_at_mut(step.lower);
            let pivot = front[step.start];
            if pivot.abs() < *smallest || !pivot.is_finite() {
                return false;
            }
            let inverse = 1.0 / pivot;
            front[step.start] = inverse;
            let upper = &front[step.start + 1..];
            let mut targets = self.targets[step.targets..].iter();
            let mut bounded = true;
            for entry in lower {
                *entry *= inverse;
                bounded &= entry.abs() <= GROWTH_LIMIT;
                for (value, &target) in upper.iter().zip(&mut targets) {
                    rest[target as usize] -= *entry * value;
                }
            }
            if !bounded {
                return false;
            }
        }
        true
    }

    /// Returns the step at which `refactor` stopped although the pivots are new: entries that are not finite.
    fn failing_step(&self, limit: f64) -> Singular {
        let step = self.steps.iter().find(|step| !self.factors[step.start].is_finite());
        let row = step.map_or(0, |step| step.row);
        Singular { row, column: row, pivot: f64::NAN, limit }
    }

    /// Solves A x = b; `x` holds b before and x after.
    pub fn solve(&self, x: &mut [f64]) {
        multiply(x, &self.row_scale);
        for step in &self.steps {
            let value = x[step.row];
            for (factor, &row) in
                self.factors[step.lower..step.end].iter().zip(&self.rows[step.lower..step.end])
            {
                x[row as usize] -= factor * value;
            }
        }
        for step in self.steps.iter().rev() {
            let upper = step.start + 1..step.lower;
            let sum: f64 = self.factors[upper.clone()]
                .iter()
                .zip(&self.rows[upper])
                .map(|(factor, &row)| factor * x[row as usize])
                .sum();
            x[step.row] = (x[step.row] - sum) * self.factors[step.start];
        }
        for &(a, b) in &self.exchanges {
            x.swap(a as usize, b as usize);
        }
        multiply(x, &self.column_scale);
    }

    /// Solves A^T x = b; `x` holds b before and x after.
    pub fn solve_transposed(&self, x: &mut [f64]) {
        multiply(x, &self.column_scale);
        for &(a, b) in self.exchanges.iter().rev() {
            x.swap(a as usize, b as usize);
        }
        for step in &self.steps {
            let value = x[step.row] * self.factors[step.start];
            x[step.row] = value;
            let upper = step.start + 1..step.lower;
            for (factor, &row) in self.factors[upper.clone()].iter().zip(&self.rows[upper]) {
                x[row as usize] -= factor * value;
            }
        }
        for step in self.steps.iter().rev() {
            let sum: f64 = self.factors[step.lower..step.end]
                .iter()
                .zip(&self.rows[step.lower..step.end])
                .map(|(factor, &row)| factor * x[row as usize])
                .sum();
            x[step.row] -= sum;
        }
        multiply(x, &self.row_scale);
    }
}

/// Returns rows or columns in the order of elimination.
fn sorted(indices: &[usize], order: &[usize]) -> Vec<usize> {
    let mut sorted = indices.to_vec();
    sorted.sort_unstable_by_key(|&index| order[index]);
    sorted
}

/// Positions of entries by row.
struct Positions(Vec<Vec<(u32, u32)>>);

impl Positions {
    fn new(rows: usize) -> Self {
        Self(vec![Vec::new(); rows])
    }

    fn push(&mut self, row: usize, column: usize, position: usize) {
        self.0[row].push((column as u32, position as u32));
    }

    fn get(&self, row: usize, column: usize) -> u32 {
        let entry = self.0[row].iter().find(|(other, _)| *other as usize == column);
        entry.map_or(0, |(_, position)| *position)
    }
}

fn multiply(x: &mut [f64], factors: &[f64]) {
    for (x, factor) in x.iter_mut().zip(factors) {
        *x *= factor;
    }
}

/// Returns exchanges that, in order, move the entry at `from[k]` to `to[k]` for all k, both permutations.
fn exchanges(from: &[usize], to: &[usize]) -> Vec<(u32, u32)> {
    let mut wanted = vec![0; from.len()];
    for (&from, &to) in from.iter().zip(to) {
        wanted[to] = from;
    }
    // the present place of the entry that started at a position, and the entry that is at a position
    let mut place: Vec<usize> = (0..from.len()).collect();
    let mut entry = place.clone();
    let mut all = Vec::new();
    for to in 0..from.len() {
        let now = place[wanted[to]];
        if now != to {
            all.push((now as u32, to as u32));
            entry.swap(now, to);
            place[entry[now]] = now;
            place[entry[to]] = to;
        }
    }
    all
}

#[cfg(test)]
mod tests;
