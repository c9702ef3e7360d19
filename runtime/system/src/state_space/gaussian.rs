//! Random vectors by their mean and covariance.

use nalgebra::{DMatrix, DVector};

use super::checks::{check_covariance, check_finite, check_matrices, check_size, entries};
use super::error::FilterError;

/// A random vector by its mean and covariance.
#[derive(Debug, Clone, PartialEq)]
pub struct Gaussian {
    /// Mean x (n).
    pub mean: DVector<f64>,
    /// Covariance P_X (n x n).
    pub covariance: DMatrix<f64>,
}

impl Gaussian {
    /// Checks that the matrix is a covariance.
    ///
    /// # Errors
    /// [`FilterError::Covariance`] for a matrix that is not symmetric and positive semidefinite,
    /// [`FilterError::NotFinite`] for the mean.
    pub fn new(mean: DVector<f64>, covariance: DMatrix<f64>) -> Result<Self, FilterError> {
        check_covariance("covariance", &covariance, mean.len(), false)?;
        check_finite("mean", mean.as_slice())?;
        Ok(Self { mean, covariance })
    }

    /// Creates independent components with these standard deviations.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`FilterError::OutOfMemory`] for more components than the machine has memory for.
    pub fn independent(mean: &[f64], deviations: &[f64]) -> Result<Self, FilterError> {
        check_size("standard deviations", deviations.len(), mean.len())?;
        // the covariance, and the factor that checks it
        check_matrices((mean.len(), "components"), entries(2, entries(mean.len(), mean.len())))?;
        let variances = deviations.iter().map(|deviation| deviation * deviation);
        let covariance = DMatrix::from_diagonal(&DVector::from_iterator(mean.len(), variances));
        Self::new(DVector::from_column_slice(mean), covariance)
    }
}
