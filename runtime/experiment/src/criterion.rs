//! Criteria of information matrices.

use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

use costate_numerics::linalg::factor::cholesky;
use costate_numerics::linalg::{MatrixFault, dense};

use super::error::InformationError;

/// Smallest part of a parameter's information that the parameters before it must leave; less is rounding.
const SMALLEST_PIVOT: f64 = 1e-14;

/// The function Phi of the information matrix M that an optimal experiment minimises (OB 5.1.2).
///
/// M depends on the parameters' units. With M_jk p_j p_k in place of M_jk the variances are those of relative errors;
/// the determinant's minimum is the same in all units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    /// A-optimality as in OB (5.8): Phi = -tr M. Does not depend on whether parameters can be distinguished.
    Trace,
    /// D-optimality: Phi = -ln det M, smallest volume of the confidence ellipsoid.
    Determinant,
    /// E-optimality: Phi = -(smallest eigenvalue of M), the shortest longest axis of the ellipsoid.
    ///
    /// Phi has a kink where the smallest eigenvalue is a multiple one. The derivative given there is the mean of -x
    /// x^T over the eigenvectors x of that eigenvalue: a subgradient, along which one step of a gradient method need
    /// not lower Phi. Minima of Phi often have such kinks; there, [`TraceOfInverse`](Self::TraceOfInverse), which is
    /// smooth and which the smallest eigenvalue dominates as well, leads close to them.
    SmallestEigenvalue,
    /// Phi = tr M^-1, the sum of the variances of the Cramer-Rao bound (5.7); A-optimality in most of the literature.
    TraceOfInverse,
    /// Phi = -rho(M), the spectral radius of M, which is its largest eigenvalue: a norm of M, as OB 5.1.2 looks for
    /// one. It measures how well the best known combination of parameters is known, and does not depend on any other.
    /// At a multiple eigenvalue the derivative is a mean as for [`SmallestEigenvalue`](Self::SmallestEigenvalue).
    SpectralRadius,
    /// Phi = cond M, the largest eigenvalue over the smallest: the square of the ratio of the longest to the shortest
    /// axis of the confidence ellipsoid. The optimum is 1, where all combinations are known equally well or badly: a
    /// least squares method converges fast then. At a multiple eigenvalue the derivative is made of means as for
    /// [`SmallestEigenvalue`](Self::SmallestEigenvalue).
    ConditionNumber,
}

impl Criterion {
    /// Returns Phi(M) and the symmetric matrix dPhi/dM of its derivatives, dPhi = sum_jk (dPhi/dM)_jk dM_jk.
    ///
    /// `information` is M (l x l), symmetric and positive semidefinite, in any units; it is used as (M + M^T)/2.
    ///
    /// # Errors
    /// [`InformationError::Matrix`];
    /// [`InformationError::Singular`] for a criterion that needs the determinant, the inverse or the condition
    /// number.
    pub fn evaluate(self, information: &DMatrix<f64>) -> Result<(f64, DMatrix<f64>), InformationError> {
        check(information)?;
        let n = information.nrows();
        let symmetric = (information + information.transpose()) * 0.5;
        match self {
            Self::Trace => Ok((-symmetric.trace(), -DMatrix::identity(n, n))),
            Self::SmallestEigenvalue => {
                let (smallest, derivative) = eigenvalue(&dense::symmetric_eigen(symmetric), smallest);
                Ok((-smallest, -derivative))
            }
            Self::SpectralRadius => {
                let (largest, derivative) = eigenvalue(&dense::symmetric_eigen(symmetric), largest);
                Ok((-largest, -derivative))
            }
            Self::ConditionNumber => condition_number(symmetric),
            Self::Determinant => {
                let (inverse, logarithm) = inverse(&symmetric)?;
                Ok((-logarithm, -inverse))
            }
            Self::TraceOfInverse => {
                let (inverse, _) = inverse(&symmetric)?;
                Ok((inverse.trace(), -(&inverse * &inverse)))
            }
        }
    }
}

