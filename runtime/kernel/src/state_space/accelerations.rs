//! The factors of a mass matrix, for accelerations a = M^-1 f of a model without constraints.

use costate_numerics::scalar::Scalar;

/// Smallest pivot relative to its diagonal entry.
pub(super) const MIN_PIVOT: f64 = 1e-13;

/// Computes L and D of a symmetric matrix (n x n), without pivoting: unit L below the diagonal. Components of
/// S are independent numbers. The mask says where the matrix is regular.
#[inline(always)]
pub(super) fn factorize<S: Scalar>(matrix: &mut [S], n: usize) -> S::Mask {
    let zero = S::constant(0.0);
    let mut is_regular = zero.equal(zero);
    for j in 0..n {
        let size = matrix[j * n + j].abs();
        let mut pivot = matrix[j * n + j];
        for k in 0..j {
            let entry = matrix[k * n + j];
            pivot -= entry * entry * matrix[k * n + k];
        }
        let is_finite = pivot.abs().less_equal(S::constant(f64::MAX));
        is_regular = S::and(is_regular, S::and(is_finite, (size * MIN_PIVOT).less(pivot.abs())));
        matrix[j * n + j] = pivot;
        for i in j + 1..n {
            let mut sum = matrix[j * n + i];
            for k in 0..j {
                sum -= matrix[k * n + i] * matrix[k * n + j] * matrix[k * n + k];
            }
            matrix[j * n + i] = sum / pivot;
        }
    }
    is_regular
}

/// Solves with the factors of `factorize`.
#[inline(always)]
pub(super) fn substitute<S: Scalar>(factors: &[S], x: &mut [S]) {
    let n = x.len();
    for i in 0..n {
        let mut sum = S::constant(0.0);
        for k in 0..i {
            sum += factors[k * n + i] * x[k];
        }
        x[i] -= sum;
    }
    for i in (0..n).rev() {
        let mut sum = S::constant(0.0);
        for k in i + 1..n {
            sum += factors[i * n + k] * x[k];
        }
        x[i] = x[i] / factors[i * n + i] - sum;
    }
}
