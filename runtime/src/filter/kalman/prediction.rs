//! What all predictions end with: the array of deviations becomes the factor of the predicted covariance.

use super::{KalmanFilter, StateSpace};
use crate::filter::factor::triangularize;

impl<P: StateSpace> KalmanFilter<P> {
    /// Length of the array's columns: `deviations` entries, then one for each column of Q^(1/2). With gains for a
    /// smoother there are 2n columns, and no fewer rows.
    pub(super) fn deviation_rows(&self, deviations: usize) -> usize {
        let rows = deviations + self.process_columns.len();
        if self.smoothing.is_some() { rows.max(2 * self.mean.len()) } else { rows }
    }

    /// Fills column i behind its deviations.
    pub(super) fn add_noise_row(&mut self, i: usize, rows: usize, deviations: usize) {
        let noise = &mut self.work[i * rows + deviations..(i + 1) * rows];
        noise.fill(0.0);
        for (entry, &k) in noise.iter_mut().zip(&self.process_columns) {
            *entry = self.process_noise[(i, k)];
        }
    }

    /// Takes the factor, and the gain for a smoother, from the array.
    pub(super) fn finish_prediction(&mut self, rows: usize) {
        let n = self.mean.len();
        let columns = if self.smoothing.is_some() { 2 * n } else { n };
        triangularize(&mut self.work[..rows * columns], rows, columns);
        self.take_prediction(rows);
    }

    /// Reads the triangular array: [S-, 0; K^S S-, S^S].
    pub(super) fn take_prediction(&mut self, rows: usize) {
        let n = self.mean.len();
        for i in 0..n {
            for k in 0..n {
                self.factor[(i, k)] = if k <= i { self.work[i * rows + k] } else { 0.0 };
            }
        }
        let Some(smoothing) = &mut self.smoothing else { return };
        for i in 0..n {
            let array = &self.work[(n + i) * rows..(n + i + 1) * rows];
            for k in 0..n {
                smoothing.factor[(i, k)] = if k <= i { array[n + k] } else { 0.0 };
            }
            // K^S = B S-^-1, row by row; what S- does not determine has no influence.
            for k in (0..n).rev() {
                let mut sum = array[k];
                for j in k + 1..n {
                    sum -= smoothing.gain[(i, j)] * self.factor[(j, k)];
                }
                let pivot = self.factor[(k, k)];
                let size = (0..=k).map(|j| self.factor[(k, j)].abs()).fold(0.0, f64::max);
                smoothing.gain[(i, k)] = if pivot > RANK_TOLERANCE * size { sum / pivot } else { 0.0 };
            }
        }
    }
}

/// Part of a state's standard deviation below which it counts as determined by the states before it.
const RANK_TOLERANCE: f64 = 1e-11;
