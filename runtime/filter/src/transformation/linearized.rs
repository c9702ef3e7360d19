//! The linearised transformation, KE (1.34) to (1.37).

use nalgebra::{DMatrix, DVector};

use super::{Factored, Transformed, VectorFunction};

pub(super) fn transform(x: &Factored<'_>, h: &impl VectorFunction) -> Transformed {
    let (n, rows) = (x.mean.len(), h.length());
    let mut mean = DVector::zeros(rows);
    h.value(x.mean, mean.as_mut_slice());
    let mut jacobian = DMatrix::zeros(rows, n);
    h.jacobian(x.mean, &mut jacobian);
    let deviations = jacobian * x.factor;
    let cross_covariance = x.factor * deviations.transpose();
    Transformed { mean, covariance: &deviations * deviations.transpose(), cross_covariance }
}
