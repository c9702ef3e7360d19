//! Sparse matrices, for what is assembled from emitted blocks once per run.

use nalgebra::DMatrix;

use costate_contract::Block;

/// A sparse matrix by columns, without zeros.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseMatrix {
    rows: usize,
    /// The start of every column in `entries`, and the end of the last one.
    starts: Vec<usize>,
    /// (row, value), by rows in every column.
    entries: Vec<(usize, f64)>,
}

impl SparseMatrix {
    /// The matrix with these entries, (row, column, value); those at the same position add.
    pub fn new(rows: usize, columns: usize, entries: impl IntoIterator<Item = (usize, usize, f64)>) -> Self {
        let entries = entries.into_iter();
        let mut all: Vec<(usize, usize, f64)> = Vec::with_capacity(entries.size_hint().1.unwrap_or(0));
        all.extend(entries.filter(|entry| entry.2 != 0.0));
        Self::of_entries(rows, columns, all)
    }

    /// A matrix with these entries, none of them zero. It is compiled once, not for every iterator and model.
    #[inline(never)]
    fn of_entries(rows: usize, columns: usize, all: Vec<(usize, usize, f64)>) -> Self {
        let mut next = vec![0; columns + 1];
        for (_, column, _) in &all {
            next[column + 1] += 1;
        }
        for column in 0..columns {
            next[column + 1] += next[column];
        }
        let mut by_column = vec![(0, 0.0); all.len()];
        for (row, column, value) in all {
            by_column[next[column]] = (row, value);
            next[column] += 1;
        }
        let (mut starts, mut entries) = (Vec::with_capacity(columns + 1), Vec::with_capacity(by_column.len()));
        starts.push(0);
        let mut start = 0;
        for end in next.into_iter().take(columns) {
            let column = &mut by_column[start..end];
            // most are made row by row
            if column.is_sorted_by(|one, other| one.0 < other.0) {
                entries.extend_from_slice(column);
            } else {
                column.sort_by_key(|(row, _)| *row);
                for same in column.chunk_by(|one, other| one.0 == other.0) {
                    let value: f64 = same.iter().map(|(_, value)| value).sum();
                    if value != 0.0 {
                        entries.push((same[0].0, value));
                    }
                }
            }
            start = end;
            starts.push(entries.len());
        }
        Self { rows, starts, entries }
    }

    /// From an emitted block; `rows` and `columns` because blocks without entries have no size.
    pub fn of_block(block: &Block, group: &[f64], rows: usize, columns: usize) -> Self {
        Self::new(rows, columns, block.iter(group))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    /// (row, value) of the entries of a column.
    pub fn column(&self, column: usize) -> &[(usize, f64)] {
        &self.entries[self.starts[column]..self.starts[column + 1]]
    }

    /// (row, column, value) of every entry, by columns.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let mut column = 0;
        self.entries.iter().enumerate().map(move |(place, &(row, value))| {
            while self.starts[column + 1] <= place {
                column += 1;
            }
            (row, column, value)
        })
    }

    /// (row, column) of every entry, by columns.
    pub fn pattern(&self) -> Vec<(u32, u32)> {
        let mut pattern = Vec::with_capacity(self.entries.len());
        for column in 0..self.columns() {
            pattern.extend(self.column(column).iter().map(|&(row, _)| (row as u32, column as u32)));
        }
        pattern
    }

    /// The value of every entry, by columns.
    pub fn values(&self) -> Vec<f64> {
        self.entries.iter().map(|&(_, value)| value).collect()
    }

    /// The columns with these indices.
    pub fn select_columns(&self, columns: &[usize]) -> Self {
        let mut starts = Vec::with_capacity(columns.len() + 1);
        starts.push(0);
        let mut entries = Vec::with_capacity(columns.iter().map(|&column| self.column(column).len()).sum::<usize>());
        for &column in columns {
            entries.extend_from_slice(self.column(column));
            starts.push(entries.len());
        }
        Self { rows: self.rows, starts, entries }
    }

