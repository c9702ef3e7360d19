//! Least squares whose unknowns may not all be determined: the inverse of S^T S, and its null space.

use nalgebra::{DMatrix, DVector};

/// Components of unit vectors below this are taken as zero.
const MIN_COMPONENT: f64 = 1e-6;

/// The normal equations S^T S of the rows S, whose entries are finite, by the singular values of S with
/// columns of norm 1: never from S^T S, whose condition is squared.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalEquations {
    /// Norms of the columns; 1 for a column of zeros.
    scale: DVector<f64>,
    /// (S^T S)^-1 with scaled columns, on the determined combinations of unknowns.
    inverse: DMatrix<f64>,
    /// Unit vectors of the combinations that are not determined, with scaled columns.
    missing: Vec<DVector<f64>>,
}

impl NormalEquations {
    /// Decomposes the rows S, one column per unknown, or their [`triangular_factor`].
    pub fn new(mut rows: DMatrix<f64>) -> Self {
        /// Singular values, relative to the largest one, below which the rows do not determine a combination of
        /// unknowns.
        const MIN_SINGULAR_VALUE: f64 = 1e-10;
        let n = rows.ncols();
        let norms = DVector::from_fn(n, |k, _| column_norm(&rows, k));
        let scale = norms.map(|norm| if norm > 0.0 { norm } else { 1.0 });
        divide_columns(&mut rows, &scale);
        let svd = triangular_factor(rows).svd(false, true);
        let (mut inverse, mut missing) = (DMatrix::zeros(n, n), Vec::new());
        let largest = svd.singular_values.iter().copied().fold(0.0, f64::max);
        for (sigma, row) in svd.singular_values.iter().zip(svd.v_t.iter().flat_map(|v_t| v_t.row_iter())) {
            let v = row.transpose();
            if *sigma > MIN_SINGULAR_VALUE * largest {
                inverse += &v * v.transpose() / (sigma * sigma);
            } else {
                missing.push(v);
            }
        }
        Self { scale, inverse, missing }
    }

    /// Returns the number of combinations of the unknowns that are determined.
    pub fn rank(&self) -> usize {
        self.scale.len() - self.missing.len()
    }

    /// Returns other rows with the scale of these.
    pub fn scaled(&self, mut rows: DMatrix<f64>) -> DMatrix<f64> {
        divide_columns(&mut rows, &self.scale);
        rows
    }

    /// Returns (S^T S)^-1. Unknowns that are not determined are infinite on the diagonal and NaN elsewhere.
    pub fn inverse(&self) -> DMatrix<f64> {
        self.physical(self.inverse.clone())
    }

    /// Returns (S^T S)^-1 B (S^T S)^-1 with B in the scale of [`scaled`](Self::scaled) rows, and undetermined
    /// unknowns as in [`inverse`](Self::inverse).
    pub fn spread(&self, middle: &DMatrix<f64>) -> DMatrix<f64> {
        self.physical(&self.inverse * middle * &self.inverse)
    }

    /// Returns the solution x of S^T S x = b; NaN for unknowns that are not determined.
    pub fn solve(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut x = (&self.inverse * b.component_div(&self.scale)).component_div(&self.scale);
        for k in (0..x.len()).filter(|&k| self.is_missing(k)) {
            x[k] = f64::NAN;
        }
        x
    }

    /// Returns the trace of (S^T S)^-1 T^T T for some rows T of S, [`scaled`](Self::scaled): the number of
    /// unknowns that these rows determine.
    pub fn determined_by(&self, rows: &DMatrix<f64>) -> f64 {
        (rows * &self.inverse).dot(rows)
    }

    /// Returns the combinations of changes of the unknowns that do not change the rows' products; the largest
    /// coefficient of each is 1.
    pub fn undetermined(&self) -> Vec<Vec<f64>> {
        self.missing.iter().map(|unit| combination(unit, &self.scale)).collect()
    }

    /// Checks whether an unknown is not determined.
    fn is_missing(&self, k: usize) -> bool {
        self.missing.iter().any(|unit| unit[k].abs() > MIN_COMPONENT)
    }

    fn physical(&self, mut matrix: DMatrix<f64>) -> DMatrix<f64> {
        let n = self.scale.len();
        for row in 0..n {
            for column in 0..n {
                matrix[(row, column)] /= self.scale[row] * self.scale[column];
            }
        }
        for k in (0..n).filter(|&k| self.is_missing(k)) {
            matrix.row_mut(k).fill(f64::NAN);
            matrix.column_mut(k).fill(f64::NAN);
            matrix[(k, k)] = f64::INFINITY;
        }
        matrix
    }
}

/// Returns the square R, upper triangular, with R^T R = S^T S.
pub fn triangular_factor(rows: DMatrix<f64>) -> DMatrix<f64> {
    let n = rows.ncols();
    // rows of zeros complete a square where there are fewer rows than unknowns
    let rows = if rows.nrows() < n { rows.resize_vertically(n, 0.0) } else { rows };
    rows.qr().r()
}

/// Computes the norm of a column without overflow of the squares.
fn column_norm(rows: &DMatrix<f64>, k: usize) -> f64 {
    let largest = rows.column(k).amax();
    if largest > 0.0 && largest.is_finite() { largest * (rows.column(k) / largest).norm() } else { 0.0 }
}

fn divide_columns(rows: &mut DMatrix<f64>, scale: &DVector<f64>) {
    for (mut column, scale) in rows.column_iter_mut().zip(scale) {
        column /= *scale;
    }
}

fn combination(unit: &DVector<f64>, scale: &DVector<f64>) -> Vec<f64> {
    let changes: Vec<_> =
        unit.iter().zip(scale).map(|(v, scale)| if v.abs() > MIN_COMPONENT { v / scale } else { 0.0 }).collect();
    let largest = changes.iter().copied().fold(0.0, |most: f64, c| if c.abs() > most.abs() { c } else { most });
    changes.iter().map(|change| change / largest).collect()
}
