//! LU factorisation of a sparse matrix with a fixed pattern, for many matrices that differ little.
//!
//! Pivots are those of an order that was given with the pattern, or else [`SparseLu::analyse`] searches them for one
//! matrix. `layout` makes tables of them; for every other matrix, `numeric` runs over the tables and checks the pivots
//! (`factors`). Where they fail, the given order is tried with the scales of the new matrix: it is accurate enough if a
//! solution is as good as with chosen pivots, after a step of iterative refinement if need be. Else pivots are
//! searched. `pieces` says where the values lie in an array.

mod factors;
mod fill;
mod four;
mod groups;
mod known;
mod layout;
mod numeric;
mod part_bounds;
mod part_numbers;
mod parts;
mod pieces;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use crate::scalar::Lanes;

use crate::linalg::equilibrate;
use crate::linalg::pivots;
use factors::Factors;
pub use four::FourFactors;
use layout::Layout;
use numeric::Bounds;
use pieces::Pieces;

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

/// Sparse LU factors.
#[derive(Debug, Clone)]
pub struct SparseLu {
    size: usize,
    pattern: Vec<(u32, u32)>,
    /// The places of the values in arrays that are factorised.
    pieces: Pieces,
    /// The given order of pivots, (row, column); empty without.
    order: Vec<(u32, u32)>,
    /// The tables of the given order, once they were made.
    of_order: Option<Arc<Layout>>,
    factors: Factors,
    analyses: usize,
    changes: usize,
    patience: Patience,
}

/// Matrices with pivots that were searched, or with refined solutions, until the given order is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Number of matrices that are left.
    left: u32,
    /// Number of matrices after the next failure.
    next: u32,
}

impl Patience {
    /// Creates a patience from its [`counts`](Self::counts).
    pub fn of_counts([left, next]: [u32; 2]) -> Self {
        Self { left, next }
    }

    /// Returns the numbers that are left and next.
    pub fn counts(self) -> [u32; 2] {
        [self.left, self.next]
    }

    const LONGEST: u32 = 8;

    /// Begins to wait, longer from time to time.
    fn begin(&mut self) {
        *self = Self { left: self.next, next: (2 * self.next).min(Self::LONGEST) };
    }

    /// Ends, and is short the next time.
    fn end(&mut self) {
        *self = Self { left: 0, next: 1 };
    }
}

impl SparseLu {
    /// Creates factors of matrices with entries at (row, column), each position at most once; nothing is
    /// factorised yet.
    pub fn new(pattern: &[(u32, u32)], size: usize) -> Self {
        Self::with_order(pattern, size, &[])
    }

    /// Creates factors with an order of pivots, (row, column), that is used wherever it is accurate enough. An order
    /// that does not name every row and every column once is ignored.
    pub fn with_order(pattern: &[(u32, u32)], size: usize, order: &[(u32, u32)]) -> Self {
        let order = if is_complete(order, size) { order.to_vec() } else { Vec::new() };
        Self {
            size,
            pattern: pattern.to_vec(),
            pieces: Pieces::whole(pattern.len()),
            order,
            of_order: None,
            factors: Factors::default(),
            analyses: 0,
            changes: 0,
            patience: Patience { left: 0, next: 1 },
        }
    }

    /// Takes the values of the entries, in the order of the pattern, from these ranges of arrays that hold more.
    pub fn in_pieces(self, pieces: [Range<usize>; 3]) -> Self {
        Self { pieces: Pieces(pieces), ..self }
    }

    /// Forgets the given order: pivots are searched, and nothing is allocated as long as they are accurate enough.
    pub fn without_order(self) -> Self {
        Self { order: Vec::new(), ..self }
    }

    /// Returns how often pivots were searched.
    pub fn analyses(&self) -> usize {
        self.analyses
    }

    /// Returns how often the pivots or their bounds were set: equal numbers mean equal pivots in one run.
    pub fn changes(&self) -> usize {
        self.changes
    }

    /// Returns true if the last matrix was factorised in the given order.
    pub fn is_in_order(&self) -> bool {
        self.factors.are_given
    }

    /// Returns the smallest pivot of the equilibrated matrix, after it has been factorised.
    pub fn smallest_pivot(&self) -> f64 {
        self.factors.pivots().map(f64::abs).fold(f64::INFINITY, f64::min)
    }

