//! Inverses of small matrices whose rows and columns have any units.

use nalgebra::{DMatrix, DVector};

use costate_numerics::linalg::dense;

/// Singular values of the scaled matrix below this part of the largest one are zero.
pub(super) const RANK_TOLERANCE: f64 = 1e-13;

/// A matrix with rows and columns scaled, factored.
pub(super) struct ScaledInverse {
    rows: DVector<f64>,
    columns: DVector<f64>,
    inverse: DMatrix<f64>,
}

impl ScaledInverse {
    /// `None` for a singular matrix.
    pub fn new(mut matrix: DMatrix<f64>) -> Option<Self> {
        let n = matrix.nrows();
        if n == 0 {
            return None;
        }
        let (mut rows, mut columns) = (DVector::from_element(n, 1.0), DVector::from_element(n, 1.0));
        for _ in 0..3 {
            for i in 0..n {
                let scale = matrix.row(i).amax().sqrt().recip();
                rows[i] *= scale;
                matrix.row_mut(i).scale_mut(scale);
            }
            for k in 0..n {
                let scale = matrix.column(k).amax().sqrt().recip();
                columns[k] *= scale;
                matrix.column_mut(k).scale_mut(scale);
            }
        }
        if !matrix.iter().all(|entry| entry.is_finite()) {
            return None;
        }
        let svd = dense::svd(matrix.clone(), false, false);
        let largest = svd.singular_values.max();
        if svd.singular_values.min() <= RANK_TOLERANCE * largest {
            return None;
        }
        Some(Self { rows, columns, inverse: dense::inverse(matrix)? })
    }

    /// `None` for a solution that is not finite.
    pub fn solve(&self, right: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        let mut scaled = right.clone();
        for (mut row, scale) in scaled.row_iter_mut().zip(&self.rows) {
            row *= *scale;
        }
        let mut solution = &self.inverse * scaled;
        for (mut row, scale) in solution.row_iter_mut().zip(&self.columns) {
            row *= *scale;
        }
        solution.iter().all(|entry| entry.is_finite()).then_some(solution)
    }

    /// The solution for a vector; `None` if it is not finite.
    pub fn solve_vector(&self, right: &DVector<f64>) -> Option<DVector<f64>> {
        let solution = self.solve(&DMatrix::from_column_slice(right.len(), 1, right.as_slice()))?;
        Some(solution.column(0).into_owned())
    }
}
