//! Row and column scaling, so that the size of an entry says something where rows and columns mix units.

use std::ops::RangeInclusive;

/// Size of the largest entry of a row or column that is near 1: factors are powers of two.
const NEAR_ONE: RangeInclusive<f64> = 0.5..=2.0;

/// A row or a column.
#[derive(Debug, Clone, Copy)]
struct Line {
    factor: f64,
    /// The size of the largest entry of the scaled matrix.
    largest: f64,
}

impl Line {
    const START: Self = Self { factor: 1.0, largest: 0.0 };

    /// Checks whether the largest entry needs no other factor; zero and infinite lines have none.
    fn is_near_one(&self) -> bool {
        NEAR_ONE.contains(&self.largest) || !self.is_usual()
    }

    fn is_usual(&self) -> bool {
        self.largest > 0.0 && self.largest.is_finite()
    }
}

/// Row and column factors, powers of two (so that scaling does not round), which bring the largest entry of every
/// nonzero row and column of a sparse matrix near 1 (Ruiz' iteration).
#[derive(Debug, Clone)]
pub struct Scales {
    /// Factors of the rows.
    pub rows: Vec<f64>,
    /// Factors of the columns.
    pub columns: Vec<f64>,
    /// Factors and largest entries of rows and columns, while they are looked for.
    lines: [Vec<Line>; 2],
}

impl Scales {
    /// Ones, for matrices with so many rows and columns.
    pub fn new(rows: usize, columns: usize) -> Self {
        let lines = [rows, columns].map(|length| vec![Line::START; length]);
        Self { rows: vec![1.0; rows], columns: vec![1.0; columns], lines }
    }

    /// Becomes the factors of the matrix with these entries, (row, column), and values.
    pub fn find(&mut self, entries: &[(u32, u32)], values: &[f64]) {
        /// Largest number of sweeps; each halves the distance (in powers) of the largest entries from 1.
        const MAX_SWEEPS: usize = 6;
        let [rows, columns] = &mut self.lines;
        rows.fill(Line::START);
        columns.fill(Line::START);
        for _ in 0..MAX_SWEEPS {
            for (&(row, column), value) in entries.iter().zip(values) {
                let (row, column) = (&mut rows[row as usize], &mut columns[column as usize]);
                let scaled = (value * row.factor * column.factor).abs();
                // what is not a number is left out
                row.largest = if scaled > row.largest { scaled } else { row.largest };
                column.largest = if scaled > column.largest { scaled } else { column.largest };
            }
            if rows.iter().chain(&*columns).all(Line::is_near_one) {
                break;
            }
            divide_by_roots(rows);
            divide_by_roots(columns);
        }
        for (factors, lines) in [(&mut self.rows, rows), (&mut self.columns, columns)] {
            for (factor, line) in factors.iter_mut().zip(lines) {
                *factor = line.factor.log2().round().exp2();
            }
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
fn divide_by_roots(lines: &mut [Line]) {
    for line in lines {
        line.factor /= if line.is_usual() { line.largest } else { 1.0 }.sqrt();
        line.largest = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_one_stays() {
        let entries = [(0, 0), (0, 1), (1, 1), (2, 0)];
        let (rows, columns) = equilibrate((4, 2), &entries, &[1.5, 1e-3, 0.5, 0.0]);
        assert_eq!((rows, columns), (vec![1.0; 4], vec![1.0; 2]));
        let (rows, columns) = equilibrate((4, 2), &entries, &[1.5, 1e-3, 0.25, 0.0]);
        assert_eq!((&rows[..], &columns[..]), (&[1.0, 2.0, 1.0, 1.0][..], &[1.0, 2.0][..]));
    }

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
