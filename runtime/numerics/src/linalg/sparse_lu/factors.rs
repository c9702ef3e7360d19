//! Pivots with the bounds within which they are accurate enough, and the factors of a matrix with these pivots:
//! solutions, their refinement and their backward error.

use std::sync::Arc;

use crate::scalar::LANES;

use super::Singular;
use super::layout::Layout;
use super::numeric::{self, Bounds, Numbers};
use super::part_bounds::PartBounds;
use super::part_numbers::Aligned;
use super::pieces::Pieces;

/// Pivots with the bounds within which they are accurate enough, and the factors of the last matrix.
#[derive(Debug, Clone, Default)]
pub(super) struct Factors {
    pub layout: Arc<Layout>,
    pub bounds: Bounds,
    pub numbers: Numbers,
    /// Row and column factors that equilibrate the matrix for which the pivots were chosen.
    pub row_scale: Vec<f64>,
    pub column_scale: Vec<f64>,
    /// True if the pivots are those of the given order.
    pub are_given: bool,
    /// The last matrix, where solutions are refined; else empty.
    pub refined: Vec<f64>,
}

impl Factors {
    /// Creates room for factors, with the bounds of pivots that are chosen for a matrix with these scales. Scales are
    /// powers of two: factors of the matrix itself round as those of the equilibrated one.
    pub fn new(layout: Arc<Layout>, (row_scale, column_scale): (Vec<f64>, Vec<f64>), limit: f64) -> Self {
        /// Size up to which entries of L may grow before new pivots are chosen (with freshly chosen pivots they stay
        /// below 10): the limit bounds the loss of accuracy to about two digits.
        const MAX_GROWTH: f64 = 100.0;
        let mut bounds = Bounds { weights: vec![[0.0; LANES]; layout.vector], ..Bounds::default() };
        if let Some(parts) = &layout.parts {
            bounds.parts = PartBounds::new(parts, (&row_scale, &column_scale), limit, MAX_GROWTH);
        }
        for step in &layout.steps {
            let (row, column) = (row_scale[step.row as usize], column_scale[step.column as usize]);
            bounds.smallest.push(limit / row / column);
            bounds.growth.push(MAX_GROWTH * row);
            bounds.weights.as_flattened_mut()[step.place as usize] = row;
        }
        let numbers = Numbers::new(&layout);
        Self { layout, bounds, numbers, row_scale, column_scale, are_given: false, refined: Vec::new() }
    }

    /// Factorises the matrix in pieces of an array; returns false if the factors exceed their bounds.
    pub fn factor(&mut self, pieces: &Pieces, array: &[f64]) -> bool {
        self.numbers.factor(&self.layout, &self.bounds, (pieces, array))
    }

    /// Factorises whatever the growth of L, and takes its limits from the factors; returns true if entries are larger
    /// than those with chosen pivots, and `None` if a pivot is zero.
    pub fn factor_widely(&mut self, pieces: &Pieces, array: &[f64]) -> Option<bool> {
        /// Factor by which entries of L may grow that exceed their limit and were found to solve well.
        const GROWTH_OF_LARGE_FACTORS: f64 = 2.0;
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
    pub fn solve(&self, pattern: &[(u32, u32)], x: &mut [f64]) {
        let solve = |x: &mut [f64]| self.numbers.solve(&self.layout, x);
        refine(pattern.iter().copied().zip(&self.refined), x, solve);
    }

    /// Solves A^T x = b; `x` holds b before and x after.
    pub fn solve_transposed(&self, pattern: &[(u32, u32)], x: &mut [f64]) {
        let transposed = pattern.iter().map(|&(row, column)| (column, row));
        let solve = |x: &mut [f64]| self.numbers.solve_transposed(&self.layout, x);
        refine(transposed.zip(&self.refined), x, solve);
    }

    /// Lists the pivots of the equilibrated matrix.
    pub fn pivots(&self) -> impl Iterator<Item = f64> + '_ {
        let of_parts = self.layout.parts.iter().flat_map(|parts| self.numbers.parts.pivots(parts));
        let steps = self.layout.steps.iter().zip(&self.numbers.inverses);
        let all = of_parts.chain(steps.map(|(step, inverse)| ((step.row, step.column), *inverse)));
        all.map(|((row, column), inverse)| self.row_scale[row as usize] * self.column_scale[column as usize] / inverse)
    }

    /// Returns the step that fails although the pivots are new: entries that are not finite.
    pub fn failing_step(&self, limit: f64) -> Singular {
        let step = self.layout.steps.iter().zip(self.pivots()).find(|(_, pivot)| !pivot.is_finite());
        let row = step.map_or(0, |(step, _)| step.row as usize);
        Singular { row, column: row, pivot: f64::NAN, limit }
    }

    /// Returns the backward error of one solution: the largest residual of an equation, relative to the largest sum of
    /// the terms of one, in the equilibrated matrix.
    pub fn backward_error(&self, pattern: &[(u32, u32)], values: &[f64]) -> f64 {
        let right: Vec<f64> = self.row_scale.iter().map(|scale| 1.0 / scale).collect();
        let mut x = right.clone();
        self.solve(pattern, &mut x);
        let mut rows: Vec<(f64, f64)> = right.iter().map(|right| (*right, right.abs())).collect();
        for (&(row, column), value) in pattern.iter().zip(values) {
            let (term, (sum, terms)) = (value * x[column as usize], &mut rows[row as usize]);
            *sum -= term;
            *terms += term.abs();
        }
        let scaled = rows.iter().zip(&self.row_scale).map(|((sum, terms), scale)| (sum.abs() * scale, terms * scale));
        let (worst, size) = scaled.fold((0.0, 0.0), |(worst, size): (f64, f64), (sum, terms)| {
            // sums that are not finite must not get lost
            (if sum.is_finite() { worst.max(sum) } else { f64::INFINITY }, size.max(terms))
        });
        if worst == 0.0 { 0.0 } else { worst / size }
    }
}

/// Solves with factors, and once more for what is left of the right-hand side; the matrix is empty where this is not
/// needed.
fn refine<'a>(matrix: impl Iterator<Item = ((u32, u32), &'a f64)>, x: &mut [f64], solve: impl Fn(&mut [f64])) {
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