impl std::fmt::Display for Criterion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Trace => "-tr M",
            Self::Determinant => "-ln det M",
            Self::SmallestEigenvalue => "-smallest eigenvalue of M",
            Self::TraceOfInverse => "tr M^-1",
            Self::SpectralRadius => "-spectral radius of M",
            Self::ConditionNumber => "condition number of M",
        })
    }
}

fn check(matrix: &DMatrix<f64>) -> Result<(), MatrixFault> {
    let rows = matrix.nrows().max(1);
    MatrixFault::check_size(matrix, (rows, rows))?;
    MatrixFault::check_finite(matrix)?;
    MatrixFault::check_symmetric(matrix)
}

/// Returns M^-1 and ln det M, by Cholesky's factor of M scaled to a diagonal of 1.
fn inverse(matrix: &DMatrix<f64>) -> Result<(DMatrix<f64>, f64), InformationError> {
    let n = matrix.nrows();
    let singular = |row, pivot| InformationError::Singular { row, pivot, limit: SMALLEST_PIVOT };
    let scale = matrix.diagonal().map(|entry| entry.max(0.0).sqrt());
    if let Some(row) = scale.iter().position(|&entry| entry == 0.0) {
        return Err(singular(row, 0.0));
    }
    let mut factor = DMatrix::from_fn(n, n, |j, k| matrix[(j, k)] / scale[j] / scale[k]);
    cholesky(&mut factor).map_err(|(row, pivot)| singular(row, pivot))?;
    if let Some(row) = (0..n).find(|&k| factor[(k, k)].powi(2) < SMALLEST_PIVOT) {
        return Err(singular(row, factor[(row, row)].powi(2)));
    }
    let logarithm = (0..n).map(|k| 2.0 * (factor[(k, k)].ln() + scale[k].ln())).sum();
    // L^-1, column by column; its diagonal has been seen to be positive
    let mut lower = DMatrix::identity(n, n);
    factor.solve_lower_triangular_mut(&mut lower);
    let scaled = lower.transpose() * lower;
    Ok((DMatrix::from_fn(n, n, |j, k| scaled[(j, k)] / scale[j] / scale[k]), logarithm))
}

type Eigen = SymmetricEigen<f64, Dyn>;

fn smallest(eigenvalues: &DVector<f64>) -> f64 {
    eigenvalues.min()
}

fn largest(eigenvalues: &DVector<f64>) -> f64 {
    eigenvalues.max()
}

/// Returns the chosen eigenvalue and its derivative, the mean of x x^T over the eigenvectors x of all equal
/// eigenvalues.
fn eigenvalue(eigen: &Eigen, choice: fn(&DVector<f64>) -> f64) -> (f64, DMatrix<f64>) {
    /// Difference of two eigenvalues, relative to the largest one, below which they count as equal.
    const EIGENVALUE_TOLERANCE: f64 = 1e-9;
    let n = eigen.eigenvalues.len();
    let chosen = choice(&eigen.eigenvalues);
    let tolerance = EIGENVALUE_TOLERANCE * eigen.eigenvalues.amax();
    let same: Vec<DVector<f64>> = (0..n)
        .filter(|&k| (eigen.eigenvalues[k] - chosen).abs() <= tolerance)
        .map(|k| eigen.eigenvectors.column(k).into_owned())
        .collect();
    let mut derivative = DMatrix::zeros(n, n);
    for vector in &same {
        derivative.ger(1.0 / same.len() as f64, vector, vector, 1.0);
    }
    (chosen, derivative)
}

fn condition_number(matrix: DMatrix<f64>) -> Result<(f64, DMatrix<f64>), InformationError> {
    let eigen = dense::symmetric_eigen(matrix);
    let (low, of_low) = eigenvalue(&eigen, smallest);
    let (high, of_high) = eigenvalue(&eigen, largest);
    let pivot = if high > 0.0 { low / high } else { 0.0 };
    if pivot < SMALLEST_PIVOT {
        // the parameter with the largest share in the undetermined combination
        let vector = eigen.eigenvectors.column(eigen.eigenvalues.imin());
        return Err(InformationError::Singular { row: vector.icamax(), pivot, limit: SMALLEST_PIVOT });
    }
    let value = high / low;
    Ok((value, (of_high - of_low * value) / low))
}

#[cfg(test)]
mod tests;
