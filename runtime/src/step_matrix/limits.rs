//! How large emitted factors may become before they are no longer trusted.

use crate::model::{Elimination, Factor, FactorPart};
use crate::scalar::Scalar;

/// Entries of L in the equilibrated matrix may grow to this size, as those with chosen pivots may.
const LARGEST_ROW_FACTOR: f64 = 100.0;

/// Factor by which pivots may shrink.
const SHRINK: f64 = 1e3;

/// A pivot of the equilibrated matrix is zero below this number of roundings times the size.
const SINGULAR_ROUNDINGS: f64 = 16.0;

/// The largest absolute value of every factor.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    largest: Vec<f64>,
    are_known: bool,
}

impl Limits {
    /// For `length` factors.
    pub fn new(length: usize) -> Self {
        Self { largest: vec![0.0; length], are_known: false }
    }

    /// Nothing holds until the limits are set again.
    pub fn forget(&mut self) {
        self.are_known = false;
    }

    /// The limits that follow from the factors of a matrix with the given scales of rows and columns.
    pub fn set(&mut self, elimination: &Elimination, factors: &[f64], rows: &[f64], columns: &[f64]) {
        self.are_known = true;
        self.largest.fill(f64::MAX);
        let smallest = SINGULAR_ROUNDINGS * f64::EPSILON * rows.len() as f64;
        for &Factor { part, row, column, index } in elimination.factors {
            let (row, column, index) = (row as usize, column as usize, index as usize);
            let size = factors[index].abs();
            let limit = match part {
                FactorPart::Pivot => (SHRINK * size).min(rows[row] * columns[column] / smallest),
                FactorPart::Upper => continue,
                FactorPart::Lower => {
                    let pivot_row = elimination.pivots.iter().find(|pivot| pivot.1 as usize == column);
                    let pivot_row = pivot_row.map_or(row, |pivot| pivot.0 as usize);
                    LARGEST_ROW_FACTOR * rows[pivot_row] / rows[row]
                }
            };
            self.largest[index] = self.largest[index].min(limit);
        }
    }

    /// Whether no factor exceeds its limit or is no number.
    #[inline]
    pub fn hold<S: Scalar>(&self, factors: &[S]) -> bool {
        let pairs = factors.iter().zip(&self.largest);
        pairs.fold(self.are_known, |hold, (factor, largest)| hold & (factor.real().abs() <= *largest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELIMINATION: Elimination = Elimination {
        pivots: &[(0, 1), (1, 0)],
        factors: &[
            Factor { part: FactorPart::Pivot, row: 0, column: 1, index: 0 },
            Factor { part: FactorPart::Upper, row: 0, column: 0, index: 1 },
            Factor { part: FactorPart::Lower, row: 1, column: 1, index: 2 },
        ],
    };

    #[test]
    fn factors_may_change_but_not_much() {
        let mut limits = Limits::new(3);
        limits.set(&ELIMINATION, &[2.0, 5.0, 0.5], &[1.0, 0.25], &[1.0, 1.0]);
        assert!(limits.hold(&[-1000.0, 1e30, 399.0]));
        assert!(!limits.hold(&[3000.0, 5.0, 0.5]), "a pivot that nearly vanishes");
        assert!(!limits.hold(&[2.0, 5.0, 401.0]), "growth");
        assert!(!limits.hold(&[2.0, f64::NAN, 0.5]));
        assert!(!limits.hold(&[f64::INFINITY, 5.0, 0.5]));
        limits.forget();
        assert!(!limits.hold(&[2.0, 5.0, 0.5]));
    }
}
