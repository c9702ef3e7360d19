//! Linear systems that are solved once per run: by sparse elimination where they are large, with an analysis
//! of the rank where it is in doubt.

use nalgebra::linalg::{FullPivLU, LU, SVD};
use nalgebra::{DMatrix, DVector, Dyn};

use crate::linalg::{SparseLu, SparseMatrix, equilibrate};

/// Smallest pivot or singular value of an equilibrated matrix, relative to the largest one; smaller ones are zero.
const MIN_PIVOT: f64 = 1e-12;

/// Largest size of matrices that are treated as dense; larger ones are those of large models, and sparse.
const MAX_DENSE_SIZE: usize = 40;

/// Smallest pivot of the equilibrated matrix with which elimination leaves no doubt about the rank.
const MIN_CERTAIN_PIVOT: f64 = 1e-6;

/// Pivots, (row, column).
type Order = [(u32, u32)];

/// Returns the pivots of an order that are left of a matrix with these rows and columns, which are numbered again.
pub fn order_of_selected(order: &Order, indices: &[usize]) -> Vec<(u32, u32)> {
    let mut places = vec![None; indices.iter().max().map_or(0, |largest| largest + 1)];
    for (&index, place) in indices.iter().zip(0..) {
        places[index] = Some(place);
    }
    let place = |index: u32| *places.get(index as usize)?;
    order.iter().filter_map(|&(row, column)| Some((place(row)?, place(column)?))).collect()
}

/// Computes the sparse factors of a large regular matrix, with the pivots of `before` or of a given order where these
/// can be used; `None` where the rank has to be analysed.
fn sparse_factors(matrix: &SparseMatrix, before: Option<SparseLu>, order: &Order) -> Option<SparseLu> {
    let n = matrix.rows();
    if n <= MAX_DENSE_SIZE {
        return None;
    }
    let (pattern, values) = (matrix.pattern(), matrix.values());
    let before = before.filter(|factors| factors.pattern() == pattern);
    let mut factors = before.unwrap_or_else(|| SparseLu::with_order(&pattern, n, order));
    factors.factor(&values).ok()?;
    if factors.smallest_pivot() <= MIN_CERTAIN_PIVOT {
        factors.analyse(&values).ok()?;
    }
    (factors.smallest_pivot() > MIN_CERTAIN_PIVOT).then_some(factors)
}

/// Computes the factors of a small square matrix, which is much cheaper than a singular value decomposition;
/// `None` where the rank has to be analysed.
fn regular_factors(matrix: DMatrix<f64>) -> Option<LU<f64, Dyn, Dyn>> {
    let factors = matrix.lu();
    let pivots = factors.lu_internal().diagonal();
    let (smallest, largest) = (pivots.amin(), pivots.amax());
    (smallest > MIN_CERTAIN_PIVOT * largest && largest.is_finite()).then_some(factors)
}

/// Solves A X = B with the factors of A.
fn solve_columns(factors: &SparseLu, right: &DMatrix<f64>) -> DMatrix<f64> {
    let mut x = right.clone();
    for column in x.as_mut_slice().chunks_mut(right.nrows().max(1)) {
        factors.solve(column);
    }
    x
}

/// A square matrix, equilibrated and factorised.
#[derive(Debug)]
pub enum LuFactors {
    /// A large matrix.
    Sparse(Box<SparseLu>),
    /// A small matrix, or one whose rank is in doubt.
    Dense {
        /// Factors of the rows.
        rows: DVector<f64>,
        /// Factors of the columns.
        columns: DVector<f64>,
        /// LU factors of the equilibrated matrix.
        factors: Box<FullPivLU<f64, Dyn, Dyn>>,
    },
}

impl LuFactors {
    /// Computes the factors of a large matrix that is regular beyond doubt, with a given order of pivots where this one
    /// serves; `None` for other matrices.
    pub fn beyond_doubt(matrix: &SparseMatrix, order: &[(u32, u32)]) -> Option<Self> {
        sparse_factors(matrix, None, order).map(|factors| Self::Sparse(Box::new(factors)))
    }

