//! Singular values, also of matrices that do not have full rank.
//!
//! What: one-sided Jacobi rotations, which make the columns orthogonal. Small singular values have as many digits as
//! large ones where columns have scales of their own, and a matrix of rank 1 is no special case; nalgebra's
//! bidiagonalisation, which is faster, has lost a tenth of a residual there. Source: Demmel, Veselic, Jacobi's method
//! is more accurate than QR, SIAM J. Matrix Anal. Appl. 13, 1992.

use nalgebra::{DMatrix, DVector};

/// A = U S V^T.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SingularValues {
    /// The diagonal of S, not sorted.
    pub values: DVector<f64>,
    /// V, a column for each value.
    pub directions: DMatrix<f64>,
    /// U S.
    columns: DMatrix<f64>,
}

impl SingularValues {
    /// Decomposes a matrix; `None` where a number is not finite.
    pub fn of(matrix: DMatrix<f64>) -> Option<Self> {
        /// Largest number of sweeps over all pairs of columns: six to ten are usual.
        const MAX_SWEEPS: usize = 60;
        let n = matrix.ncols();
        let (mut columns, mut directions) = (matrix, DMatrix::identity(n, n));
        for _ in 0..MAX_SWEEPS {
            let mut is_diagonal = true;
            for p in 0..n {
                for q in p + 1..n {
                    let product = columns.column(p).dot(&columns.column(q));
                    let (a, b) = (columns.column(p).norm_squared(), columns.column(q).norm_squared());
                    let limit = f64::EPSILON * (a * b).sqrt();
                    if product.is_nan() || product.abs() <= limit {
                        continue;
                    }
                    is_diagonal = false;
                    let cotangent = (b - a) / (2.0 * product);
                    let tangent = cotangent.signum() / (cotangent.abs() + cotangent.hypot(1.0));
                    let cosine = 1.0 / tangent.hypot(1.0);
                    rotate(&mut columns, (p, q), (cosine, cosine * tangent));
                    rotate(&mut directions, (p, q), (cosine, cosine * tangent));
                }
            }
            if is_diagonal {
                break;
            }
        }
        let values = DVector::from_iterator(n, columns.column_iter().map(|column| column.norm()));
        values.iter().all(|value| value.is_finite()).then_some(Self { values, directions, columns })
    }

    /// Returns U^T r, with 0 for a singular value of 0.
    pub fn components(&self, r: &DVector<f64>) -> DVector<f64> {
        let of_column = |(column, value): (usize, &f64)| {
            if *value > 0.0 { self.columns.column(column).dot(r) / value } else { 0.0 }
        };
        DVector::from_iterator(self.values.len(), self.values.iter().enumerate().map(of_column))
    }
}

/// Rotates two columns by an angle.
fn rotate(matrix: &mut DMatrix<f64>, (p, q): (usize, usize), (cosine, sine): (f64, f64)) {
    for row in 0..matrix.nrows() {
        let (a, b) = (matrix[(row, p)], matrix[(row, q)]);
        matrix[(row, p)] = cosine * a - sine * b;
        matrix[(row, q)] = sine * a + cosine * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(matrix: DMatrix<f64>, rank: usize) {
        let parts = SingularValues::of(matrix.clone()).unwrap();
        let again = &parts.columns * parts.directions.transpose();
        assert!((again - &matrix).norm() < 1e-14 * matrix.norm());
        let unit = parts.directions.tr_mul(&parts.directions);
        assert!((unit - DMatrix::identity(matrix.ncols(), matrix.ncols())).norm() < 1e-13);
        let largest = parts.values.amax();
        assert_eq!(parts.values.iter().filter(|value| **value > 1e-13 * largest).count(), rank, "{parts:?}");
        // a residual orthogonal to all columns has no components
        let r = DVector::from_fn(matrix.nrows(), |i, _| (i as f64 + 0.3).sin());
        let components = parts.components(&r);
        let product = &parts.directions * components.component_mul(&parts.values);
        assert!((product - matrix.tr_mul(&r)).norm() < 1e-13 * matrix.norm() * r.norm());
    }

    #[test]
    fn matrices_of_all_ranks() {
        let entry = |i: usize, j: usize| ((i * 7 + j * 3) as f64 * 0.61).sin() * 10f64.powi(3 * (j as i32 % 4) - 5);
        check(DMatrix::from_fn(9, 6, entry), 2);
        check(DMatrix::from_fn(6, 6, |i, j| entry(i, j) + f64::from(u8::from(i == j))), 6);
        check(DMatrix::from_fn(5, 5, |i, j| if i == 1 { [0.0, 2.0, 3.0, 4.0, 0.0][j] } else { 0.0 }), 1);
        check(DMatrix::from_fn(8, 5, |i, j| (i as f64 - 2.0) * [0.0, 2.0, 3.0, 4.0, 0.0][j]), 1);
    }

    #[test]
    fn small_values_have_all_digits() {
        // orthogonal columns of very different norms
        let matrix = DMatrix::from_row_slice(2, 2, &[3.0, -4e-18, 4.0, 3e-18]);
        let mut values = SingularValues::of(matrix).unwrap().values.as_slice().to_vec();
        values.sort_by(f64::total_cmp);
        assert!((values[0] / 5e-18 - 1.0).abs() < 1e-15 && (values[1] / 5.0 - 1.0).abs() < 1e-15, "{values:?}");
    }

    #[test]
    fn what_is_not_finite_has_none() {
        assert!(SingularValues::of(DMatrix::from_element(2, 2, f64::NAN)).is_none());
        assert!(SingularValues::of(DMatrix::from_element(2, 2, f64::INFINITY)).is_none());
    }
}
