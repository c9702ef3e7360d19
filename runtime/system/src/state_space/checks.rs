//! Checks of the data of a filter.

use nalgebra::DMatrix;

use costate_contract::machine::{OutOfMemory, Room, bytes};
use costate_numerics::linalg::MatrixFault;
use costate_numerics::linalg::factor::{cholesky, semidefinite};

use super::error::{CovarianceFault, FilterError};

/// Returns the lower triangular factor of a covariance with `size` rows, positive definite or at least
/// semidefinite.
pub fn check_covariance(
    field: &'static str,
    matrix: &DMatrix<f64>,
    size: usize,
    definite: bool,
) -> Result<DMatrix<f64>, FilterError> {
    factored(matrix, size, definite).map_err(|fault| FilterError::Covariance { field, fault })
}

/// Checks a covariance and computes its triangular factor without an allocation; `factor` has the size that
/// the covariance must have.
pub fn factor_covariance(
    field: &'static str,
    matrix: &DMatrix<f64>,
    factor: &mut DMatrix<f64>,
    definite: bool,
) -> Result<(), FilterError> {
    fill(matrix, factor, definite).map_err(|fault| FilterError::Covariance { field, fault })
}

/// Returns the lower triangular factor of a positive definite covariance with `size` rows.
pub fn covariance_factor(matrix: &DMatrix<f64>, size: usize) -> Result<DMatrix<f64>, CovarianceFault> {
    factored(matrix, size, true)
}

/// Allocates memory only when the matrix is known to have the given size, which alone may be larger than any
/// machine.
fn factored(matrix: &DMatrix<f64>, size: usize, definite: bool) -> Result<DMatrix<f64>, CovarianceFault> {
    MatrixFault::check_size(matrix, (size, size))?;
    let mut factor = DMatrix::zeros(size, size);
    fill(matrix, &mut factor, definite)?;
    Ok(factor)
}

fn fill(matrix: &DMatrix<f64>, factor: &mut DMatrix<f64>, definite: bool) -> Result<(), CovarianceFault> {
    MatrixFault::check_size(matrix, factor.shape())?;
    MatrixFault::check_finite(matrix)?;
    let limit = if definite { "positive" } else { "0 or more" };
    for row in 0..matrix.nrows() {
        let value = matrix[(row, row)];
        if value < 0.0 || (definite && value == 0.0) {
            return Err(CovarianceFault::Variance { row, value, limit });
        }
    }
    MatrixFault::check_symmetric(matrix)?;
    factor.copy_from(matrix);
    let factored = if definite { cholesky(factor) } else { semidefinite(factor) };
    let kind = if definite { "definite" } else { "semidefinite" };
    factored.map_err(|(row, value)| CovarianceFault::NotDefinite { kind, row, value })
}

/// Checks the memory for matrices of this many `numbers`, which grow with the number of states or components.
pub fn check_matrices((count, counted): (usize, &'static str), numbers: usize) -> Result<(), OutOfMemory> {
    let room = Room { what: "the matrices", count, counted, remedy: "take fewer states and measurements" };
    room.check(bytes(numbers, size_of::<f64>()))
}

/// Returns the number of entries of a matrix; at most `usize::MAX`.
pub fn entries(rows: usize, columns: usize) -> usize {
    rows.saturating_mul(columns)
}

/// Checks a length.
pub fn check_size(field: &'static str, given: usize, expected: usize) -> Result<(), FilterError> {
    if given == expected { Ok(()) } else { Err(FilterError::Length { field, given, expected }) }
}

/// Checks that numbers are finite.
pub fn check_finite(field: &'static str, values: &[f64]) -> Result<(), FilterError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(sample) => Err(FilterError::NotFinite { field, sample, value: values[sample] }),
        None => Ok(()),
    }
}
