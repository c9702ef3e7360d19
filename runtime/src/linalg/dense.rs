//! Dense matrices, for what is solved once per run.

use nalgebra::linalg::{FullPivLU, SVD};
use nalgebra::{DMatrix, DVector, Dyn};

use crate::linalg::equilibrate;
use crate::model::Block;

/// Below this ratio to the largest, a pivot or singular value of an equilibrated matrix is zero.
const RANK_LIMIT: f64 = 1e-12;

/// A matrix from an emitted block; `rows` and `columns` because blocks without entries have no size.
pub(crate) fn dense(block: &Block, group: &[f64], rows: usize, columns: usize) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(rows, columns);
    for (row, column, value) in block.iter(group) {
        matrix[(row, column)] = value;
    }
    matrix
}

/// A square matrix, equilibrated and factorised.
pub(crate) struct DenseLu {
    rows: DVector<f64>,
    columns: DVector<f64>,
    factors: FullPivLU<f64, Dyn, Dyn>,
}

impl DenseLu {
    /// Factorises; for a singular matrix, gives the indices of the unknowns that a null vector involves.
    pub fn new(matrix: &DMatrix<f64>) -> Result<Self, Vec<usize>> {
        let n = matrix.nrows();
        let entries: Vec<(u32, u32)> =
            (0..n).flat_map(|column| (0..n).map(move |row| (row as u32, column as u32))).collect();
        let (rows, columns) = equilibrate((n, n), &entries, matrix.as_slice());
        let (rows, columns) = (DVector::from_vec(rows), DVector::from_vec(columns));
        let mut scaled = matrix.clone();
        scale(&mut scaled, &rows, &columns);
        let factors = scaled.clone().full_piv_lu();
        let pivots = factors.u().diagonal();
        let regular = pivots.iter().all(|pivot| pivot.abs() > RANK_LIMIT * pivots.amax());
        if !regular {
            return Err(left_null_indices(&scaled.transpose()));
        }
        Ok(Self { rows, columns, factors })
    }

    /// Solves A X = B.
    pub fn solve(&self, right: &DMatrix<f64>) -> DMatrix<f64> {
        let mut x = right.clone();
        scale(&mut x, &self.rows, &DVector::repeat(right.ncols(), 1.0));
        // the factors are regular, as checked by `new`
        self.factors.solve_mut(&mut x);
        scale(&mut x, &self.columns, &DVector::repeat(right.ncols(), 1.0));
        x
    }
}

fn scale(matrix: &mut DMatrix<f64>, rows: &DVector<f64>, columns: &DVector<f64>) {
    for (mut column, factor) in matrix.column_iter_mut().zip(columns.iter()) {
        column.component_mul_assign(rows);
        column *= *factor;
    }
}

/// Solves A X = B for a symmetric A that may be singular: the least squares solution of least norm.
pub(crate) fn solve_least_norm(matrix: DMatrix<f64>, right: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let svd = decompose(matrix)?;
    let limit = RANK_LIMIT * svd.singular_values.amax();
    svd.solve(right, limit).ok()
}

/// The rows that a vanishing linear combination of rows involves; empty if the rows are independent.
///
/// Rows are brought to length 1 first, so that units do not matter; a zero row is dependent by itself.
pub(crate) fn dependent_rows(matrix: &DMatrix<f64>) -> Vec<usize> {
    let mut normalised = matrix.clone();
    for mut row in normalised.row_iter_mut() {
        let norm = row.norm();
        if norm > 0.0 {
            row /= norm;
        }
    }
    // with as many columns as rows there is a null vector for every dependency
    let columns = matrix.ncols().max(matrix.nrows());
    let padded = normalised.resize_horizontally(columns, 0.0);
    let Some(svd) = decompose(padded.clone()) else {
        return (0..matrix.nrows()).collect();
    };
    let values = &svd.singular_values;
    if values.is_empty() || values.amin() > 1e2 * RANK_LIMIT * values.amax() {
        return Vec::new();
    }
    left_null_indices(&padded)
}

/// The larger entries of the left singular vector that belongs to the smallest singular value.
fn left_null_indices(matrix: &DMatrix<f64>) -> Vec<usize> {
    let vectors = decompose(matrix.clone()).and_then(|svd| Some((svd.singular_values.imin(), svd.u?)));
    let Some((smallest, vectors)) = vectors else {
        return (0..matrix.nrows()).collect();
    };
    let vector = vectors.column(smallest);
    let limit = 1e-3 * vector.amax();
    vector.iter().enumerate().filter(|(_, entry)| entry.abs() > limit).map(|(index, _)| index).collect()
}

/// The singular value decomposition; `None` if an entry is not finite or the iteration does not end.
fn decompose(matrix: DMatrix<f64>) -> Option<SVD<f64, Dyn, Dyn>> {
    const MOST_ITERATIONS: usize = 10_000;
    if matrix.is_empty() || !matrix.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    SVD::try_new(matrix, true, true, f64::EPSILON, MOST_ITERATIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn badly_scaled_systems_are_solved() {
        let matrix = DMatrix::from_row_slice(3, 3, &[1e8, 2e3, 0.0, 1e-6, 3e-9, 1e-8, 0.0, 4.0, 1.0]);
        let x = DMatrix::from_row_slice(3, 1, &[1e-3, 2.0, -3.0]);
        let solved = DenseLu::new(&matrix).map(|lu| lu.solve(&(&matrix * &x))).unwrap();
        for (solved, x) in solved.iter().zip(x.iter()) {
            assert!((solved - x).abs() < 1e-10 * x.abs());
        }
    }

    #[test]
    fn singular_systems_name_their_unknowns() {
        let matrix = DMatrix::from_row_slice(3, 3, &[5.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 2.0, 2.0]);
        assert_eq!(DenseLu::new(&matrix).err(), Some(vec![1, 2]));
    }

    #[test]
    fn dependent_rows_are_found_whatever_their_units() {
        let rows =
            DMatrix::from_row_slice(3, 4, &[1.0, 0.0, 2.0, 0.0, 1e6, 0.0, 2e6, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(dependent_rows(&rows), [0, 1]);
        assert_eq!(dependent_rows(&rows.rows(1, 2).into_owned()), Vec::<usize>::new());
        // more rows than columns
        assert_eq!(dependent_rows(&DMatrix::from_row_slice(2, 1, &[1.0, 3.0])), [0, 1]);
        assert_eq!(dependent_rows(&DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.0])), [1]);
    }
}
