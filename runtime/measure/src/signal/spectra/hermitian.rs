//! Inverses of small Hermitian matrices.

use costate_numerics::fourier::Complex;

/// Returns the inverse of a positive definite Hermitian matrix with ones on its diagonal, by rows; `None` if it is not
/// positive definite. Gauss and Jordan's method needs no other order of pivots for such a matrix.
pub(super) fn inverse(rows: &[Complex<f64>], size: usize) -> Option<Vec<Complex<f64>>> {
    /// Least pivot of a matrix with a diagonal of ones.
    const MIN_PIVOT: f64 = 1e-12;
    let mut a = rows.to_vec();
    if a.len() != size * size {
        return None;
    }
    for k in 0..size {
        let pivot = a.get(k * size + k)?.re;
        if pivot.is_nan() || pivot <= MIN_PIVOT {
            return None;
        }
        let row: Vec<_> = a.get(k * size..(k + 1) * size)?.to_vec();
        for (_, own) in a.chunks_exact_mut(size).enumerate().filter(|(i, _)| *i != k) {
            let factor = *own.get(k)? / pivot;
            for (j, (value, other)) in own.iter_mut().zip(&row).enumerate() {
                *value = if j == k { -factor } else { *value - factor * other };
            }
        }
        for (j, value) in a.get_mut(k * size..(k + 1) * size)?.iter_mut().enumerate() {
            *value = if j == k { Complex::new(1.0 / pivot, 0.0) } else { *value / pivot };
        }
    }
    Some(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_with_the_inverse_are_the_unit_matrix() {
        let c = |re, im| Complex::new(re, im);
        let a = [
            c(1.0, 0.0),
            c(0.3, 0.4),
            c(-0.2, 0.1),
            c(0.3, -0.4),
            c(1.0, 0.0),
            c(0.1, 0.5),
            c(-0.2, -0.1),
            c(0.1, -0.5),
            c(1.0, 0.0),
        ];
        let b = inverse(&a, 3).unwrap_or_default();
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let sum: Complex<f64> = (0..3).map(|k| a[3 * i + k] * b[3 * k + j]).sum();
            assert!((sum - f64::from(u8::from(i == j))).norm() < 1e-14, "{i} {j}: {sum}");
        }
        assert_eq!(inverse(&[c(1.0, 0.0); 4], 2), None);
        assert_eq!(inverse(&[c(f64::NAN, 0.0)], 1), None);
        assert_eq!(inverse(&a, 2), None);
    }
}
