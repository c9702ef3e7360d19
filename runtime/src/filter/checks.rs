//! Checks of what a filter is given.

use nalgebra::DMatrix;

use super::error::{CovarianceFault, FilterError};
use super::factor::{cholesky, semidefinite};

/// Difference of two entries that must be equal, relative to their standard deviations, that counts as rounding.
const ASYMMETRY: f64 = 1e-9;

/// The lower triangular factor of a covariance with `size` rows, positive definite or at least semidefinite.
pub(crate) fn check_covariance(
    field: &'static str,
    matrix: &DMatrix<f64>,
    size: usize,
    definite: bool,
) -> Result<DMatrix<f64>, FilterError> {
    let mut factor = DMatrix::zeros(size, size);
    factor_covariance(field, matrix, &mut factor, definite)?;
    Ok(factor)
}

/// The same without an allocation; `factor` has the size that the covariance must have.
pub(crate) fn factor_covariance(
    field: &'static str,
    matrix: &DMatrix<f64>,
    factor: &mut DMatrix<f64>,
    definite: bool,
) -> Result<(), FilterError> {
    fill(matrix, factor, definite).map_err(|fault| FilterError::Covariance { field, fault })
}

/// The lower triangular factor of a positive definite covariance of any size.
pub(crate) fn covariance_factor(matrix: &DMatrix<f64>) -> Result<DMatrix<f64>, CovarianceFault> {
    let mut factor = DMatrix::zeros(matrix.nrows(), matrix.nrows());
    fill(matrix, &mut factor, true)?;
    Ok(factor)
}

fn fill(matrix: &DMatrix<f64>, factor: &mut DMatrix<f64>, definite: bool) -> Result<(), CovarianceFault> {
    let size = factor.nrows();
    if matrix.nrows() != size || matrix.ncols() != size {
        return Err(CovarianceFault::Size { rows: matrix.nrows(), columns: matrix.ncols(), size });
    }
    for row in 0..size {
        for column in 0..size {
            let value = matrix[(row, column)];
            if !value.is_finite() {
                return Err(CovarianceFault::NotFinite { row, column, value });
            }
        }
    }
    let limit = if definite { "positive" } else { "0 or more" };
    for row in 0..size {
        let value = matrix[(row, row)];
        if value < 0.0 || (definite && value == 0.0) {
            return Err(CovarianceFault::Variance { row, value, limit });
        }
        for column in 0..row {
            let (value, mirrored) = (matrix[(row, column)], matrix[(column, row)]);
            let scale = (matrix[(row, row)] * matrix[(column, column)]).sqrt();
            if (value - mirrored).abs() > ASYMMETRY * scale.max(value.abs()) {
                return Err(CovarianceFault::NotSymmetric { row, column, value, mirrored });
            }
        }
    }
    factor.copy_from(matrix);
    let factored = if definite { cholesky(factor) } else { semidefinite(factor) };
    let kind = if definite { "definite" } else { "semidefinite" };
    factored.map_err(|(row, value)| CovarianceFault::NotDefinite { kind, row, value })
}

/// Checks a length.
pub(crate) fn check_size(field: &'static str, given: usize, expected: usize) -> Result<(), FilterError> {
    if given == expected { Ok(()) } else { Err(FilterError::Length { field, given, expected }) }
}
