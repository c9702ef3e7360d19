//! The last part of all predictions: the array of deviations becomes the factor of the predicted covariance.

use super::{KalmanFilter, Sample, StateSpace};
use costate_numerics::linalg::factor::triangularize;

impl KalmanFilter<dyn StateSpace + '_> {
    /// Returns the length of the array's columns: `deviations` entries, then one for each column of Q^(1/2).
    /// With gains for a smoother there are 2n columns, and at least as many rows.
    pub(super) fn deviation_rows(&self, deviations: usize) -> usize {
        let rows = deviations + self.process_columns.len();
        if self.smoothing.is_some() { rows.max(2 * self.mean.len()) } else { rows }
    }

    /// Fills column i after its deviations with the process noise.
    pub(super) fn add_noise_row(&mut self, i: usize, rows: usize, deviations: usize) {
        let noise = &mut self.work[i * rows + deviations..(i + 1) * rows];
        noise.fill(0.0);
        for (entry, &k) in noise.iter_mut().zip(&self.process_columns) {
            *entry = self.process_noise[(i, k)];
        }
    }

    /// Computes the factor, and the gain for a smoother, from the array.
    pub(super) fn finish_prediction(&mut self, rows: usize) {
        let n = self.mean.len();
        let columns = if self.smoothing.is_some() { 2 * n } else { n };
        triangularize(&mut self.work[..rows * columns], rows, columns);
        self.take_prediction(rows, self.smoothing.is_some());
    }

    /// Takes factor and gain from the triangular array: [S-, 0; B, S^S] with B = K^S S-.
    pub(super) fn take_prediction(&mut self, rows: usize, joint: bool) {
        let n = self.mean.len();
        for i in 0..n {
            for k in 0..n {
                self.factor[(i, k)] = if k <= i { self.work[i * rows + k] } else { 0.0 };
            }
        }
        let is_constrained = self.process.is_constrained();
        if is_constrained {
            let time = self.start_time + (self.sample + 1) as f64 * self.interval;
            let at = Sample { time, inputs: &self.inputs };
            self.process.admit_deviations(&at, &self.mean, &mut self.factor);
        }
        if let (true, Some(smoothing)) = (joint, &mut self.smoothing) {
            smoothing.take(&self.factor, &mut self.work[n * rows..2 * n * rows], rows);
        }
        if is_constrained {
            self.triangularize_factor();
        }
    }
}