    /// Factorises a matrix; for a singular one, the error has the indices of the unknowns that a null vector
    /// involves.
    pub fn new(matrix: &SparseMatrix) -> Result<Self, Vec<usize>> {
        if let Some(factors) = Self::beyond_doubt(matrix, &[]) {
            return Ok(factors);
        }
        let n = matrix.rows();
        let mut scaled = matrix.dense();
        let entries: Vec<(u32, u32)> =
            (0..n).flat_map(|column| (0..n).map(move |row| (row as u32, column as u32))).collect();
        let (rows, columns) = equilibrate((n, n), &entries, scaled.as_slice());
        let (rows, columns) = (DVector::from_vec(rows), DVector::from_vec(columns));
        scale(&mut scaled, &rows, &columns);
        let factors = scaled.clone().full_piv_lu();
        let pivots = factors.u().diagonal();
        let regular = pivots.iter().all(|pivot| pivot.abs() > MIN_PIVOT * pivots.amax());
        if !regular {
            return Err(left_null_indices(&scaled.transpose()));
        }
        Ok(Self::Dense { rows, columns, factors: Box::new(factors) })
    }

    /// Returns the sparse factors of a large matrix.
    pub fn sparse(&self) -> Option<&SparseLu> {
        match self {
            Self::Sparse(factors) => Some(factors),
            Self::Dense { .. } => None,
        }
    }

    /// Solves A X = B.
    pub fn solve(&self, right: &DMatrix<f64>) -> DMatrix<f64> {
        if right.is_empty() {
            return right.clone();
        }
        match self {
            Self::Sparse(factors) => solve_columns(factors, right),
            Self::Dense { rows, columns, factors } => {
                let ones = DVector::repeat(right.ncols(), 1.0);
                let mut x = right.clone();
                scale(&mut x, rows, &ones);
                // the factors are regular, as checked by `new`
                factors.solve_mut(&mut x);
                scale(&mut x, columns, &ones);
                x
            }
        }
    }
}

fn scale(matrix: &mut DMatrix<f64>, rows: &DVector<f64>, columns: &DVector<f64>) {
    for (mut column, factor) in matrix.column_iter_mut().zip(columns.iter()) {
        column.component_mul_assign(rows);
        column *= *factor;
    }
}

/// Least squares solutions of least norm for symmetric matrices that may be singular.
#[derive(Debug, Default)]
pub struct LeastNorm {
    /// Factors of the last matrix, if it was large and regular: its pivots can often be used for the next
    /// one.
    factors: Option<SparseLu>,
    /// An order of pivots that is used where it is accurate enough; empty without.
    order: Vec<(u32, u32)>,
}

impl LeastNorm {
    /// Creates solutions with an order of pivots, (row, column), for large matrices.
    pub fn with_order(order: Vec<(u32, u32)>) -> Self {
        Self { factors: None, order }
    }

    /// Solves A X = B for a symmetric A; `None` if an entry is not finite.
    pub fn solve(&mut self, matrix: &SparseMatrix, right: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        // unknowns without equation are zero: the remaining matrix is often regular
        let used: Vec<usize> = (0..matrix.columns()).filter(|&j| !matrix.column(j).is_empty()).collect();
        if used.len() < matrix.columns() {
            let mut x = DMatrix::zeros(matrix.columns(), right.ncols());
            if used.is_empty() {
                return Some(x);
            }
            let all = self.order.clone();
            self.order = order_of_selected(&all, &used);
            let solution = self.solve(&matrix.select(&used), &right.select_rows(&used));
            self.order = all;
            let solution = solution?;
            for (row, &j) in used.iter().enumerate() {
                x.row_mut(j).copy_from(&solution.row(row));
            }
            return Some(x);
        }
        self.factors = sparse_factors(matrix, self.factors.take(), &self.order);
        if let Some(factors) = &self.factors {
            return Some(solve_columns(factors, right));
        }
        if let Some(solution) = solve_dependent(matrix, right) {
            return Some(solution);
        }
        let matrix = matrix.dense();
        if let Some(factors) = regular_factors(matrix.clone()) {
            return factors.solve(right);
        }
        let svd = decompose(matrix)?;
        let limit = MIN_PIVOT * svd.singular_values.amax();
        svd.solve(right, limit).ok()
    }
}