    /// Returns the pivots, (row, column), in the order in which they were searched for a matrix; empty if they are
    /// those of the given order.
    pub fn searched(&self) -> Vec<(u32, u32)> {
        if self.is_in_order() {
            return Vec::new();
        }
        self.factors.layout.steps.iter().map(|step| (step.row, step.column)).collect()
    }

    /// Returns (row, column) of every entry.
    pub fn pattern(&self) -> &[(u32, u32)] {
        &self.pattern
    }

    /// Factorises the matrix in an array, with other pivots where those of the last matrix fail. Where it is not used
    /// as it is, the given order is tried again from time to time.
    pub fn factor(&mut self, array: &[f64]) -> Result<(), Singular> {
        let mut is_order_left = !self.order.is_empty();
        if is_order_left && self.changes > 0 && !self.is_plain() {
            if self.patience.left > 0 {
                self.patience.left -= 1;
            } else if self.factor_in_order(array) {
                return Ok(());
            } else {
                self.patience.begin();
                is_order_left = false;
            }
        }
        if (self.changes > 0 && self.refactor(array)) || (is_order_left && self.factor_in_order(array)) {
            return Ok(());
        }
        if self.is_in_order() {
            self.patience.begin();
        }
        self.analyse(array)
    }

    /// Returns true if the pivots are those of the given order, and solutions need no refinement.
    fn is_plain(&self) -> bool {
        self.factors.are_given && self.factors.refined.is_empty()
    }

    /// Returns how long the given order is not tried, which changes with every matrix.
    pub fn patience(&self) -> Patience {
        self.patience
    }

    /// Sets how long the given order is not tried.
    pub fn set_patience(&mut self, patience: Patience) {
        self.patience = patience;
    }

    /// Becomes the factors of a matrix for which the pivots served before, with the patience after it: nothing else is
    /// tried.
    pub fn restore(&mut self, array: &[f64], patience: Patience) -> Result<(), Singular> {
        if !self.refactor(array) {
            self.factor(array)?;
        }
        self.patience = patience;
        Ok(())
    }

    /// Returns the factors before the first matrix.
    pub fn without_pivots(&self) -> Self {
        let (factors, patience) = (Factors::default(), Patience { left: 0, next: 1 });
        Self { factors, patience, analyses: 0, changes: 0, ..self.clone() }
    }

    /// Chooses the pivots once more that were chosen for the matrix in an array, in the given order or by a search;
    /// `changes` counts all choices. Returns false for a matrix that has none.
    pub fn choose_again(&mut self, array: &[f64], is_in_order: bool, changes: usize) -> bool {
        let is_chosen = match is_in_order {
            true => !self.order.is_empty() && self.factor_in_order(array),
            false => self.analyse(array).is_ok(),
        };
        self.changes = changes;
        is_chosen
    }

    /// Factorises with pivots chosen for this matrix.
    pub fn analyse(&mut self, array: &[f64]) -> Result<(), Singular> {
        self.analyses += 1;
        let (n, values) = (self.size, self.pieces.values(array));
        let (row_scale, column_scale) = equilibrate((n, n), &self.pattern, &values);
        let scaled = self.pattern.iter().zip(&values).map(|(&(row, column), value)| {
            let (row, column) = (row as usize, column as usize);
            (row, column, value * row_scale[row] * column_scale[column])
        });
        let limit = self.limit();
        let chosen = pivots::choose(n, scaled, limit).map_err(|none| Singular {
            row: none.row,
            column: none.column,
            pivot: none.pivot,
            limit,
        })?;
        let layout = Arc::new(Layout::new(&self.pattern, &chosen));
        let mut factors = Factors::new(layout, (row_scale, column_scale), limit);
        let serves = factors.factor(&self.pieces, array);
        // the old pivots can still be used if there are no new ones
        if !serves {
            return Err(factors.failing_step(limit));
        }
        self.take(factors);
        Ok(())
    }

