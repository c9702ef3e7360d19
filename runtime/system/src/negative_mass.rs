//! Negative masses of motions: entries off the diagonal can make the mass of a motion negative though no mass is.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use costate_numerics::linalg::SparseMatrix;

/// Part of the largest eigenvalue of a matrix with ones on its diagonal that rounding explains.
const MAX_ROUNDING: f64 = 1e-9;

/// Returns the coordinate with the largest part in a motion that has a negative mass, and that the constraints allow;
/// `None` where there is no such motion.
pub fn negative_mass(mass: &SparseMatrix, jacobian: impl FnOnce() -> SparseMatrix) -> Option<usize> {
    if blocks(mass).iter().all(|block| negative_motion(&mass.select(block).dense()).is_none()) {
        return None;
    }
    // constraints may forbid the motion
    let motions = null_space(&jacobian());
    let projected = motions.tr_mul(&(mass.dense() * &motions));
    negative_motion(&projected).map(|motion| (motions * motion).iamax())
}

/// Groups coordinates that the entries of the matrix connect.
fn blocks(matrix: &SparseMatrix) -> Vec<Vec<usize>> {
    let mut block_of: Vec<usize> = (0..matrix.rows()).collect();
    for (row, column, _) in matrix.iter() {
        let (kept, joined) = (block_of[row].min(block_of[column]), block_of[row].max(block_of[column]));
        if kept != joined {
            block_of.iter_mut().filter(|block| **block == joined).for_each(|block| *block = kept);
        }
    }
    let members = |block: usize| (0..matrix.rows()).filter(|&row| block_of[row] == block).collect();
    (0..matrix.rows()).map(members).filter(|block: &Vec<usize>| !block.is_empty()).collect()
}

/// Returns a motion along which the mass is negative beyond rounding, in the coordinates of the matrix.
fn negative_motion(mass: &DMatrix<f64>) -> Option<DVector<f64>> {
    if mass.is_empty() || !mass.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    let scale = |k: usize| match mass[(k, k)].abs() {
        0.0 => 1.0,
        own => 1.0 / own.sqrt(),
    };
    let scales: Vec<f64> = (0..mass.nrows()).map(scale).collect();
    let scaled = DMatrix::from_fn(mass.nrows(), mass.ncols(), |row, column| {
        0.5 * (mass[(row, column)] + mass[(column, row)]) * scales[row] * scales[column]
    });
    // of a positive matrix, factors take a small part of the time of eigenvalues
    let shifted = &scaled + MAX_ROUNDING * DMatrix::identity(mass.nrows(), mass.ncols());
    if shifted.cholesky().is_some() {
        return None;
    }
    let SymmetricEigen { eigenvalues, eigenvectors } = scaled.symmetric_eigen();
    let least = eigenvalues.imin();
    let is_negative = eigenvalues[least] < -MAX_ROUNDING * eigenvalues.amax();
    is_negative.then(|| eigenvectors.column(least).zip_map(&DVector::from_vec(scales), |x, s| x * s))
}

/// Returns an orthonormal basis of the motions that a constraint Jacobian allows, one in each column.
fn null_space(jacobian: &SparseMatrix) -> DMatrix<f64> {
    let n = jacobian.columns();
    let mut dense = jacobian.dense();
    // constraints may be in any units
    for mut row in dense.row_iter_mut() {
        row.try_normalize_mut(0.0);
    }
    let SymmetricEigen { eigenvalues, eigenvectors } = dense.tr_mul(&dense).symmetric_eigen();
    let limit = MAX_ROUNDING * eigenvalues.amax();
    let allowed: Vec<usize> = (0..n).filter(|&k| eigenvalues[k] <= limit).collect();
    eigenvectors.select_columns(&allowed)
}
