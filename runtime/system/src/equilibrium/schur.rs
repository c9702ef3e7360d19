//! Eigenvalues of a square matrix, whatever the range of its entries.

use nalgebra::{Complex, DMatrix, Schur};

use crate::equilibrium::EquilibriumError;

/// Computes the eigenvalues of a square matrix.
///
/// # Errors
/// [`EquilibriumError::NoEigenvalues`].
pub fn eigenvalues(matrix: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, EquilibriumError> {
    /// The largest number of iterations for all eigenvalues.
    const MAX_ITERATIONS: usize = 100_000;
    if matrix.is_empty() {
        return Ok(Vec::new());
    }
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return Err(EquilibriumError::NoEigenvalues);
    }
    let mut balanced = matrix.clone();
    balance(&mut balanced);
    // squares of entries must not leave the range of numbers
    let size = balanced.amax();
    if size == 0.0 {
        return Ok(vec![Complex::new(0.0, 0.0); balanced.nrows()]);
    }
    if !size.is_finite() {
        return Err(EquilibriumError::NoEigenvalues);
    }
    balanced /= size;
    let schur = Schur::try_new(balanced, f64::EPSILON, MAX_ITERATIONS).ok_or(EquilibriumError::NoEigenvalues)?;
    Ok(schur.complex_eigenvalues().iter().map(|value| value * size).collect())
}

/// Scales rows and columns by powers of two, until the sums of their sizes beside the diagonal are alike: the
/// eigenvalues stay.
fn balance(matrix: &mut DMatrix<f64>) {
    /// The largest number of rounds over all rows in which a matrix is balanced.
    const MAX_ROUNDS: usize = 200;
    /// The largest exponent of a factor of balancing.
    const MAX_DOUBLINGS: f64 = 500.0;
    let size = matrix.nrows();
    for _ in 0..MAX_ROUNDS {
        let mut is_balanced = true;
        for k in 0..size {
            let beside = |j: &usize| *j != k;
            let row: f64 = (0..size).filter(beside).map(|j| matrix[(k, j)].abs()).sum();
            let column: f64 = (0..size).filter(beside).map(|j| matrix[(j, k)].abs()).sum();
            if !(row > 0.0 && column > 0.0 && row.is_finite() && column.is_finite()) {
                continue;
            }
            let doublings = (0.5 * (row.log2() - column.log2())).round();
            if doublings == 0.0 {
                continue;
            }
            let factor = doublings.clamp(-MAX_DOUBLINGS, MAX_DOUBLINGS).exp2();
            matrix.column_mut(k).scale_mut(factor);
            matrix.row_mut(k).unscale_mut(factor);
            is_balanced = false;
        }
        if is_balanced {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::eigenvalues;

    #[test]
    fn entries_of_any_size() {
        for stiffness in [1e-300_f64, 1e-160, 1.0, 1e160, 1e300] {
            let matrix = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -stiffness, 0.0]);
            for value in eigenvalues(&matrix).unwrap() {
                assert!((value.norm() / stiffness.sqrt() - 1.0).abs() < 1e-14, "{value}");
            }
        }
        let far = DMatrix::from_row_slice(3, 3, &[0.0, 1e-300, 1e300, 1e300, 0.0, 1e-300, 1e-300, 1e300, 1.0]);
        assert!(eigenvalues(&far).is_err() || eigenvalues(&far).is_ok_and(|values| values.len() == 3));
    }
}
