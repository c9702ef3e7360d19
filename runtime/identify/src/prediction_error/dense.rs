//! Small dense systems of equations in any numbers, by rows.

use costate_numerics::scalar::Scalar;

/// Returns the product A B, with A (rows x inner) and B (inner x columns).
pub(super) fn product<S: Scalar>(a: &[S], b: &[S], (rows, inner, columns): (usize, usize, usize)) -> Vec<S> {
    let mut result = vec![S::default(); rows * columns];
    for i in 0..rows {
        for j in 0..inner {
            let factor = a[i * inner + j];
            for k in 0..columns {
                result[i * columns + k] += factor * b[j * columns + k];
            }
        }
    }
    result
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
            for j in 0..inner {
                result[i * columns + k] += a[i * inner + j] * b[k * inner + j];
            }
        }
    }
}

/// The factors P A = L U of a square matrix.
pub(super) struct Lu<S> {
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
