//! Limits up to which emitted factors are trusted.

use crate::rounding::ROUNDINGS;
use costate_numerics::scalar::{Fours, LANES, Lanes, Scalar};
use costate_system::model::{Elimination, Factor};
use costate_system::state_bytes::StateBytes;

/// The largest absolute value of every factor.
#[derive(Debug, Clone)]
pub struct Limits {
    pub(super) largest: Vec<f64>,
    pub(super) are_known: bool,
    /// True if entries of L are larger than chosen pivots would allow.
    pub(super) are_wide: bool,
    fours: Fours,
}

impl Limits {
    /// Creates limits for the factors of `elimination`. The factors beyond the last pivot and entry of L need
    /// no limit: a NaN among them shows in the solution.
    pub fn new(elimination: &Elimination) -> Self {
        let watched = elimination.reciprocals.iter().chain(elimination.lower);
        let length = watched.map(|factor| factor.index as usize + 1).max().unwrap_or(0);
        Self { largest: vec![0.0; length], are_known: false, are_wide: false, fours: Fours::default() }
    }

    /// Writes or reads the limits.
    pub fn pass(&mut self, bytes: &mut StateBytes<'_>) -> Option<()> {
        bytes.reals(&mut self.largest)?;
        bytes.flag(&mut self.are_known)?;
        bytes.flag(&mut self.are_wide)
    }

    /// Forgets the limits: nothing holds until they are set again.
    pub fn forget(&mut self) {
        self.are_known = false;
    }

    /// Sets the limits that follow from the factors of a matrix with the given scales of rows and columns,
    /// for factors that were found to solve well.
    pub fn set(&mut self, elimination: &Elimination, factors: &[f64], rows: &[f64], columns: &[f64]) {
        /// Factor by which pivots may shrink.
        const ALLOWED_SHRINKAGE: f64 = 1e3;
        /// Factor by which entries of L may grow that exceed this size and were found to solve well.
        const ALLOWED_GROWTH: f64 = 2.0;
        /// Entries of L in the equilibrated matrix may grow to this size, as those with chosen pivots may.
        const MAX_ROW_FACTOR: f64 = 100.0;
        (self.are_known, self.are_wide) = (true, false);
        self.largest.fill(f64::MAX);
        let smallest = ROUNDINGS * f64::EPSILON * rows.len() as f64;
        for &Factor { row, column, index } in elimination.reciprocals {
            let (row, column, index) = (row as usize, column as usize, index as usize);
            let limit = (ALLOWED_SHRINKAGE * factors[index].abs()).min(rows[row] * columns[column] / smallest);
            self.largest[index] = self.largest[index].min(limit);
        }
        // entries of L are in the order of the pivots
        let (pivots, mut last) = (elimination.pivots, 0);
        for &Factor { row, column, index } in elimination.lower {
            let (row, index) = (row as usize, index as usize);
            let size = factors[index].abs();
            let in_column = |pivot: &(u32, u32)| pivot.1 == column;
            let next = pivots[last..].iter().position(in_column).map(|next| last + next);
            let found = next.or_else(|| pivots[..last].iter().position(in_column));
            last = found.unwrap_or(last);
            let pivot_row = found.map_or(row, |found| pivots[found].0 as usize);
            let limit = MAX_ROW_FACTOR * rows[pivot_row] / rows[row];
            self.are_wide |= size > limit;
            let limit = if size > limit { ALLOWED_GROWTH * size } else { limit };
            self.largest[index] = self.largest[index].min(limit);
        }
    }

    /// Checks that no factor exceeds its limit or is NaN.
    #[inline(always)]
    pub fn hold<S: Scalar>(&self, factors: &[S]) -> bool {
        // the factors without limits are the last ones
        let watched = self.largest.len().min(factors.len());
        let (factors, limits) = (&factors[..watched], &self.largest[..watched]);
        let first = match hold_in_fours(self.fours, factors, limits) {
            Some(true) => watched - watched % LANES,
            Some(false) => return false,
            None => 0,
        };
        let rest = factors[first..].iter().zip(&limits[first..]);
        self.are_known && rest.fold(true, |holds, (factor, limit)| holds & (factor.real().abs() <= *limit))
    }
}

/// Checks the limits of plain factors, four side by side, without the remainder of less than four; `None`
/// where this is not possible.
#[inline(always)]
fn hold_in_fours<S: Scalar>(fours: Fours, factors: &[S], limits: &[f64]) -> Option<bool> {
    let (some, factors) = (fours.some()?, S::plain(factors)?);
    let zero = some.with([0.0; LANES]);
    let mut hold = zero.equal(zero);
    for (factors, limits) in factors.as_chunks::<LANES>().0.iter().zip(limits.as_chunks().0) {
        hold = Lanes::and(hold, some.with(*factors).abs().less_equal(some.with(*limits)));
    }
    Some(hold.set().is_all())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELIMINATION: Elimination = Elimination {
        sums: &[],
        pivots: &[(0, 1), (1, 0)],
        reciprocals: &[Factor { row: 0, column: 1, index: 0 }],
        lower: &[Factor { row: 1, column: 1, index: 1 }],
    };

    #[test]
    fn factors_may_change_but_not_much() {
        let mut limits = Limits::new(&ELIMINATION);
        limits.set(&ELIMINATION, &[2.0, 0.5, 5.0], &[1.0, 0.25], &[1.0, 1.0]);
        assert!(limits.hold(&[-1000.0, 399.0, 1e30]));
        assert!(!limits.hold(&[3000.0, 0.5, 5.0]), "a pivot that nearly vanishes");
        assert!(!limits.hold(&[2.0, 401.0, 5.0]), "growth");
        assert!(!limits.hold(&[2.0, f64::NAN, 5.0]));
        assert!(!limits.hold(&[f64::INFINITY, 0.5, 5.0]));
        limits.forget();
        assert!(!limits.hold(&[2.0, 0.5, 5.0]));
        limits.set(&ELIMINATION, &[2.0, 500.0, 5.0], &[1.0, 0.25], &[1.0, 1.0]);
        assert!(limits.hold(&[2.0, 999.0, 5.0]), "what was found to solve well may be large");
        assert!(!limits.hold(&[2.0, 1001.0, 5.0]));
    }

    #[test]
    fn every_watched_factor_counts_however_many_follow() {
        let limits = Limits { largest: vec![1.0; 11], are_known: true, are_wide: false, fours: Fours::default() };
        for length in [11, 12, 16, 17, 24] {
            assert!(limits.hold(&vec![1.0; length]));
            for large in 0..length {
                let mut factors = vec![1.0; length];
                factors[large] = 2.0;
                assert_eq!(limits.hold(&factors), large >= 11, "{large} of {length}");
            }
        }
    }
}
