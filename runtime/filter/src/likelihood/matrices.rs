//! Small dense matrices in any numbers, stored by rows.

use costate_numerics::scalar::Scalar;

/// Writes the product A B to `result`, with A (rows x inner) and B (inner x columns).
pub(super) fn product<S: Scalar>(a: &[S], b: &[S], (rows, inner, columns): (usize, usize, usize), result: &mut [S]) {
    for i in 0..rows {
        for k in 0..columns {
            let mut sum = S::default();
            for j in 0..inner {
                sum += a[i * inner + j] * b[j * columns + k];
            }
            result[i * columns + k] = sum;
        }
    }
}

/// Adds A B^T to `result`, with A (rows x inner) and B (columns x inner).
pub(super) fn add_product_transposed<S: Scalar>(
    a: &[S],
    b: &[S],
    (rows, inner, columns): (usize, usize, usize),
    result: &mut [S],
) {
    for i in 0..rows {
        for k in 0..columns {
            let mut sum = S::default();
            for j in 0..inner {
                sum += a[i * inner + j] * b[k * inner + j];
            }
            result[i * columns + k] += sum;
        }
    }
}

/// Writes A P A^T to `result`, with A (rows x n) and P (n x n); `work` has rows x n entries.
pub(super) fn congruence<S: Scalar>(a: &[S], p: &[S], (rows, n): (usize, usize), work: &mut [S], result: &mut [S]) {
    product(a, p, (rows, n, n), work);
    result[..rows * rows].fill(S::default());
    add_product_transposed(work, a, (rows, n, rows), result);
}

/// Replaces the lower triangle of a symmetric matrix by its Cholesky factor; the error is the row that fails.
pub(super) fn cholesky<S: Scalar>(matrix: &mut [S], n: usize) -> Result<(), usize> {
    for j in 0..n {
        for i in j..n {
            let mut value = matrix[i * n + j];
            for k in 0..j {
                value -= matrix[i * n + k] * matrix[j * n + k];
            }
            matrix[i * n + j] = match i > j {
                true => value / matrix[j * n + j],
                false if value.real() > 0.0 && value.real().is_finite() => value.sqrt(),
                false => return Err(j),
            };
        }
    }
    Ok(())
}

/// Replaces x by L^-1 x, with the factor of `cholesky`.
pub(super) fn solve_lower<S: Scalar>(factor: &[S], n: usize, x: &mut [S]) {
    for i in 0..n {
        let mut value = x[i];
        for k in 0..i {
            value -= factor[i * n + k] * x[k];
        }
        x[i] = value / factor[i * n + i];
    }
}

/// Replaces x by L^-T x.
pub(super) fn solve_upper<S: Scalar>(factor: &[S], n: usize, x: &mut [S]) {
    for i in (0..n).rev() {
        let mut value = x[i];
        for k in i + 1..n {
            value -= factor[k * n + i] * x[k];
        }
        x[i] = value / factor[i * n + i];
    }
}
