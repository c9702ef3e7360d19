//! The linearised transformation, KE (1.34) to (1.37).

use nalgebra::{DMatrix, DVector};

use super::{Gaussian, Transformed, VectorFunction, check_covariance};
use crate::filter::error::FilterError;

pub(super) fn transform(x: &Gaussian, h: &impl VectorFunction) -> Result<Transformed, FilterError> {
    let (n, rows) = (x.mean.len(), h.length());
    check_covariance("covariance", &x.covariance, n, false)?;
    let mut mean = DVector::zeros(rows);
    h.value(x.mean.as_slice(), mean.as_mut_slice());
    let mut jacobian = DMatrix::zeros(rows, n);
    h.jacobian(x.mean.as_slice(), &mut jacobian);
    let cross_covariance = &x.covariance * jacobian.transpose();
    Ok(Transformed { mean, covariance: jacobian * &cross_covariance, cross_covariance })
}
