//! The triangular factor of matrices with many more rows than columns.

use std::ops::Range;

use nalgebra::{DMatrix, DMatrixViewMut};

/// Rows that are taken together: few enough to stay in the processor's cache with some hundred columns.
const BLOCK_ROWS: usize = 512;

/// Squares of norms outside of this range may have lost digits, or be infinite.
const SQUARES: Range<f64> = 1e-250..1e250;

/// The square R, upper triangular, with R^T R = A^T A, of a matrix A with so many rows and columns; `fill` writes some
/// of its rows, which it may be asked for more than once. `None` where a number is not finite.
///
/// R comes from the products of the columns (Cholesky) where these are sufficiently independent, as it takes a fraction
/// of the time, and by blocks of rows from reflections (Householder) elsewhere.
pub fn tall_factor(
    rows: usize,
    columns: usize,
    fill: &dyn Fn(Range<usize>, DMatrixViewMut<'_, f64>),
) -> Option<DMatrix<f64>> {
    /// Least number of columns with which products of the columns are faster than reflections.
    const MIN_COLUMNS: usize = 24;
    /// Least number of rows for each column with which they are.
    const MIN_ROWS_PER_COLUMN: usize = 8;
    if columns >= MIN_COLUMNS
        && rows >= MIN_ROWS_PER_COLUMN * columns
        && let Some(factor) = by_products(rows, columns, fill)
    {
        return Some(factor);
    }
    by_reflections(rows, columns, fill)
}

fn blocks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(BLOCK_ROWS).map(move |first| first..rows.min(first + BLOCK_ROWS))
}

/// `None` where this would lose too many digits, or a number is not finite.
fn by_products(
    rows: usize,
    columns: usize,
    fill: &dyn Fn(Range<usize>, DMatrixViewMut<'_, f64>),
) -> Option<DMatrix<f64>> {
    /// The least square of a pivot, with columns of norm 1, down to which the factor of the products is taken: it then
    /// has lost ten of sixteen digits.
    const MIN_SQUARED_PIVOT: f64 = 1e-10;
    let mut products = DMatrix::zeros(columns, columns);
    let mut matrix = DMatrix::zeros(BLOCK_ROWS, columns);
    for block in blocks(rows) {
        let count = block.len();
        fill(block, matrix.rows_mut(0, count));
        let own = matrix.rows(0, count);
        products.gemm(1.0, &own.transpose(), &own, 1.0);
    }
    let norms: Vec<f64> = products.diagonal().iter().map(|square| square.sqrt()).collect();
    if products.diagonal().iter().any(|square| *square != 0.0 && !SQUARES.contains(square)) {
        return None;
    }
    for (row, a) in norms.iter().enumerate() {
        for (column, b) in norms.iter().enumerate() {
            // a column of zeros has a pivot of its own, which is taken out again
            let scale = a * b;
            products[(row, column)] = match scale > 0.0 {
                true => products[(row, column)] / scale,
                false => f64::from(row == column),
            };
        }
    }
    let mut factor = products.cholesky()?.unpack().transpose();
    if !factor.diagonal().iter().all(|pivot| pivot * pivot > MIN_SQUARED_PIVOT) {
        return None;
    }
    for (mut column, norm) in factor.column_iter_mut().zip(&norms) {
        column *= *norm;
    }
    factor.iter().all(|entry| entry.is_finite()).then_some(factor)
}

fn by_reflections(
    rows: usize,
    columns: usize,
    fill: &dyn Fn(Range<usize>, DMatrixViewMut<'_, f64>),
) -> Option<DMatrix<f64>> {
    // the factor of the rows so far stands above the next ones; rows of zeros change nothing
    let mut factor = DMatrix::zeros(columns, columns);
    for block in blocks(rows) {
        let count = block.len();
        let mut matrix = factor.resize_vertically(columns + count, 0.0);
        fill(block, matrix.rows_mut(columns, count));
        if matrix.iter().any(|entry| !entry.is_finite()) {
            return None;
        }
        factor = matrix.qr().unpack_r();
    }
    factor.iter().all(|entry| entry.is_finite()).then_some(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: usize = 1500;
    const COLUMNS: usize = 40;

    fn entry(row: usize, column: usize) -> f64 {
        10f64.powi(column as i32 % 7 - 3) * ((row * (column + 3)) as f64 * 0.37 + column as f64).sin()
    }

    fn both(entry: impl Fn(usize, usize) -> f64) -> [Option<DMatrix<f64>>; 2] {
        let fill = |rows: Range<usize>, mut matrix: DMatrixViewMut<'_, f64>| {
            for (i, row) in rows.enumerate() {
                (0..COLUMNS).for_each(|column| matrix[(i, column)] = entry(row, column));
            }
        };
        [by_products(ROWS, COLUMNS, &fill), by_reflections(ROWS, COLUMNS, &fill)]
    }

    #[test]
    fn both_ways_lead_to_the_same_products() {
        let [products, reflections] = both(entry).map(Option::unwrap);
        let matrix = DMatrix::from_fn(ROWS, COLUMNS, entry);
        let expected = matrix.transpose() * &matrix;
        for factor in [products, reflections] {
            let found = factor.transpose() * &factor;
            for ((row, column), value) in
                (0..COLUMNS * COLUMNS).map(|k| ((k % COLUMNS, k / COLUMNS), found[(k % COLUMNS, k / COLUMNS)]))
            {
                let size = (expected[(row, row)] * expected[(column, column)]).sqrt();
                assert!((value - expected[(row, column)]).abs() < 1e-12 * size, "{row} {column}");
            }
        }
    }

    #[test]
    fn columns_of_zeros_have_factors_of_zeros() {
        let [products, reflections] =
            both(|row, column| if column == 5 { 0.0 } else { entry(row, column) }).map(Option::unwrap);
        assert!(products.column(5).iter().chain(&products.row(5)).all(|entry| *entry == 0.0));
        assert!(reflections.column(5).iter().all(|entry| entry.abs() < 1e-12));
    }

    #[test]
    fn columns_that_depend_on_each_other_and_what_is_not_finite_are_left_to_reflections() {
        let dependent = |row: usize, column: usize| match column {
            5 => entry(row, 4) - entry(row, 3) * (1.0 + 1e-9 * (row as f64).cos()),
            _ => entry(row, column),
        };
        assert!(both(dependent)[0].is_none());
        let [products, reflections] = both(|row, _| if row == 700 { f64::NAN } else { 1.0 });
        assert!(products.is_none() && reflections.is_none());
    }
}
