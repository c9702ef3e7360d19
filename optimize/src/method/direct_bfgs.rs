//! BFGS with the update of the Hessian.
//!
//! What: B d = -g with an approximation B of the Hessian that every step corrects, solved by Cholesky factors.
//! When: where the Hessian itself is of interest; the iterates are those of the inverse update but for rounding.
//! Source: OB 4.3.1.2, first update formula; Nocedal, Wright, Numerical Optimization, 2nd ed., (6.19).
//! Settings: none.

use nalgebra::{DMatrix, DVector};

use super::super::split::Split;

/// -B_FF^-1 g_F with the moving variables F.
pub(in super::super) fn step(b: &[f64], gradient: &[f64], split: &Split) -> Option<Vec<f64>> {
    let n = gradient.len();
    let moving = &split.moving;
    let b = DMatrix::from_row_slice(n, n, b).select_rows(moving).select_columns(moving);
    let g = DVector::from_iterator(moving.len(), moving.iter().map(|&k| -gradient[k]));
    Some(b.cholesky()?.solve(&g).as_slice().to_vec())
}

/// B := B + (y y^T)/(y^T s) - (B s s^T B)/(s^T B s); before the first update B is (y^T y)/(y^T s) I. `None` if that
/// overflows.
pub(in super::super) fn update(b: Option<&[f64]>, s: &DVector<f64>, y: &DVector<f64>) -> Option<Vec<f64>> {
    let n = s.len();
    let curvature = y.dot(s);
    let mut b = match b {
        Some(b) => DMatrix::from_row_slice(n, n, b),
        None => DMatrix::identity(n, n) * (y.norm_squared() / curvature),
    };
    let bs = &b * s;
    let along = s.dot(&bs);
    for row in 0..n {
        for column in 0..n {
            b[(row, column)] += y[row] * y[column] / curvature - bs[row] * bs[column] / along;
        }
    }
    let finite = b.iter().all(|entry| entry.is_finite());
    finite.then(|| b.transpose().as_slice().to_vec())
}
