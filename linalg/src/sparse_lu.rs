//! LU factorisation of a sparse matrix with a fixed pattern, for many matrices that differ little.
//!
//! Pivots are those of an order that was given with the pattern, or else [`SparseLu::analyse`] searches them for one
//! matrix. `layout` makes tables of them; for every other matrix, `numeric` runs over the tables and checks the
//! pivots. Where they fail, the given order is tried with the scales of the new matrix: it serves if a solution is as
//! good as with chosen pivots, after a step of iterative refinement if need be. Else pivots are searched. `pieces` says where
//! the values lie in an array.

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

use costate_scalar::{LANES, Lanes};

use crate::equilibrate;
use crate::pivots;
pub use four::FourFactors;
use layout::Layout;
use numeric::{Bounds, Numbers};
use part_bounds::PartBounds;
use part_numbers::Aligned;
use pieces::Pieces;

/// Size up to which entries of L may grow before new pivots are chosen (with freshly chosen pivots they stay
/// below 10): the limit bounds the loss of accuracy to about two digits.
const GROWTH_LIMIT: f64 = 100.0;

/// Fraction of its size at the choice of pivots below which a pivot causes new pivots to be chosen.
const SHRINK_LIMIT: f64 = 1e-3;

/// Number of roundings, relative to the size of the matrix, below which a pivot of the equilibrated matrix is
/// zero.
const SINGULAR_ROUNDINGS: f64 = 16.0;

/// Largest backward error with which the given order serves, the relative change of the equilibrated matrix for which a
/// solution is exact: growth of the factors costs two digits at most.
const LARGEST_BACKWARD_ERROR: f64 = 2e-13;

/// Largest backward error where entries of L exceed their limit: as with pivots that are chosen for the matrix.
const LARGEST_ERROR_OF_LARGE_FACTORS: f64 = 1e-14;

/// Largest backward error that is mended by one step of iterative refinement.
const LARGEST_REFINED_ERROR: f64 = 1e-6;

/// Factor by which entries of L may grow that exceed their limit and were found to solve well.
const GROWTH_OF_LARGE_FACTORS: f64 = 2.0;

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

/// Pivots with the bounds within which they serve, and the factors of the last matrix.
#[derive(Debug, Clone, Default)]
struct Factors {
    layout: Arc<Layout>,
    bounds: Bounds,
    numbers: Numbers,
    /// Row and column factors that equilibrate the matrix for which the pivots were chosen.
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    /// True if the pivots are those of the given order.
    are_given: bool,
    /// The last matrix, where solutions are refined; else empty.
    refined: Vec<f64>,
}

impl SparseLu {
    /// Creates factors of matrices with entries at (row, column), each position at most once; nothing is
    /// factorised yet.
    pub fn new(pattern: &[(u32, u32)], size: usize) -> Self {
        Self::with_order(pattern, size, &[])
    }

    /// Creates factors with an order of pivots, (row, column), that is used wherever it serves. An order that does not name
    /// every row and every column once is none.
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

    /// Forgets the given order: pivots are searched, and nothing is allocated as long as they serve.
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

    /// Returns (row, column) of every entry.
    pub fn pattern(&self) -> &[(u32, u32)] {
        &self.pattern
    }

    /// Factorises the matrix in an array, with other pivots where those of the last matrix fail. Where it is not used as it is, the given order is tried
    /// again from time to time.
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

