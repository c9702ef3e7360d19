//! Factors of dense matrices by `nalgebra`. Its functions are generic: each crate that called them itself would compile
//! them again.

use nalgebra::linalg::{SVD, SymmetricEigen};
use nalgebra::{DMatrix, Dyn};

/// Singular values in descending order, with the left and the right vectors that are asked for.
pub fn svd(matrix: DMatrix<f64>, left: bool, right: bool) -> SVD<f64, Dyn, Dyn> {
    matrix.svd(left, right)
}

/// Eigenvalues, in no order, and eigenvectors of a symmetric matrix.
pub fn symmetric_eigen(matrix: DMatrix<f64>) -> SymmetricEigen<f64, Dyn> {
    SymmetricEigen::new(matrix)
}

/// The inverse of a square matrix; `None` where it has none.
pub fn inverse(matrix: DMatrix<f64>) -> Option<DMatrix<f64>> {
    matrix.try_inverse()
}

/// The number of singular values that are larger than `least`.
pub fn rank(matrix: &DMatrix<f64>, least: f64) -> usize {
    matrix.rank(least)
}
