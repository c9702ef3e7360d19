//! Second derivatives of the residuals, learned from the steps.
//!
//! What: the Hessian of 1/2 r^T r is J^T J + S with S the sum of r_i times the second derivatives of r_i. Residuals
//! that stay large at the minimum make S as large as J^T J in some directions, where steps without S converge slowly:
//! they overshoot, again and again. S is approximated by the symmetric matrix of least change with the secant property,
//! and steps use J^T J + S while this predicts costs better than J^T J alone. Source: Dennis, Gay, Welsch, An adaptive
//! nonlinear least-squares algorithm (NL2SOL), ACM Trans. Math. Software 7, 1981.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::super::super::linearized::Linearized;

/// The matrix S, and whether steps use J^T J + S.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Secant {
    /// S, by rows; empty before the first step.
    matrix: Vec<f64>,
    is_used: bool,
}

impl Secant {
    /// Checks whether this belongs to n variables.
    pub fn fits(&self, n: usize) -> bool {
        self.matrix.is_empty() && !self.is_used || self.matrix.len() == n * n
    }

    /// Returns residuals with the Hessian J^T J + S and the same gradient; `None` where steps do not use S, or
    /// where J^T J + S is not positive definite.
    pub fn model(&self, residuals: &Linearized, scales: &[f64]) -> Option<Linearized> {
        match self.is_used {
            true => residuals.with_curvature(&self.matrix(scales.len()), scales),
            false => None,
        }
    }

    /// Updates S after the step `change` from the point of `old` to that of `new`, which lowered the cost by
    /// `decrease`.
    pub fn next(
        self,
        (old, new): (&Linearized, &Linearized),
        scales: &[f64],
        (change, decrease): (&[f64], f64),
    ) -> Self {
        /// Factor by which the error of one model has to exceed that of the other before the model changes (Dennis,
        /// Gay, Welsch, section 5).
        const MIN_ERROR_RATIO: f64 = 1.5;
        let s = DVector::from_column_slice(change);
        let matrix = self.matrix(change.len());
        let without = old.decrease(change);
        let with = without - 0.5 * s.dot(&(&matrix * &s));
        let (error, error_with) = ((without - decrease).abs(), (with - decrease).abs());
        let is_used = match self.is_used {
            true => error_with <= MIN_ERROR_RATIO * error,
            false => MIN_ERROR_RATIO * error_with < error,
        };
        // the change of the gradient is s times the mean of J^T J at both points, plus s times S
        let y = DVector::from_vec(new.gradient()) - DVector::from_vec(old.gradient());
        let told = &y - 0.5 * (old.times_squares(&s) + new.times_squares(&s));
        match updated(matrix, &s, &y, &told, scales) {
            Some(matrix) => Self { matrix: matrix.as_slice().to_vec(), is_used },
            None => Self::default(),
        }
    }

    fn matrix(&self, n: usize) -> DMatrix<f64> {
        match self.matrix.is_empty() {
            true => DMatrix::zeros(n, n),
            false => DMatrix::from_row_slice(n, n, &self.matrix),
        }
    }
}

/// Returns the symmetric matrix closest to S (scaled down where S predicts too much) whose product with s is
/// `told`; closeness is measured with a metric that maps s to y, or with that of the scales where y^T s is not
/// positive. `None` where a number is not finite.
fn updated(
    matrix: DMatrix<f64>,
    s: &DVector<f64>,
    y: &DVector<f64>,
    told: &DVector<f64>,
    scales: &[f64],
) -> Option<DMatrix<f64>> {
    let (curvature, known) = (s.dot(told), s.dot(&(&matrix * s)));
    let size = if known == 0.0 { 1.0 } else { (curvature / known).abs().min(1.0) };
    let matrix = matrix * size;
    let error = told - &matrix * s;
    let scaled = || DVector::from_iterator(s.len(), s.iter().zip(scales).map(|(s, scale)| s * scale * scale));
    let weight = if y.dot(s) > 0.0 { y.clone() } else { scaled() };
    let product = weight.dot(s);
    let (both, twice) = (&error * weight.transpose(), error.dot(s) / (product * product));
    let change = (&both + both.transpose()) / product - &weight * weight.transpose() * twice;
    let matrix = matrix + change;
    matrix.iter().all(|entry| entry.is_finite()).then_some(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_is_symmetric_and_reproduces_what_a_step_told() {
        let matrix = DMatrix::from_row_slice(3, 3, &[2.0, 0.5, 0.0, 0.5, -1.0, 0.3, 0.0, 0.3, 0.2]);
        let (s, told) = (DVector::from_vec(vec![0.3, -0.2, 0.7]), DVector::from_vec(vec![1.0, 2.0, -0.5]));
        for y in [[0.5, -0.1, 2.0], [-0.5, 0.1, -2.0]] {
            let new = updated(matrix.clone(), &s, &DVector::from_row_slice(&y), &told, &[1.0, 3.0, 0.5]).unwrap();
            assert!((&new - new.transpose()).amax() < 1e-12, "{new}");
            assert!((&new * &s - &told).amax() < 1e-12, "{new}");
        }
    }
}
