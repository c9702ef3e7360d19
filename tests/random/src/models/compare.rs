//! Comparison of matrices with those of the reference.

/// Largest difference of two entries, relative to the largest entry of the matrix.
pub const TOLERANCE: f64 = 1e-10;

/// Numbers of comparisons.
#[derive(Debug, Default)]
pub struct Count {
    /// Number of matrices and vectors.
    pub blocks: usize,
    /// Number of those without finite values in the reference.
    pub skipped: usize,
}

impl Count {
    /// Compares a sparse matrix with that of the reference, given by columns; entries that are not stored are zero.
    ///
    /// # Errors
    /// Description of the first entry that differs.
    pub fn compare(
        &mut self,
        (rows, columns): (usize, usize),
        entries: impl Iterator<Item = (usize, usize, f64)>,
        exact: &[Vec<f64>],
    ) -> Result<(), String> {
        if exact.len() != columns || exact.iter().any(|column| column.len() != rows) {
            return Err(format!("{columns} columns of {rows} rows, expected {} columns", exact.len()));
        }
        let mut dense = vec![vec![0.0; rows]; columns];
        entries.for_each(|(row, column, value)| dense[column][row] = value);
        self.blocks += 1;
        if exact.iter().flatten().any(|exact| !exact.is_finite()) {
            self.skipped += 1;
            return Ok(());
        }
        let largest = exact.iter().flatten().fold(1e-30, |largest: f64, exact| largest.max(exact.abs()));
        for (column, (found, exact)) in dense.iter().zip(exact).enumerate() {
            for (row, (found, exact)) in found.iter().zip(exact).enumerate() {
                let near = (found - exact).abs() <= TOLERANCE * largest;
                if !near {
                    return Err(format!("({row}, {column}) is {found:e}, expected {exact:e}"));
                }
            }
        }
        Ok(())
    }
}