    /// Becomes the factors of a matrix for which the pivots served before, with the patience after it: nothing else is tried.
    pub fn restore(&mut self, array: &[f64], patience: Patience) -> Result<(), Singular> {
        if !self.refactor(array) {
            self.factor(array)?;
        }
        self.patience = patience;
        Ok(())
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

    /// Factorises in the given order, with the scales of this matrix; returns false if the order does not serve.
    fn factor_in_order(&mut self, array: &[f64]) -> bool {
        let Self { pattern, pieces, order, of_order, .. } = self;
        let layout = of_order.get_or_insert_with(|| known::layout(pattern, pieces, order));
        let values = pieces.values(array);
        let scales = equilibrate((self.size, self.size), pattern, &values);
        let mut factors = Factors::new(Arc::clone(layout), scales, self.limit());
        factors.are_given = true;
        let Some(is_wide) = factors.factor_widely(&self.pieces, array) else { return false };
        let limit = if is_wide { LARGEST_ERROR_OF_LARGE_FACTORS } else { LARGEST_BACKWARD_ERROR };
        let error = factors.backward_error(&self.pattern, &values);
        if error <= limit {
            self.patience.end();
        } else {
            factors.refined.clone_from(&values);
            let is_mended = error <= LARGEST_REFINED_ERROR
                && factors.backward_error(&self.pattern, &values) <= LARGEST_ERROR_OF_LARGE_FACTORS;
            if !is_mended {
                return false;
            }
            self.patience.begin();
        }
        self.take(factors);
        true
    }

    /// Takes pivots that serve.
    fn take(&mut self, mut factors: Factors) {
        let Bounds { parts, smallest, .. } = &mut factors.bounds;
        parts.follow(&factors.numbers.parts, SHRINK_LIMIT);
        for (smallest, inverse) in smallest.iter_mut().zip(&factors.numbers.inverses) {
            *smallest = smallest.max(SHRINK_LIMIT / inverse.abs());
        }
        self.factors = factors;
        self.changes += 1;
    }

    /// Returns the size of a pivot of the equilibrated matrix that is zero.
    fn limit(&self) -> f64 {
        SINGULAR_ROUNDINGS * f64::EPSILON * self.size as f64
    }

    /// Factorises with the pivots of the last matrix; `false` if they fail for this one.
    pub fn refactor(&mut self, array: &[f64]) -> bool {
        let values = self.pieces.of(array).into_iter().flatten();
        self.factors.refined.iter_mut().zip(values).for_each(|(refined, value)| *refined = *value);
        self.factors.factor(&self.pieces, array)
    }

    /// Factorises four matrices side by side, where those of the last matrix are in the given order and need no refinement;
    /// returns false if they are not, or do not serve all four. The values of the entries are chained in `values`.
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
        let Factors { layout, numbers, refined, .. } = &self.factors;
        let transposed = self.pattern.iter().map(|&(row, column)| (column, row));
        let solve = |x: &mut [f64]| numbers.solve_transposed(layout, x);
        refine(transposed.zip(refined), x, solve);
    }
}

/// Solves with factors, and once more for what is left of the right-hand side; the matrix is empty where this is not needed.
fn refine<'a>(
    matrix: impl Iterator<Item = ((u32, u32), &'a f64)>,
    x: &mut [f64],
    solve: impl Fn(&mut [f64]),
) {
    let mut matrix = matrix.peekable();
    if matrix.peek().is_none() {
        return solve(x);
    }
    numeric::with_vector(x.len().div_ceil(LANES), |left: &mut [numeric::Four]| {
        let left = &mut left.as_flattened_mut()[..x.len()];
        left.copy_from_slice(x);
        solve(x);
        for ((row, column), value) in matrix {
            left[row as usize] -= value * x[column as usize];
        }
        solve(left);
        x.iter_mut().zip(left).for_each(|(x, left)| *x += *left);
    });
}

impl Factors {
    /// Creates room for factors, with the bounds of pivots that are chosen for a matrix with these scales. Scales are powers
    /// of two: factors of the matrix itself round as those of the equilibrated one.
    fn new(layout: Arc<Layout>, (row_scale, column_scale): (Vec<f64>, Vec<f64>), limit: f64) -> Self {
        let mut bounds = Bounds { weights: vec![[0.0; LANES]; layout.vector], ..Bounds::default() };
        if let Some(parts) = &layout.parts {
            bounds.parts = PartBounds::new(parts, (&row_scale, &column_scale), limit, GROWTH_LIMIT);
        }
        for step in &layout.steps {
            let (row, column) = (row_scale[step.row as usize], column_scale[step.column as usize]);
            bounds.smallest.push(limit / row / column);
            bounds.growth.push(GROWTH_LIMIT * row);
            bounds.weights.as_flattened_mut()[step.place as usize] = row;
        }
        let numbers = Numbers::new(&layout);
        Self { layout, bounds, numbers, row_scale, column_scale, are_given: false, refined: Vec::new() }
    }

