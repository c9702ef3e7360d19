//! The motions for which a matrix is zero, as far as rounding shows.

use nalgebra::DMatrix;

/// The rest that elimination with an account of rounding leaves of a matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Undetermined {
    /// Vectors x with A x = 0 (size x z).
    pub right: DMatrix<f64>,
    /// Vectors y with y^T A = 0 (size x z).
    pub left: DMatrix<f64>,
    /// The rounding of y^T A x (z x z).
    pub rounding: DMatrix<f64>,
}

impl Undetermined {
    /// Eliminates with the largest pivots of the scaled matrix, until only entries are left that are not larger than
    /// their rounding.
    ///
    /// Every entry has a rounding of its own, so that what is small beside other parts of the matrix is no zero.
    pub fn of(matrix: &DMatrix<f64>, rounding: &DMatrix<f64>, scales: &[f64]) -> Self {
        let size = matrix.nrows();
        let scaled =
            |matrix: &DMatrix<f64>| DMatrix::from_fn(size, size, |i, j| scales[i] * matrix[(i, j)] * scales[j]);
        let (mut a, mut e) = (scaled(matrix), scaled(rounding));
        let (mut rows, mut columns): (Vec<usize>, Vec<usize>) = ((0..size).collect(), (0..size).collect());
        let mut rank = 0;
        while let Some((row, column)) = pivot(&a, &e, rank) {
            a.swap_rows(rank, row);
            e.swap_rows(rank, row);
            rows.swap(rank, row);
            a.swap_columns(rank, column);
            e.swap_columns(rank, column);
            columns.swap(rank, column);
            let (of_pivot, of_rounding) = (a[(rank, rank)], e[(rank, rank)]);
            for i in rank + 1..size {
                let factor = a[(i, rank)] / of_pivot;
                let doubt = (e[(i, rank)] + factor.abs() * of_rounding) / of_pivot.abs();
                a[(i, rank)] = factor;
                if factor == 0.0 && doubt == 0.0 {
                    continue;
                }
                for j in rank + 1..size {
                    let above = a[(rank, j)];
                    let term = factor * above;
                    a[(i, j)] -= term;
                    e[(i, j)] += factor.abs() * e[(rank, j)] + doubt * above.abs() + f64::EPSILON * term.abs();
                }
            }
            rank += 1;
        }
        let z = size - rank;
        let mut upper = -a.view((0, rank), (rank, z)).into_owned();
        let mut lower = -a.view((rank, 0), (z, rank)).transpose();
        let factors = a.view((0, 0), (rank, rank));
        // the pivots are not zero
        factors.solve_upper_triangular_mut(&mut upper);
        let factors = factors.transpose();
        let unit = DMatrix::from_fn(rank, rank, |i, j| if i == j { 1.0 } else { factors[(i, j)] });
        unit.solve_upper_triangular_mut(&mut lower);
        let placed = |vectors: &DMatrix<f64>, order: &[usize]| {
            let mut all = DMatrix::zeros(size, z);
            for (place, &index) in order.iter().enumerate() {
                for k in 0..z {
                    let own = if place == rank + k { 1.0 } else { 0.0 };
                    let entry = if place < rank { vectors[(place, k)] } else { own };
                    all[(index, k)] = scales[index] * entry;
                }
            }
            all
        };
        Self {
            right: placed(&upper, &columns),
            left: placed(&lower, &rows),
            rounding: e.view((rank, rank), (z, z)).into_owned(),
        }
    }

    /// Returns the number z of motions.
    pub fn count(&self) -> usize {
        self.right.ncols()
    }
}

/// Returns the largest entry that is left and more than its rounding; one that is hardly more, only where no other is
/// left.
fn pivot(a: &DMatrix<f64>, e: &DMatrix<f64>, rank: usize) -> Option<(usize, usize)> {
    /// Multiple of its rounding from which a pivot is taken before those that are nearer to it.
    const CLEAR_PIVOT_RATIO: f64 = 16.0;
    let size = a.nrows();
    let largest = |multiple: f64| {
        let mut found = None;
        let mut most = 0.0;
        for column in rank..size {
            for row in rank..size {
                let entry = a[(row, column)].abs();
                if entry > most && entry > multiple * e[(row, column)] {
                    (found, most) = (Some((row, column)), entry);
                }
            }
        }
        found
    };
    largest(CLEAR_PIVOT_RATIO).or_else(|| largest(1.0))
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::Undetermined;

    fn of(size: usize, entries: &[f64]) -> Undetermined {
        let matrix = DMatrix::from_row_slice(size, size, entries);
        Undetermined::of(&matrix, &(matrix.abs() * (2.0 * f64::EPSILON)), &vec![1.0; size])
    }

    #[test]
    fn what_is_small_is_no_zero() {
        assert_eq!(of(2, &[1.0, 0.0, 0.0, 1e30]).count(), 0);
        assert_eq!(of(2, &[1e8 + 1e-6, -1e8, -1e8, 1e8]).count(), 0);
        assert_eq!(of(2, &[1e11 - 40.0, -1e11, -1e11, 1e11]).count(), 0);
    }

    #[test]
    fn what_rounding_hides_is_undetermined() {
        assert_eq!(of(2, &[1e16 + 1.0, -1e16, -1e16, 1e16]).count(), 1);
        // 0.1 + 0.2 is not 0.3
        let free = of(3, &[0.1, -0.1, 0.0, -0.1, 0.1 + 0.2, -0.2, 0.0, -0.2, 0.2]);
        assert_eq!(free.count(), 1);
        let x = free.right.column(0);
        assert!((x / x[0]).iter().all(|entry| (entry - 1.0).abs() < 1e-14), "{x}");
        let one_sided = of(2, &[3.0, 6.0, 1.0, 2.0]);
        assert_eq!(one_sided.count(), 1);
        let y = one_sided.left.column(0);
        assert!((3.0 * y[0] + y[1]).abs() < 1e-15 * y.norm(), "{y}");
    }
}