/// Returns the least-norm solution of A X = B for a large symmetric A that may be singular, if there is a
/// solution: by iterative refinement with the factors of A plus a small diagonal. Null vectors have no share
/// in the solution, since the residuals of solvable equations are orthogonal to them.
fn solve_dependent(matrix: &SparseMatrix, right: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    /// Diagonal relative to the largest entry. Each round multiplies the residual by this ratio over the
    /// square of a singular value.
    const DIAGONAL: f64 = 1e-6;
    const MOST_ROUNDS: usize = 30;
    /// Residual of the equations that may be left, relative to their terms.
    const LEFT: f64 = 16.0 * f64::EPSILON;
    let n = matrix.rows();
    if n <= MAX_DENSE_SIZE {
        return None;
    }
    let mut diagonal = vec![0.0; n];
    let mut largest = 0f64;
    for (row, column, value) in matrix.iter() {
        largest = largest.max(value.abs());
        if row == column {
            diagonal[row] = value;
        }
    }
    let signed = |(j, value): (usize, &f64)| {
        let shift = DIAGONAL * largest;
        (j, j, if *value > 0.0 { shift } else { -shift })
    };
    let shifted = SparseMatrix::new(n, n, matrix.iter().chain(diagonal.iter().enumerate().map(signed)));
    let mut factors = SparseLu::new(&shifted.pattern(), n);
    factors.factor(&shifted.values()).ok()?;
    let mut x = DMatrix::zeros(n, right.ncols());
    for _ in 0..MOST_ROUNDS {
        let rest = right - matrix.product(&x);
        let (_, terms) = matrix.terms(&x);
        let mut is_solved = true;
        for (rest, (terms, right)) in rest.iter().zip(terms.iter().zip(right)) {
            is_solved &= rest.abs() <= LEFT * (terms + right.abs());
        }
        if is_solved {
            return Some(x);
        }
        x += solve_columns(&factors, &rest);
    }
    None
}

/// Returns the rows that a vanishing linear combination of rows involves; empty if the rows are independent.
///
/// Rows are brought to length 1 first, so that units do not matter; a zero row is dependent by itself.
pub fn dependent_rows(matrix: &SparseMatrix) -> Vec<usize> {
    let normalised = with_unit_rows(matrix);
    // [1, A^T; A, 0] is regular if the rows of A are independent
    let saddle = normalised.saddle((0..matrix.columns()).map(|j| (j, j, 1.0)));
    if sparse_factors(&saddle, None, &[]).is_some() || regular_factors(saddle.dense()).is_some() {
        return Vec::new();
    }
    nearly_dependent_rows(matrix, 1e2 * MIN_PIVOT)
}

/// Returns the rows of which a linear combination is at most this fraction of the rows themselves; empty if there is
/// none.
///
/// Rows are brought to length 1 first, as in [`dependent_rows`].
pub fn nearly_dependent_rows(matrix: &SparseMatrix, limit: f64) -> Vec<usize> {
    // with as many columns as rows there is a null vector for every dependency
    let columns = matrix.columns().max(matrix.rows());
    let padded = with_unit_rows(matrix).dense().resize_horizontally(columns, 0.0);
    let Some(svd) = decompose(padded.clone()) else {
        return (0..matrix.rows()).collect();
    };
    let values = &svd.singular_values;
    if values.is_empty() || values.amin() > limit * values.amax() {
        return Vec::new();
    }
    left_null_indices(&padded)
}

/// Returns the matrix with rows of length 1; zero rows stay zero.
fn with_unit_rows(matrix: &SparseMatrix) -> SparseMatrix {
    let mut normalised = matrix.clone();
    let factor = |norm: &f64| if *norm > 0.0 { 1.0 / norm } else { 1.0 };
    normalised.scale_rows(&matrix.row_norms().iter().map(factor).collect::<Vec<_>>());
    normalised
}

/// Returns the indices of larger entries in the left singular vector of the smallest singular value.
fn left_null_indices(matrix: &DMatrix<f64>) -> Vec<usize> {
    let vectors = decompose(matrix.clone()).and_then(|svd| Some((svd.singular_values.imin(), svd.u?)));
    let Some((smallest, vectors)) = vectors else {
        return (0..matrix.nrows()).collect();
    };
    let vector = vectors.column(smallest);
    let limit = 1e-3 * vector.amax();
    vector.iter().enumerate().filter(|(_, entry)| entry.abs() > limit).map(|(index, _)| index).collect()
}