    /// Factorises the matrix in pieces of an array; returns false if the factors exceed their bounds.
    fn factor(&mut self, pieces: &Pieces, array: &[f64]) -> bool {
        self.numbers.factor(&self.layout, &self.bounds, (pieces, array))
    }

    /// Factorises whatever the growth of L, and takes its limits from the factors; returns true if entries are larger than those
    /// with chosen pivots, and `None` if a pivot is zero.
    fn factor_widely(&mut self, pieces: &Pieces, array: &[f64]) -> Option<bool> {
        let Self { layout, bounds, numbers, .. } = self;
        let (limits, of_parts) = (bounds.growth.clone(), bounds.parts.growth.clone());
        bounds.growth.fill(f64::MAX);
        bounds.parts.growth.fill(Aligned([f64::MAX; LANES]));
        if !numbers.factor(layout, bounds, (pieces, array)) {
            return None;
        }
        let Bounds { parts, growth, weights, .. } = bounds;
        parts.growth = of_parts;
        let mut is_wide = match &layout.parts {
            Some(tables) => parts.widen(tables, &numbers.parts, GROWTH_OF_LARGE_FACTORS),
            None => false,
        };
        for ((step, growth), limit) in layout.steps.iter().zip(growth).zip(limits) {
            let largest = numbers.largest_of_column(layout, weights, step);
            is_wide |= largest > limit;
            *growth = if largest > limit { GROWTH_OF_LARGE_FACTORS * largest } else { limit };
        }
        Some(is_wide)
    }

    /// Solves A x = b; `x` holds b before and x after.
    fn solve(&self, pattern: &[(u32, u32)], x: &mut [f64]) {
        let solve = |x: &mut [f64]| self.numbers.solve(&self.layout, x);
        refine(pattern.iter().copied().zip(&self.refined), x, solve);
    }

    /// Lists the pivots of the equilibrated matrix.
    fn pivots(&self) -> impl Iterator<Item = f64> + '_ {
        let of_parts = self.layout.parts.iter().flat_map(|parts| self.numbers.parts.pivots(parts));
        let steps = self.layout.steps.iter().zip(&self.numbers.inverses);
        let all = of_parts.chain(steps.map(|(step, inverse)| ((step.row, step.column), *inverse)));
        all.map(|((row, column), inverse)| {
            self.row_scale[row as usize] * self.column_scale[column as usize] / inverse
        })
    }

    /// Returns the step that fails although the pivots are new: entries that are not finite.
    fn failing_step(&self, limit: f64) -> Singular {
        let step = self.layout.steps.iter().zip(self.pivots()).find(|(_, pivot)| !pivot.is_finite());
        let row = step.map_or(0, |(step, _)| step.row as usize);
        Singular { row, column: row, pivot: f64::NAN, limit }
    }

    /// Returns the backward error of one solution: the largest residual of an equation, relative to the largest sum of the
    /// terms of one, in the equilibrated matrix.
    fn backward_error(&self, pattern: &[(u32, u32)], values: &[f64]) -> f64 {
        let right: Vec<f64> = self.row_scale.iter().map(|scale| 1.0 / scale).collect();
        let mut x = right.clone();
        self.solve(pattern, &mut x);
        let mut rows: Vec<(f64, f64)> = right.iter().map(|right| (*right, right.abs())).collect();
        for (&(row, column), value) in pattern.iter().zip(values) {
            let (term, (sum, terms)) = (value * x[column as usize], &mut rows[row as usize]);
            *sum -= term;
            *terms += term.abs();
        }
        let scaled =
            rows.iter().zip(&self.row_scale).map(|((sum, terms), scale)| (sum.abs() * scale, terms * scale));
        let (worst, size) = scaled.fold((0.0, 0.0), |(worst, size): (f64, f64), (sum, terms)| {
            // sums that are not finite must not get lost
            (if sum.is_finite() { worst.max(sum) } else { f64::INFINITY }, size.max(terms))
        });
        if worst == 0.0 { 0.0 } else { worst / size }
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
