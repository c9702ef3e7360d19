//! Small dense matrices in any numbers, stored by rows. Zeros of the first factor of a product take no time, and leave
//! no trace of what they are multiplied with.

use crate::scalar::Scalar;

/// Writes the product A B to `result`, with A (rows x inner) and B (inner x columns).
pub fn write_product<S: Scalar>(a: &[S], b: &[S], (rows, inner, columns): (usize, usize, usize), result: &mut [S]) {
    for i in 0..rows {
        let row = &mut result[i * columns..(i + 1) * columns];
        row.fill(S::default());
        for j in (0..inner).filter(|j| !is_zero(a[i * inner + j])) {
            let factor = a[i * inner + j];
            row.iter_mut().zip(&b[j * columns..(j + 1) * columns]).for_each(|(to, by)| *to += factor * *by);
        }
    }
}

/// Returns the product A B, with A (rows x inner) and B (inner x columns).
pub fn product<S: Scalar>(a: &[S], b: &[S], (rows, inner, columns): (usize, usize, usize)) -> Vec<S> {
    let mut result = vec![S::default(); rows * columns];
    write_product(a, b, (rows, inner, columns), &mut result);
    result
}

/// Adds A B^T to `result`, with A (rows x inner) and B (columns x inner); zeros of B take no time.
pub fn add_product_transposed<S: Scalar>(
    a: &[S],
    b: &[S],
    (rows, inner, columns): (usize, usize, usize),
    result: &mut [S],
) {
    let mut entries = Vec::with_capacity(inner);
    for k in 0..columns {
        let row = b[k * inner..(k + 1) * inner].iter().enumerate();
        entries.clear();
        entries.extend(row.filter(|(_, entry)| !is_zero(**entry)));
        for i in 0..rows {
            let own = &a[i * inner..(i + 1) * inner];
            let mut sum = S::default();
            entries.iter().for_each(|&(j, entry)| sum += own[j] * *entry);
            result[i * columns + k] += sum;
        }
    }
}

/// Writes A P A^T to `result`, with A (rows x n) and P (n x n); `work` has rows x n entries.
pub fn congruence<S: Scalar>(a: &[S], p: &[S], (rows, n): (usize, usize), work: &mut [S], result: &mut [S]) {
    write_product(a, p, (rows, n, n), work);
    result[..rows * rows].fill(S::default());
    add_product_transposed(work, a, (rows, n, rows), result);
}

/// Returns true for a zero without derivatives.
fn is_zero<S: Scalar>(number: S) -> bool {
    (0..S::COMPONENTS).all(|part| number.component(part) == 0.0)
}

/// Replaces the lower triangle of a symmetric matrix by its Cholesky factor; the error is the row that fails.
pub fn cholesky<S: Scalar>(matrix: &mut [S], n: usize) -> Result<(), usize> {
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
pub fn solve_lower<S: Scalar>(factor: &[S], n: usize, x: &mut [S]) {
    for i in 0..n {
        let mut value = x[i];
        for k in 0..i {
            value -= factor[i * n + k] * x[k];
        }
        x[i] = value / factor[i * n + i];
    }
}

/// Replaces x by L^-T x.
pub fn solve_upper<S: Scalar>(factor: &[S], n: usize, x: &mut [S]) {
    for i in (0..n).rev() {
        let mut value = x[i];
        for k in i + 1..n {
            value -= factor[k * n + i] * x[k];
        }
        x[i] = value / factor[i * n + i];
    }
}

/// The factors P A = L U of a square matrix.
#[derive(Debug)]
pub struct Lu<S> {
    size: usize,
    factors: Vec<S>,
    rows: Vec<usize>,
}

impl<S: Scalar> Lu<S> {
    /// Computes the factors, with the largest pivot of each column; `None` for a matrix that is singular or not finite.
    pub fn new(mut factors: Vec<S>, size: usize) -> Option<Self> {
        /// Smallest pivot relative to the largest entry of the matrix.
        const MIN_PIVOT: f64 = 1e-14;
        let largest = factors.iter().map(|entry| entry.real().abs()).fold(0.0, f64::max);
        let mut rows: Vec<usize> = (0..size).collect();
        for j in 0..size {
            let magnitude = |i: usize| factors[i * size + j].real().abs();
            let pivot = (j..size).max_by(|&a, &b| magnitude(a).total_cmp(&magnitude(b)))?;
            if !(magnitude(pivot) > MIN_PIVOT * largest && magnitude(pivot).is_finite()) {
                return None;
            }
            if pivot != j {
                rows.swap(pivot, j);
                (0..size).for_each(|k| factors.swap(pivot * size + k, j * size + k));
            }
            for i in j + 1..size {
                let factor = factors[i * size + j] / factors[j * size + j];
                factors[i * size + j] = factor;
                for k in j + 1..size {
                    let change = factor * factors[j * size + k];
                    factors[i * size + k] -= change;
                }
            }
        }
        Some(Self { size, factors, rows })
    }

    /// Replaces b by the solution of A x = b.
    pub fn solve(&self, b: &mut [S]) {
        self.solve_columns(b, 1);
    }

    /// Replaces the columns of B (size x columns, by rows) by the solutions of A X = B.
    pub fn solve_columns(&self, b: &mut [S], columns: usize) {
        let n = self.size;
        let given = b.to_vec();
        for (i, &row) in self.rows.iter().enumerate() {
            b[i * columns..(i + 1) * columns].copy_from_slice(&given[row * columns..(row + 1) * columns]);
        }
        for k in 0..columns {
            for i in 0..n {
                let mut value = b[i * columns + k];
                (0..i).for_each(|j| value -= self.factors[i * n + j] * b[j * columns + k]);
                b[i * columns + k] = value;
            }
            for i in (0..n).rev() {
                let mut value = b[i * columns + k];
                (i + 1..n).for_each(|j| value -= self.factors[i * n + j] * b[j * columns + k]);
                b[i * columns + k] = value / self.factors[i * n + i];
            }
        }
    }
}
