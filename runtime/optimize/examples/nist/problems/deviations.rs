//! Standard deviations of parameters that least squares have found.

use costate_optimize::LinearResiduals;
use nalgebra::DMatrix;

/// The square roots of the diagonal of s^2 (J^T J)^-1 with s^2 = r^T r / (m - n), from the factor R of J with columns
/// of norm 1. `None` where J has not full rank or there are no more residuals than parameters.
pub fn standard_deviations(residuals: &LinearResiduals) -> Option<Vec<f64>> {
    let (m, n) = (residuals.values.len(), residuals.derivatives.len());
    let freedom = m.checked_sub(n).filter(|freedom| *freedom > 0)?;
    let variance = 2.0 * residuals.cost() / freedom as f64;
    let mut matrix = DMatrix::from_iterator(m, n, residuals.derivatives.iter().flatten().copied());
    let norms: Vec<f64> = matrix.column_iter().map(|column| column.norm()).collect();
    if !norms.iter().all(|norm| *norm > 0.0 && norm.is_finite()) {
        return None;
    }
    matrix.column_iter_mut().zip(&norms).for_each(|(mut column, norm)| column /= *norm);
    let inverse = matrix.qr().unpack_r().solve_upper_triangular(&DMatrix::identity(n, n))?;
    let deviation = |(k, norm): (usize, &f64)| variance.sqrt() * inverse.row(k).norm() / norm;
    Some(norms.iter().enumerate().map(deviation).collect())
}
