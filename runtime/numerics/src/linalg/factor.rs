//! Triangular factors of small covariances, in place: Cholesky's, and that of a sum of outer products.

use nalgebra::DMatrix;

/// Replaces P, of which the lower triangle is read, by the lower triangular S with S S^T = P; zeros above.
///
/// # Errors
/// The first row whose variance, given the rows before it, is not positive, and that variance.
pub fn cholesky(p: &mut DMatrix<f64>) -> Result<(), (usize, f64)> {
    let n = p.nrows();
    for j in 0..n {
        let mut pivot = p[(j, j)];
        for k in 0..j {
            pivot -= p[(j, k)] * p[(j, k)];
        }
        if !(pivot > 0.0 && pivot.is_finite()) {
            return Err((j, pivot));
        }
        eliminate(p, j, pivot.sqrt());
    }
    Ok(())
}

/// Computes the Cholesky factor of a matrix that may be singular: rows that depend on those before them have
/// a zero on the diagonal.
///
/// # Errors
/// As [`cholesky`], for a variance that is negative beyond rounding.
pub fn semidefinite(p: &mut DMatrix<f64>) -> Result<(), (usize, f64)> {
    /// Remaining variance, relative to the variance, below which a semidefinite matrix counts as singular.
    const MIN_PIVOT: f64 = 1e-12;
    /// Remaining variance, relative to the variance, below which a negative sign is more than rounding.
    const MIN_ROUNDED_PIVOT: f64 = -1e-9;
    let n = p.nrows();
    for j in 0..n {
        let variance = p[(j, j)];
        let mut pivot = variance;
        for k in 0..j {
            pivot -= p[(j, k)] * p[(j, k)];
        }
        if !(variance >= 0.0 && pivot >= MIN_ROUNDED_PIVOT * variance && pivot.is_finite()) {
            return Err((j, pivot));
        }
        if pivot > MIN_PIVOT * variance {
            eliminate(p, j, pivot.sqrt());
        } else {
            p.column_mut(j).fill(0.0);
        }
    }
    Ok(())
}

/// Computes column j of the factor, whose diagonal entry is given.
fn eliminate(p: &mut DMatrix<f64>, j: usize, diagonal: f64) {
    p[(j, j)] = diagonal;
    for i in 0..j {
        p[(i, j)] = 0.0;
    }
    for i in j + 1..p.nrows() {
        let mut sum = p[(i, j)];
        for k in 0..j {
            sum -= p[(i, k)] * p[(j, k)];
        }
        p[(i, j)] = sum / diagonal;
    }
}

/// Computes Householder's QR decomposition: the columns of `a` (rows x columns, by columns) become those of
/// R, whose diagonal is not negative. Entries below the diagonal have no meaning afterwards. With A = `a`^T,
/// R^T is lower triangular and R^T R = A A^T.
pub fn triangularize(a: &mut [f64], rows: usize, columns: usize) {
    /// Norm below which a column counts as zero: the square of the norm has no digits.
    const MIN_NORM: f64 = 1e-145;
    debug_assert_eq!(a.len(), rows * columns);
    for k in 0..columns.min(rows) {
        let (left, right) = a.split_at_mut((k + 1) * rows);
        let pivot = &mut left[k * rows + k..];
        let norm = pivot.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm < MIN_NORM {
            pivot[0] = 0.0;
            continue;
        }
        let first = pivot[0];
        let diagonal = if first > 0.0 { -norm } else { norm };
        pivot[0] = first - diagonal;
        let scale = 1.0 / (norm * (norm + first.abs()));
        for column in right.chunks_exact_mut(rows) {
            let tail = &mut column[k..];
            let product: f64 = pivot.iter().zip(tail.iter()).map(|(a, b)| a * b).sum();
            let factor = scale * product;
            for (to, from) in tail.iter_mut().zip(pivot.iter()) {
                *to -= factor * from;
            }
        }
        pivot[0] = diagonal;
        if diagonal < 0.0 {
            for j in k..columns {
                a[j * rows + k] = -a[j * rows + k];
            }
        }
    }
}

