//! Row and column scaling, so that the size of an entry says something where rows and columns mix units.

/// Sweeps; each halves the distance (in powers) of the largest entries from 1.
const SWEEPS: usize = 6;

/// Row and column factors, powers of two (so that scaling does not round), which bring the largest entry of every
/// nonzero row and column of a sparse matrix near 1 (Ruiz' iteration).
#[derive(Debug, Clone)]
pub struct Scales {
    /// Factors of the rows.
    pub rows: Vec<f64>,
    /// Factors of the columns.
    pub columns: Vec<f64>,
    /// The largest entries of rows and columns, while they are looked for.
    maxima: [Vec<f64>; 2],
}

impl Scales {
    /// Ones, for matrices with so many rows and columns.
    pub fn new(rows: usize, columns: usize) -> Self {
        let maxima = [rows, columns].map(|length| vec![0.0; length]);
        Self { rows: vec![1.0; rows], columns: vec![1.0; columns], maxima }
    }

    /// Becomes the factors of the matrix with these entries, (row, column), and values.
    pub fn find(&mut self, entries: &[(u32, u32)], values: &[f64]) {
        let Self { rows, columns, maxima: [row_maxima, column_maxima] } = self;
        rows.fill(1.0);
        columns.fill(1.0);
        for _ in 0..SWEEPS {
            row_maxima.fill(0.0);
            column_maxima.fill(0.0);
            for (&(row, column), value) in entries.iter().zip(values) {
                let (row, column) = (row as usize, column as usize);
                let scaled = (value * rows[row] * columns[column]).abs();
                row_maxima[row] = row_maxima[row].max(scaled);
                column_maxima[column] = column_maxima[column].max(scaled);
            }
            divide_by_roots(rows, row_maxima);
            divide_by_roots(columns, column_maxima);
        }
        for factor in rows.iter_mut().chain(columns) {
            *factor = factor.log2().round().exp2();
        }
    }
}

/// The factors of rows and columns of a matrix of this size.
pub fn equilibrate(size: (usize, usize), entries: &[(u32, u32)], values: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut scales = Scales::new(size.0, size.1);
    scales.find(entries, values);
    (scales.rows, scales.columns)
}

/// Zero and infinite rows are left as they are; whoever factorises finds them.
fn divide_by_roots(factors: &mut [f64], maxima: &[f64]) {
    for (factor, maximum) in factors.iter_mut().zip(maxima) {
        if *maximum > 0.0 && maximum.is_finite() {
            *factor /= maximum.sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_entries_come_near_one() {
        let entries = [(0, 0), (0, 1), (1, 0), (2, 2), (1, 1)];
        let values = [1e6, 3.0, 2.0, 1e-9, 0.0];
        let (rows, columns) = equilibrate((3, 3), &entries, &values);
        for row in 0..3u32 {
            let largest = entries
                .iter()
                .zip(values)
                .filter(|((r, _), _)| *r == row)
                .map(|((r, c), value)| (value * rows[*r as usize] * columns[*c as usize]).abs())
                .fold(0.0, f64::max);
            assert!((0.2..5.0).contains(&largest), "row {row}: {largest}");
        }
    }
}