    /// The rows and columns with these indices, all different.
    pub fn select(&self, indices: &[usize]) -> Self {
        let mut places = vec![None; self.rows];
        for (place, &index) in indices.iter().enumerate() {
            places[index] = Some(place);
        }
        let columns = self.select_columns(indices);
        let mut starts = Vec::with_capacity(columns.starts.len());
        starts.push(0);
        let mut entries = Vec::with_capacity(columns.entries.len());
        // rows stay in order where the indices ascend
        let ascend = indices.is_sorted();
        for column in 0..columns.columns() {
            let start = entries.len();
            let kept = columns.column(column).iter();
            entries.extend(kept.filter_map(|&(row, value)| Some((places[row]?, value))));
            if !ascend && let Some(column) = entries.get_mut(start..) {
                column.sort_unstable_by_key(|(row, _)| *row);
            }
            starts.push(entries.len());
        }
        Self { rows: indices.len(), starts, entries }
    }

    /// Multiplies every row by its factor.
    pub fn scale_rows(&mut self, factors: &[f64]) {
        for (row, value) in &mut self.entries {
            *value *= factors[*row];
        }
    }

    /// The lengths of the rows.
    pub fn row_norms(&self) -> Vec<f64> {
        let mut norms = vec![0.0; self.rows];
        for &(row, value) in &self.entries {
            norms[row] += value * value;
        }
        norms.iter_mut().for_each(|norm| *norm = norm.sqrt());
        norms
    }

    /// A X.
    pub fn product(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut product = DMatrix::zeros(self.rows, x.ncols());
        for (mut product, x) in product.column_iter_mut().zip(x.column_iter()) {
            for (row, column, value) in self.iter() {
                product[row] += value * x[column];
            }
        }
        product
    }

    /// The size of the terms of A X: |A| |X|, and the same where all numbers in a column of X are as large as the
    /// largest.
    pub fn terms(&self, x: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
        let mut terms = DMatrix::zeros(self.rows, x.ncols());
        let mut bounds = terms.clone();
        for (k, x) in x.column_iter().enumerate() {
            let largest = x.amax();
            for (row, column, value) in self.iter() {
                terms[(row, k)] += value.abs() * x[column].abs();
                bounds[(row, k)] += value.abs() * largest;
            }
        }
        (terms, bounds)
    }

    /// A^T X.
    pub fn transposed_product(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut product = DMatrix::zeros(self.columns(), x.ncols());
        for (mut product, x) in product.column_iter_mut().zip(x.column_iter()) {
            for (row, column, value) in self.iter() {
                product[column] += value * x[row];
            }
        }
        product
    }

    /// A A^T.
    pub fn normal(&self) -> Self {
        let transposed = self.transposed();
        let mut sums = vec![None; self.rows];
        let (mut touched, mut columns) = (Vec::new(), Vec::with_capacity(self.rows + 1));
        let mut entries = Vec::with_capacity(2 * self.entries.len());
        columns.push(0);
        for row in 0..self.rows {
            for &(column, value) in transposed.column(row) {
                for &(other, factor) in self.column(column) {
                    match &mut sums[other] {
                        Some(sum) => *sum += factor * value,
                        sum => {
                            *sum = Some(factor * value);
                            touched.push(other);
                        }
                    }
                }
            }
            let sums = touched.drain(..).filter_map(|other| Some((other, sums[other].take()?)));
            entries.extend(sums.filter(|(_, sum)| *sum != 0.0));
            columns.push(entries.len());
        }
        // a symmetric matrix is its own transposed, which has the rows of columns in order
        Self { rows: self.rows, starts: columns, entries }.transposed()
    }