/// Computes the singular value decomposition; `None` if an entry is not finite or the iteration does not end.
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

    fn sparse(matrix: &DMatrix<f64>) -> SparseMatrix {
        let (rows, columns) = matrix.shape();
        let entries = matrix.iter().enumerate().map(|(k, value)| (k % rows, k / rows, *value));
        SparseMatrix::new(rows, columns, entries)
    }

    #[test]
    fn badly_scaled_systems_are_solved() {
        let matrix = DMatrix::from_row_slice(3, 3, &[1e8, 2e3, 0.0, 1e-6, 3e-9, 1e-8, 0.0, 4.0, 1.0]);
        let x = DMatrix::from_row_slice(3, 1, &[1e-3, 2.0, -3.0]);
        let solved = LuFactors::new(&sparse(&matrix)).map(|lu| lu.solve(&(&matrix * &x))).unwrap();
        for (solved, x) in solved.iter().zip(x.iter()) {
            assert!((solved - x).abs() < 1e-10 * x.abs());
        }
    }

    /// A chain of springs, fixed at one end or free.
    fn chain(links: usize, fixed: f64) -> DMatrix<f64> {
        DMatrix::from_fn(links, links, |row, column| match row.abs_diff(column) {
            0 if row == 0 => 1.0 + fixed,
            0 if row + 1 == links => 1.0,
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        })
    }

    #[test]
    fn large_matrices_are_solved_as_small_ones() {
        for links in [MAX_DENSE_SIZE / 2, 3 * MAX_DENSE_SIZE] {
            let (matrix, x) = (chain(links, 1.0), DMatrix::from_fn(links, 2, |i, j| (i + 7 * j) as f64 - 9.0));
            let right = &matrix * &x;
            let solved = LuFactors::new(&sparse(&matrix)).map(|lu| lu.solve(&right)).unwrap();
            assert!((solved - &x).amax() < 1e-9);
            assert!((LeastNorm::default().solve(&sparse(&matrix), &right).unwrap() - &x).amax() < 1e-9);
            // free: all move together
            let free = chain(links, 0.0);
            assert_eq!(LuFactors::new(&sparse(&free)).err().map(|unknowns| unknowns.len()), Some(links));
            let springs = chain(links, 0.0).rows(0, links - 1).into_owned();
            assert_eq!(dependent_rows(&sparse(&springs)), Vec::<usize>::new());
            assert_eq!(dependent_rows(&sparse(&free)).len(), links);
            // unknowns of which no equation speaks are zero
            let wider = matrix.clone().insert_row(3, 0.0).insert_column(3, 0.0);
            let least = LeastNorm::default().solve(&sparse(&wider), &right.clone().insert_row(3, 7.0)).unwrap();
            assert!((least.clone().remove_row(3) - &x).amax() < 1e-9);
            assert_eq!(least.row(3).amax(), 0.0);
            let least = LeastNorm::default().solve(&sparse(&free), &DMatrix::from_element(links, 1, 0.0)).unwrap();
            assert_eq!(least.amax(), 0.0);
            // of all solutions that which is orthogonal to the common motion
            let pulled = DMatrix::from_fn(links, 1, |i, _| {
                [1.0, -1.0][usize::from(i > links / 2)] * f64::from(u8::from(i == 0 || i + 1 == links))
            });
            let least = LeastNorm::default().solve(&sparse(&free), &pulled).unwrap();
            assert!((&free * &least - pulled).amax() < 1e-12 && least.sum().abs() < 1e-9 * links as f64);
        }
    }

    #[test]
    fn singular_systems_name_their_unknowns() {
        let matrix = DMatrix::from_row_slice(3, 3, &[5.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 2.0, 2.0]);
        assert_eq!(LuFactors::new(&sparse(&matrix)).err(), Some(vec![1, 2]));
    }

    #[test]
    fn dependent_rows_are_found_whatever_their_units() {
        let rows = DMatrix::from_row_slice(3, 4, &[1.0, 0.0, 2.0, 0.0, 1e6, 0.0, 2e6, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(dependent_rows(&sparse(&rows)), [0, 1]);
        assert_eq!(dependent_rows(&sparse(&rows.rows(1, 2).into_owned())), Vec::<usize>::new());
        let near = sparse(&DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 3.0, 3e-6]));
        assert_eq!(nearly_dependent_rows(&near, 1e-5), [0, 1]);
        assert_eq!((nearly_dependent_rows(&near, 1e-7), dependent_rows(&near)), (vec![], vec![]));
        // more rows than columns
        assert_eq!(dependent_rows(&sparse(&DMatrix::from_row_slice(2, 1, &[1.0, 3.0]))), [0, 1]);
        assert_eq!(dependent_rows(&sparse(&DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.0]))), [1]);
    }
}
