//! Coordinates in which a density with roughly known mean and covariance is about a standard normal one.

use nalgebra::{Cholesky, DMatrix, DVector};

use crate::error::SamplingError;

/// The map from whitened coordinates w to the point centre + L w, where the covariance is L L^T.
#[derive(Debug, Clone)]
pub(crate) struct Whitening {
    centre: DVector<f64>,
    factor: DMatrix<f64>,
}

impl Whitening {
    /// Makes the identity, for a density of unit width around the origin.
    pub fn none(coordinates: usize) -> Self {
        Self { centre: DVector::zeros(coordinates), factor: DMatrix::identity(coordinates, coordinates) }
    }

    /// Makes the map for a density with about this mean and covariance, by rows.
    pub fn around(coordinates: usize, mean: &[f64], covariance: &[Vec<f64>]) -> Result<Self, SamplingError> {
        let fits = |what, given: usize| match given == coordinates {
            true => Ok(()),
            false => Err(SamplingError::Around { what, given, coordinates }),
        };
        fits("means", mean.len())?;
        fits("rows of the covariance", covariance.len())?;
        covariance.iter().try_for_each(|row| fits("columns of the covariance", row.len()))?;
        let matrix = DMatrix::from_fn(coordinates, coordinates, |row, column| covariance[row][column]);
        let is_finite = matrix.iter().chain(mean).all(|entry| entry.is_finite());
        // the Cholesky decomposition of nalgebra reads the lower half alone
        let asymmetry = (&matrix - matrix.transpose()).amax();
        if !is_finite || asymmetry > 1e-9 * matrix.amax() {
            return Err(SamplingError::Covariance);
        }
        let factor = Cholesky::new(matrix).ok_or(SamplingError::Covariance)?.unpack();
        Ok(Self { centre: DVector::from_column_slice(mean), factor })
    }

    /// Maps whitened coordinates to the point.
    pub fn point(&self, whitened: &[f64]) -> Vec<f64> {
        let whitened = DVector::from_column_slice(whitened);
        (&self.centre + &self.factor * whitened).as_slice().to_vec()
    }

    /// Converts derivatives with respect to the point to derivatives with respect to the whitened coordinates.
    pub fn by_whitened(&self, by_point: &[f64]) -> Vec<f64> {
        (self.factor.transpose() * DVector::from_column_slice(by_point)).as_slice().to_vec()
    }

    /// Returns the centre.
    pub fn centre(&self) -> &[f64] {
        self.centre.as_slice()
    }

    /// Returns all entries of L, by columns.
    pub fn factor(&self) -> &[f64] {
        self.factor.as_slice()
    }
}