    /// A^T.
    fn transposed(&self) -> Self {
        let mut starts = vec![0; self.rows + 1];
        for (row, _) in &self.entries {
            starts[row + 1] += 1;
        }
        for row in 0..self.rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0.0); self.entries.len()];
        for column in 0..self.columns() {
            for &(row, value) in self.column(column) {
                entries[next[row]] = (column, value);
                next[row] += 1;
            }
        }
        Self { rows: self.columns(), starts, entries }
    }

    /// [corner, A^T; A, 0], with a corner of as many rows and columns as A has columns.
    pub fn saddle(&self, corner: impl IntoIterator<Item = (usize, usize, f64)>) -> Self {
        self.saddle_of(corner.into_iter().collect())
    }

    #[inline(never)]
    fn saddle_of(&self, corner: Vec<(usize, usize, f64)>) -> Self {
        let (m, n) = (self.rows, self.columns());
        let lower = self.iter().map(|(row, column, value)| (n + row, column, value));
        let upper = self.iter().map(|(row, column, value)| (column, n + row, value));
        Self::new(n + m, n + m, corner.into_iter().chain(lower).chain(upper))
    }

    /// With all its zeros.
    pub fn dense(&self) -> DMatrix<f64> {
        let mut matrix = DMatrix::zeros(self.rows, self.columns());
        for (row, column, value) in self.iter() {
            matrix[(row, column)] = value;
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_dense(matrix: &DMatrix<f64>) -> SparseMatrix {
        let (rows, columns) = matrix.shape();
        let at = |(row, column)| (row, column, matrix[(row, column)]);
        SparseMatrix::new(rows, columns, (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(at))
    }

    #[test]
    fn operations_are_those_of_dense_matrices() {
        let a = DMatrix::from_row_slice(3, 4, &[0.0, 2.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.5, 0.0, 4.0]);
        let sparse = of_dense(&a);
        assert_eq!(sparse.dense(), a);
        assert_eq!(sparse.iter().count(), 5);
        let x = DMatrix::from_fn(4, 2, |i, j| (i + 5 * j) as f64 - 2.5);
        assert_eq!(sparse.product(&x), &a * &x);
        let largest = DMatrix::from_fn(4, 2, |_, j| x.column(j).amax());
        assert_eq!(sparse.terms(&x), (a.abs() * x.abs(), a.abs() * largest));
        let x = DMatrix::from_fn(3, 2, |i, j| (2 * i + j) as f64 - 1.5);
        assert_eq!(sparse.transposed_product(&x), a.transpose() * &x);
        assert_eq!(sparse.normal(), of_dense(&(&a * a.transpose())));
        assert_eq!(sparse.pattern(), [(2, 0), (0, 1), (2, 1), (0, 3), (2, 3)]);
        assert_eq!(sparse.values(), [3.0, 2.0, 0.5, -1.0, 4.0]);
        assert_eq!(sparse.select_columns(&[3, 0]).dense(), a.select_columns(&[3, 0]));
        assert_eq!(sparse.row_norms(), [5f64.sqrt(), 0.0, 25.25f64.sqrt()]);
        let saddle = sparse.saddle([(1, 1, 7.0), (1, 1, 0.5), (0, 3, 1.0), (0, 3, -1.0)]);
        let mut expected = DMatrix::zeros(7, 7);
        expected[(1, 1)] = 7.5;
        expected.view_mut((4, 0), (3, 4)).copy_from(&a);
        expected.view_mut((0, 4), (4, 3)).copy_from(&a.transpose());
        assert_eq!(saddle.dense(), expected);
        // no zeros where entries cancel
        assert_eq!(saddle.iter().count(), 11);
        for chosen in [[5, 1, 6], [1, 5, 6]] {
            let expected = expected.select_rows(&chosen).select_columns(&chosen);
            assert_eq!(saddle.select(&chosen), of_dense(&expected));
        }
        let mut scaled = sparse;
        scaled.scale_rows(&[2.0, 3.0, -1.0]);
        assert_eq!(scaled.dense().row(2), -a.row(2));
    }

    #[test]
    fn normal_matrices_are_symmetric_without_zeros() {
        let a = DMatrix::from_fn(9, 12, |i, j| match (5 * i + 7 * j) % 4 {
            0 => 1.0 / (1 + i + 2 * j) as f64,
            1 => -0.3 * j as f64,
            _ => 0.0,
        });
        let normal = of_dense(&a).normal();
        assert!((normal.dense() - &a * a.transpose()).amax() < 1e-14);
        assert_eq!(normal.dense(), normal.dense().transpose());
        assert_eq!(normal, of_dense(&normal.dense()));
        // rows that are orthogonal, and one that is empty
        let a = DMatrix::from_row_slice(3, 2, &[1.0, 2.0, -2.0, 1.0, 0.0, 0.0]);
        assert_eq!(of_dense(&a).normal().pattern(), [(0, 0), (1, 1)]);
    }

    #[test]
    fn what_is_not_a_number_is_kept() {
        let matrix = SparseMatrix::new(1, 2, [(0, 1, f64::NAN)]);
        assert!(matrix.column(1)[0].1.is_nan());
        assert!(matrix.normal().column(0)[0].1.is_nan());
    }
}
