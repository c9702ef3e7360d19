//! The dependence of coordinates on the independent ones, in numbers and in structure.

use nalgebra::linalg::LU;
use nalgebra::{DMatrix, Dyn};

/// Solutions with matrices, in numbers or in structure: the same formulas give values and the places of zeros.
pub(super) trait Arithmetic {
    /// The sign of what is subtracted: -1 for numbers, 1 where a sum must not vanish.
    const MINUS: f64;
    /// The factors of a matrix.
    type Factors;
    /// Factors a square matrix.
    fn factor(matrix: DMatrix<f64>) -> Self::Factors;
    /// Solves; `None` for a singular matrix.
    fn solve(factors: &Self::Factors, right: &DMatrix<f64>) -> Option<DMatrix<f64>>;
}

/// Numbers.
pub(super) struct Numbers;

impl Arithmetic for Numbers {
    const MINUS: f64 = -1.0;
    /// `None` for a matrix without rows, which `LU` does not take.
    type Factors = Option<LU<f64, Dyn, Dyn>>;

    fn factor(matrix: DMatrix<f64>) -> Self::Factors {
        (!matrix.is_empty()).then(|| matrix.lu())
    }

    fn solve(factors: &Self::Factors, right: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        let Some(factors) = factors else { return Some(DMatrix::zeros(0, right.ncols())) };
        factors.solve(right).filter(|solution| solution.iter().all(|value| value.is_finite()))
    }
}

/// Zeros, and numbers above 0 for what may be other than 0.
pub(super) struct Structure;

impl Arithmetic for Structure {
    const MINUS: f64 = 1.0;
    /// For every row and column the number of the block that it belongs to; blocks are full in an inverse.
    type Factors = (Vec<usize>, Vec<usize>);

    fn factor(matrix: DMatrix<f64>) -> Self::Factors {
        let mut rows: Vec<usize> = (0..matrix.nrows()).collect();
        let mut columns: Vec<usize> = (0..matrix.ncols()).map(|column| matrix.nrows() + column).collect();
        for (column, of_column) in matrix.column_iter().enumerate() {
            for row in (0..matrix.nrows()).filter(|&row| of_column[row] != 0.0) {
                let (from, to) = (columns[column], rows[row]);
                rows.iter_mut().chain(&mut columns).filter(|block| **block == from).for_each(|block| *block = to);
            }
        }
        (rows, columns)
    }

    fn solve((rows, columns): &Self::Factors, right: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        Some(DMatrix::from_fn(columns.len(), right.ncols(), |place, column| {
            let mut of_block = (0..rows.len()).filter(|&row| rows[row] == columns[place]);
            f64::from(of_block.any(|row| right[(row, column)] != 0.0))
        }))
    }
}

/// The dependent coordinates at a position.
pub(super) struct Dependence<'a, A: Arithmetic> {
    /// C_d, with rows of C_q of length 1.
    factors: A::Factors,
    scales: Vec<f64>,
    /// C_q (m x n).
    jacobian: &'a DMatrix<f64>,
    dependent: &'a [usize],
}

impl<'a, A: Arithmetic> Dependence<'a, A> {
    /// Factors the columns of the dependent coordinates.
    pub fn new(jacobian: &'a DMatrix<f64>, dependent: &'a [usize]) -> Self {
        let mut own = jacobian.select_columns(dependent);
        let scale = |norm: f64| if norm > 0.0 { 1.0 / norm } else { 1.0 };
        let scales: Vec<f64> = jacobian.row_iter().map(|row| scale(row.norm())).collect();
        own.row_iter_mut().zip(&scales).for_each(|(mut row, scale)| row *= *scale);
        Self { factors: A::factor(own), scales, jacobian, dependent }
    }

    /// Returns motions of dependent coordinates (n rows) that take away `constraint` (m rows): C_q times them is its
    /// negative.
    pub fn closing(&self, constraint: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        let mut right = constraint * A::MINUS;
        right.row_iter_mut().zip(&self.scales).for_each(|(mut row, scale)| row *= *scale);
        let solved = A::solve(&self.factors, &right)?;
        let mut all = DMatrix::zeros(self.jacobian.ncols(), constraint.ncols());
        for (&index, row) in self.dependent.iter().zip(solved.row_iter()) {
            all.set_row(index, &row);
        }
        Some(all)
    }

    /// Returns the motions Z of all coordinates with each of these independent ones (n rows).
    pub fn motions(&self, of: &[usize]) -> Option<DMatrix<f64>> {
        let mut motions = self.closing(&self.jacobian.select_columns(of))?;
        of.iter().enumerate().for_each(|(column, &index)| motions[(index, column)] = 1.0);
        Some(motions)
    }

    /// Returns R (n x m) with C_q R = 1, which turns forces into the multipliers that balance them: R^T C_q^T = 1.
    pub fn reactions(&self) -> Option<DMatrix<f64>> {
        let m = self.jacobian.nrows();
        self.closing(&(DMatrix::identity(m, m) * A::MINUS))
    }
}

impl Dependence<'_, Numbers> {
    /// Returns the smallest pivot, relative to the largest; 1 without constraints.
    pub fn ratio(&self) -> f64 {
        let Some(factors) = &self.factors else { return 1.0 };
        let diagonal = factors.u().diagonal().abs();
        diagonal.min() / diagonal.max().max(f64::MIN_POSITIVE)
    }
}