    /// Factorises in the given order, with the scales of this matrix; returns false if the order is not accurate
    /// enough.
    fn factor_in_order(&mut self, array: &[f64]) -> bool {
        /// Largest backward error with which the given order suffices, the relative change of the equilibrated matrix
        /// for which a solution is exact: growth of the factors costs two digits at most.
        const MAX_ERROR: f64 = 2e-13;
        /// Largest backward error where entries of L exceed their limit: as with pivots that are chosen for the matrix.
        const MAX_ERROR_OF_LARGE_FACTORS: f64 = 1e-14;
        /// Largest backward error that is mended by one step of iterative refinement.
        const MAX_REFINED_ERROR: f64 = 1e-6;
        let Self { pattern, pieces, order, of_order, .. } = self;
        let layout = of_order.get_or_insert_with(|| known::layout(pattern, pieces, order));
        let values = pieces.values(array);
        let scales = equilibrate((self.size, self.size), pattern, &values);
        let mut factors = Factors::new(Arc::clone(layout), scales, self.limit());
        factors.are_given = true;
        let Some(is_wide) = factors.factor_widely(&self.pieces, array) else { return false };
        let limit = if is_wide { MAX_ERROR_OF_LARGE_FACTORS } else { MAX_ERROR };
        let error = factors.backward_error(&self.pattern, &values);
        if error <= limit {
            self.patience.end();
        } else {
            factors.refined.clone_from(&values);
            let is_mended = error <= MAX_REFINED_ERROR
                && factors.backward_error(&self.pattern, &values) <= MAX_ERROR_OF_LARGE_FACTORS;
            if !is_mended {
                return false;
            }
            self.patience.begin();
        }
        self.take(factors);
        true
    }

    /// Takes pivots that are accurate enough.
    fn take(&mut self, mut factors: Factors) {
        /// Fraction of its size at the choice of pivots below which a pivot causes new pivots to be chosen.
        const MAX_SHRINKAGE: f64 = 1e-3;
        let Bounds { parts, smallest, .. } = &mut factors.bounds;
        parts.follow(&factors.numbers.parts, MAX_SHRINKAGE);
        for (smallest, inverse) in smallest.iter_mut().zip(&factors.numbers.inverses) {
            *smallest = smallest.max(MAX_SHRINKAGE / inverse.abs());
        }
        self.factors = factors;
        self.changes += 1;
    }

    /// Returns the size of a pivot of the equilibrated matrix that is zero.
    fn limit(&self) -> f64 {
        /// Number of roundings, relative to the size of the matrix, below which a pivot of the equilibrated matrix is
        /// zero.
        const SINGULAR_ROUNDINGS: f64 = 16.0;
        SINGULAR_ROUNDINGS * f64::EPSILON * self.size as f64
    }

    /// Factorises with the pivots of the last matrix; `false` if they fail for this one.
    pub fn refactor(&mut self, array: &[f64]) -> bool {
        let values = self.pieces.of(array).into_iter().flatten();
        self.factors.refined.iter_mut().zip(values).for_each(|(refined, value)| *refined = *value);
        self.factors.factor(&self.pieces, array)
    }

    /// Factorises four matrices side by side, where those of the last matrix are in the given order and need no
    /// refinement; returns false if they are not, or are not accurate enough for all four. The values of the entries
    /// are chained in `values`.
    pub fn factor_four(&self, four: &mut Option<Box<FourFactors>>, values: [&[Lanes]; 3]) -> bool {
        if !self.is_plain() {
            return false;
        }
        if self.factors.layout.parts.is_some() {
            return false;
        }
        let four = four.get_or_insert_with(|| Box::new(FourFactors::new(&self.pattern, &self.order)));
        four.take_bounds(self.changes, &self.factors.layout, &self.factors.bounds);
        four.factor(values)
    }

    /// Solves A x = b; `x` holds b before and x after.
    pub fn solve(&self, x: &mut [f64]) {
        self.factors.solve(&self.pattern, x);
    }

    /// Solves A^T x = b; `x` holds b before and x after.
    pub fn solve_transposed(&self, x: &mut [f64]) {
        self.factors.solve_transposed(&self.pattern, x);
    }
}

/// Checks that an order names every row and every column of a matrix once.
fn is_complete(order: &[(u32, u32)], size: usize) -> bool {
    let names_all = |index: fn(&(u32, u32)) -> u32| {
        let mut named = vec![false; size];
        order.iter().all(|pivot| {
            let named = named.get_mut(index(pivot) as usize);
            named.is_some_and(|named| !std::mem::replace(named, true))
        })
    };
    order.len() == size && names_all(|pivot| pivot.0) && names_all(|pivot| pivot.1)
}
