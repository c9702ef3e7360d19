//! The faults of a given matrix.

use nalgebra::{Dim, Matrix, RawStorage};

/// The fault of a matrix, independent of its purpose.
///
/// `row` is counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum MatrixFault {
    /// Rows and columns do not fit.
    #[error("has {rows} rows and {columns} columns, it must have {expected_rows} and {expected_columns}")]
    Size { rows: usize, columns: usize, expected_rows: usize, expected_columns: usize },
    /// An entry is infinite or not a number.
    #[error("has the entry {value} in row {row}, column {column}: entries must be \
         finite", value = costate_contract::shown::Shown(*value))]
    NotFinite { row: usize, column: usize, value: f64 },
    /// Two entries differ that must be equal.
    #[error("is not symmetric: {value} in row {row}, column {column}, and {mirrored} on the other \
         side", value = costate_contract::shown::Exact(*value), mirrored = costate_contract::shown::Exact(*mirrored))]
    NotSymmetric { row: usize, column: usize, value: f64, mirrored: f64 },
}

impl MatrixFault {
    /// Checks that a matrix, or a vector, has as many rows and columns as it must have.
    #[doc(hidden)]
    pub fn check_size<R: Dim, C: Dim, S: RawStorage<f64, R, C>>(
        matrix: &Matrix<f64, R, C, S>,
        (expected_rows, expected_columns): (usize, usize),
    ) -> Result<(), Self> {
        let (rows, columns) = matrix.shape();
        if (rows, columns) == (expected_rows, expected_columns) {
            return Ok(());
        }
        Err(Self::Size { rows, columns, expected_rows, expected_columns })
    }

    /// Checks that all entries are finite; the error names the first one, by rows, that is not.
    #[doc(hidden)]
    pub fn check_finite<R: Dim, C: Dim, S: RawStorage<f64, R, C>>(matrix: &Matrix<f64, R, C, S>) -> Result<(), Self> {
        for row in 0..matrix.nrows() {
            for column in 0..matrix.ncols() {
                let value = matrix[(row, column)];
                if !value.is_finite() {
                    return Err(Self::NotFinite { row, column, value });
                }
            }
        }
        Ok(())
    }

    /// Checks that a square matrix is symmetric up to rounding.
    #[doc(hidden)]
    pub fn check_symmetric<R: Dim, C: Dim, S: RawStorage<f64, R, C>>(
        matrix: &Matrix<f64, R, C, S>,
    ) -> Result<(), Self> {
        /// Largest difference of two entries that must be equal, relative to the roots of their diagonal entries, that
        /// counts as rounding.
        const MAX_ASYMMETRY: f64 = 1e-9;
        for row in 0..matrix.nrows() {
            for column in 0..row {
                let (value, mirrored) = (matrix[(row, column)], matrix[(column, row)]);
                let scale = (matrix[(row, row)].abs() * matrix[(column, column)].abs()).sqrt();
                if (value - mirrored).abs() > MAX_ASYMMETRY * scale.max(value.abs()) {
                    return Err(Self::NotSymmetric { row, column, value, mirrored });
                }
            }
        }
        Ok(())
    }
}
