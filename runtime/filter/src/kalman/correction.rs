//! The last part of corrections in square-root form.

use super::{KalmanFilter, StateSpace};
use costate_numerics::linalg::factor::triangularize;

impl KalmanFilter<dyn StateSpace + '_> {
    /// Triangularises the array of a correction, columns of length `rows`, to [S_y, 0; K S_y, S+].
    pub(super) fn finish_correction(&mut self, rows: usize, measurements: &[f64]) {
        let columns = self.present.len() + self.mean.len();
        triangularize(&mut self.work[..rows * columns], rows, columns);
        self.take_correction(rows, measurements);
    }

    /// Corrects mean and factor from the triangular array.
    pub(super) fn take_correction(&mut self, rows: usize, measurements: &[f64]) {
        let (n, present) = (self.mean.len(), self.present.len());
        for column in 0..present {
            let j = self.present[column];
            let mut sum = measurements[j] - self.predicted[j];
            for k in 0..column {
                sum -= self.work[column * rows + k] * self.innovation[k];
            }
            self.innovation[column] = sum / self.work[column * rows + column];
            for k in 0..=column {
                self.innovation_factor[(column, k)] = self.work[column * rows + k];
            }
        }
        for i in 0..n {
            let array = &self.work[(present + i) * rows..(present + i + 1) * rows];
            let (gain, factor) = array.split_at(present);
            self.mean[i] += gain.iter().zip(&self.innovation).map(|(a, b)| a * b).sum::<f64>();
            for (k, entry) in factor.iter().enumerate().take(n) {
                self.factor[(i, k)] = if k <= i { *entry } else { 0.0 };
            }
        }
    }

    /// Makes the factor triangular again.
    pub(super) fn triangularize_factor(&mut self) {
        let n = self.mean.len();
        for i in 0..n {
            for k in 0..n {
                self.work[i * n + k] = self.factor[(i, k)];
            }
        }
        triangularize(&mut self.work[..n * n], n, n);
        for i in 0..n {
            for k in 0..=i {
                self.factor[(i, k)] = self.work[i * n + k];
            }
            for k in i + 1..n {
                self.factor[(i, k)] = 0.0;
            }
        }
    }
}
