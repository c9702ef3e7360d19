//! The elimination of the starts of pieces, one after the other: what is left are rows about the common unknowns alone.
//!
//! A step dp of the common unknowns and ds_k of the starts minimises the sum of squares of
//!
//! ```text
//! A_k ds_k + B_k dp + r_k                               residuals of piece k
//! w (E_k ds_k + G_k dp - ds_{k+1} + d_k)                its end minus the start of the next one
//! ```
//!
//! Reflections (Householder) of these rows eliminate ds_1, ds_2, ... as in a square-root information filter, so that
//! neither growing nor decaying motions lose digits; no matrix has the starts of more than two pieces.

use nalgebra::{DMatrix, DVector};

/// The linearised rows of a piece. Columns are its own unknowns, the common ones, and minus the value.
pub(super) struct PieceRows {
    /// Residuals.
    pub residuals: DMatrix<f64>,
    /// End minus the next start, weighed, without the columns of the next start; no rows in the last piece.
    pub defects: DMatrix<f64>,
    /// Weights of the defects, by which the columns of the next start are multiplied.
    pub weights: Vec<f64>,
    /// Factors of the own unknowns in rows that dampen their steps.
    pub damping: Vec<f64>,
}

/// The starts of a chain of pieces as functions of the common unknowns.
pub(super) struct Eliminated {
    /// For each piece the rows of its own unknowns: these, those of the next piece, the common ones, the value.
    links: Vec<(usize, DMatrix<f64>)>,
    /// The rows that are left: the common unknowns and the value.
    pub common: DMatrix<f64>,
}

impl Eliminated {
    /// Eliminates the starts of all pieces; there are so many `common` unknowns.
    pub fn of(pieces: &[PieceRows], common: usize) -> Self {
        let mut links = Vec::new();
        let mut carried = DMatrix::zeros(0, common + 1);
        for piece in pieces {
            let own = piece.residuals.ncols() - common - 1;
            let next = piece.weights.len();
            let blocks = [&piece.defects, &carried, &piece.residuals];
            let rows = blocks.iter().map(|block| block.nrows()).sum::<usize>() + own;
            let columns = own + next + common + 1;
            let mut stacked = DMatrix::zeros(rows.max(columns), columns);
            let mut row = 0;
            for block in blocks {
                let count = block.nrows();
                stacked.view_mut((row, 0), (count, own)).copy_from(&block.columns(0, own));
                let rest = block.columns(own, common + 1);
                stacked.view_mut((row, own + next), (count, common + 1)).copy_from(&rest);
                row += count;
            }
            for (k, weight) in piece.weights.iter().enumerate() {
                stacked[(k, own + k)] = -weight;
            }
            for (k, factor) in piece.damping.iter().enumerate() {
                stacked[(row + k, k)] = *factor;
            }
            let triangle = stacked.qr().r();
            links.push((next, triangle.rows(0, own).into_owned()));
            let left = columns - own;
            carried = triangle.view((own, own), (left, left)).into_owned();
        }
        Self { links, common: carried }
    }

    /// Returns the change of every start that belongs to a change of the common unknowns.
    pub fn starts(&self, common: &DVector<f64>) -> Vec<DVector<f64>> {
        let values = DVector::from_iterator(common.len() + 1, common.iter().copied().chain([-1.0]));
        self.solved(&DMatrix::from_columns(&[values])).into_iter().map(|start| start.column(0).into_owned()).collect()
    }

    /// Returns the derivatives of every start with respect to the common unknowns.
    pub fn derivatives(&self, common: usize) -> Vec<DMatrix<f64>> {
        self.solved(&DMatrix::identity(common + 1, common))
    }

    /// Solves for the starts, from the last one to the first, for columns of common unknowns above minus the share of
    /// the values.
    fn solved(&self, common: &DMatrix<f64>) -> Vec<DMatrix<f64>> {
        let mut later = DMatrix::zeros(0, common.ncols());
        let mut all = Vec::with_capacity(self.links.len());
        for (next, link) in self.links.iter().rev() {
            let own = link.nrows();
            let rest = link.columns(own + next, common.nrows()) * common + link.columns(own, *next) * &later;
            let mut start = -rest;
            // damping leaves no pivot at zero
            let _ = link.columns(0, own).solve_upper_triangular_mut(&mut start);
            all.push(start.clone());
            later = start;
        }
        all.reverse();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some number between -1 and 1.
    fn number(seed: usize) -> f64 {
        let bits = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn filled(rows: usize, columns: usize, seed: usize) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |row, column| number(1000 * seed + 31 * row + column))
    }

    #[test]
    fn the_step_is_that_of_all_rows_at_once() {
        let common = 3;
        for seed in 0..20 {
            let own = [0, 2, 3, 2];
            let piece = |k: usize| {
                let next = own.get(k + 1).copied().unwrap_or(0);
                let columns = own[k] + common + 1;
                PieceRows {
                    residuals: filled(7, columns, 10 * seed + k),
                    defects: filled(next, columns, 10 * seed + k + 5) * 30.0,
                    weights: vec![30.0; next],
                    damping: vec![0.1; own[k]],
                }
            };
            let pieces: Vec<PieceRows> = (0..own.len()).map(piece).collect();
            let eliminated = Eliminated::of(&pieces, common);
            let step = eliminated.common.columns(0, common).svd(true, true);
            let step = step.solve(&eliminated.common.column(common), 1e-14).unwrap();
            let starts = eliminated.starts(&step);
            // all rows, with the unknowns of the pieces before the common ones
            let of_starts: usize = own.iter().sum();
            let mut all: Vec<Vec<f64>> = Vec::new();
            let mut first = 0;
            for (k, piece) in pieces.iter().enumerate() {
                let mut add = |row: &[f64], next: Option<(usize, f64)>| {
                    let mut full = vec![0.0; of_starts + common + 1];
                    full[first..first + own[k]].copy_from_slice(&row[..own[k]]);
                    full[of_starts..].copy_from_slice(&row[own[k]..]);
                    if let Some((column, weight)) = next {
                        full[column] -= weight;
                    }
                    all.push(full);
                };
                for row in piece.residuals.row_iter() {
                    add(&row.iter().copied().collect::<Vec<_>>(), None);
                }
                for (j, row) in piece.defects.row_iter().enumerate() {
                    add(&row.iter().copied().collect::<Vec<_>>(), Some((first + own[k] + j, piece.weights[j])));
                }
                for j in 0..own[k] {
                    let mut row = vec![0.0; own[k] + common + 1];
                    row[j] = piece.damping[j];
                    add(&row, None);
                }
                first += own[k];
            }
            let rows = DMatrix::from_fn(all.len(), of_starts + common + 1, |row, column| all[row][column]);
            let (matrix, right) = (rows.columns(0, of_starts + common), rows.column(of_starts + common));
            let dense = matrix.svd(true, true).solve(&right, 1e-14).unwrap();
            let found: Vec<f64> =
                starts.iter().flat_map(|start| start.iter().copied()).chain(step.iter().copied()).collect();
            for (found, dense) in found.iter().zip(dense.iter()) {
                assert!((found - dense).abs() < 1e-9 * (1.0 + dense.abs()), "{found} {dense}");
            }
        }
    }
}