/// Subtracts x x^T from S S^T, where `factor` holds S as R of [`triangularize`],
/// S(i, k) = factor[i*rows + k].
///
/// # Errors
/// The first row that is left without variance, and the square of its diagonal entry.
pub fn downdate(factor: &mut [f64], rows: usize, columns: usize, x: &mut [f64]) -> Result<(), (usize, f64)> {
    for k in 0..columns {
        let diagonal = factor[k * rows + k];
        let square = (diagonal - x[k]) * (diagonal + x[k]);
        if square.is_nan() || square <= 0.0 {
            return Err((k, square));
        }
        let new = square.sqrt();
        let (cosine, sine) = (new / diagonal, x[k] / diagonal);
        factor[k * rows + k] = new;
        for j in k + 1..columns {
            let entry = (factor[j * rows + k] - sine * x[j]) / cosine;
            x[j] = cosine * x[j] - sine * entry;
            factor[j * rows + k] = entry;
        }
    }
    Ok(())
}

/// Computes x = S^-1 x with a lower triangular S, which has as many rows as x; entries of x are 0 where the
/// diagonal is 0.
pub fn solve_lower(s: &DMatrix<f64>, x: &mut [f64]) {
    for i in 0..s.nrows().min(x.len()) {
        let mut sum = x[i];
        for k in 0..i {
            sum -= s[(i, k)] * x[k];
        }
        x[i] = if s[(i, i)] > 0.0 { sum / s[(i, i)] } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covariance() -> DMatrix<f64> {
        DMatrix::from_row_slice(3, 3, &[4.0, 2.0, 1e-6, 2.0, 3.0, -2e-6, 1e-6, -2e-6, 1e-11])
    }

    /// Every entry within rounding of its deviations' product.
    fn close(a: &DMatrix<f64>, b: &DMatrix<f64>) {
        for i in 0..b.nrows() {
            for j in 0..b.ncols() {
                let (a, b, size) = (a[(i, j)], b[(i, j)], (b[(i, i)] * b[(j, j)]).sqrt());
                assert!((a - b).abs() <= 4.0 * f64::EPSILON * size, "({i}, {j}): {a:e} {b:e}");
            }
        }
    }

    #[test]
    fn factors_give_the_matrix_again() {
        let p = covariance();
        let mut s = p.clone();
        cholesky(&mut s).unwrap();
        close(&(&s * s.transpose()), &p);
        let mut again = p.clone();
        semidefinite(&mut again).unwrap();
        assert_eq!(s, again);
        // the same from a sum of outer products, and with one of them taken away
        let x = [0.3, -0.2, 1e-7];
        let mut a: Vec<f64> =
            (0..3).flat_map(|i| (0..3).map(|k| s[(i, k)]).chain([x[i]]).collect::<Vec<_>>()).collect();
        triangularize(&mut a, 4, 3);
        let sum = DMatrix::from_fn(3, 3, |i, j| (0..=i.min(j)).map(|k| a[i * 4 + k] * a[j * 4 + k]).sum::<f64>());
        close(&sum, &(&p + DMatrix::from_fn(3, 3, |i, j| x[i] * x[j])));
        downdate(&mut a, 4, 3, &mut x.clone()).unwrap();
        for i in 0..3 {
            for k in 0..=i {
                // relative to the standard deviation, the length of a row
                assert!((a[i * 4 + k] - s[(i, k)]).abs() < 4e-15 * s.row(i).norm(), "{i} {k}");
            }
        }
        assert_eq!(downdate(&mut a, 4, 3, &mut [3.0, 0.0, 0.0]).unwrap_err().0, 0);
    }

    #[test]
    fn columns_without_digits_are_zero() {
        let mut a = vec![1e-170, 1e-165, 0.0, 1.0, 2.0, 2.0];
        triangularize(&mut a, 3, 2);
        assert_eq!(a[0], 0.0);
        assert!((a[3] * a[3] + a[4] * a[4] - 9.0).abs() < 1e-14 && a.iter().all(|x| x.is_finite()), "{a:?}");
    }

    #[test]
    fn singular_matrices_have_semidefinite_factors_only() {
        let p = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(cholesky(&mut p.clone()).unwrap_err().0, 1);
        let mut s = p.clone();
        semidefinite(&mut s).unwrap();
        assert_eq!(&s * s.transpose(), p);
        assert!(semidefinite(&mut DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 3.9])).is_err());
    }
}
