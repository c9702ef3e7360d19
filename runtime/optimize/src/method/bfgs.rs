//! BFGS with the update of the inverse Hessian.
//!
//! What: d = -H g with an approximation H of the inverse Hessian that every step corrects.
//! When: the default; costs of any kind with up to some hundred parameters.
//! Source: Nocedal, Wright, Numerical Optimization, 2nd ed., (6.17) and (6.20); the form of OB 4.3.1.2 is the same.
//! Settings: none.

use nalgebra::{DMatrix, DVector};

use super::super::split::Split;

/// -B_FF^-1 g_F with B the Hessian and F the moving variables. With H = B^-1 known instead,
/// B_FF^-1 = H_FF - H_FA H_AA^-1 H_AF, A being the held variables.
pub(in super::super) fn step(h: &[f64], gradient: &[f64], split: &Split) -> Option<Vec<f64>> {
    let n = gradient.len();
    let h = DMatrix::from_row_slice(n, n, h);
    let Split { moving, held } = split;
    let block = |rows: &[usize], columns: &[usize]| h.select_rows(rows).select_columns(columns);
    let g = DVector::from_iterator(moving.len(), moving.iter().map(|&k| gradient[k]));
    let mut product = block(moving, moving) * &g;
    if !held.is_empty() {
        let coupling = block(held, moving) * &g;
        product -= block(moving, held) * block(held, held).cholesky()?.solve(&coupling);
    }
    Some(product.iter().map(|p| -p).collect())
}

/// H := (I - rho s y^T) H (I - rho y s^T) + rho s s^T with rho = 1/(y^T s); before the first update H is
/// (y^T s)/(y^T y) I; by rows, as all of them. `None` if that overflows.
pub(in super::super) fn update(h: Option<&[f64]>, s: &DVector<f64>, y: &DVector<f64>) -> Option<Vec<f64>> {
    let n = s.len();
    let curvature = y.dot(s);
    let mut h = match h {
        Some(h) => DMatrix::from_row_slice(n, n, h),
        None => DMatrix::identity(n, n) * (curvature / y.norm_squared()),
    };
    let hy = &h * y;
    let factor = (1.0 + y.dot(&hy) / curvature) / curvature;
    for row in 0..n {
        for column in 0..n {
            h[(row, column)] += factor * s[row] * s[column] - (hy[row] * s[column] + s[row] * hy[column]) / curvature;
        }
    }
    let finite = h.iter().all(|entry| entry.is_finite());
    finite.then(|| h.transpose().as_slice().to_vec())
}
