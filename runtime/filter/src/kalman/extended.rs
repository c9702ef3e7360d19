//! Prediction and correction of the extended filter, with the factor S of the covariance:
//!
//! ```text
//! [F S, Q^(1/2)] Theta = [S-, 0]
//! [R^(1/2), H S-]         [S_y,       0]
//! [0,         S-] Theta = [K S_y,    S+]     with orthogonal Theta
//! ```

use super::{DivergenceReason, KalmanFilter, Sample, StateSpace, Step};

impl KalmanFilter<dyn StateSpace + '_> {
    pub(super) fn predict_extended(&mut self) -> Result<(), DivergenceReason> {
        let n = self.mean.len();
        let step = Step {
            time: self.start_time + self.sample as f64 * self.interval,
            interval: self.interval,
            inputs_before: &self.inputs_before,
            inputs: &self.inputs,
        };
        let model = |error| DivergenceReason::Model(error);
        let (x, next) = (&self.mean, &mut self.predicted_mean);
        self.process.advance(&step, x, next).map_err(model)?;
        self.process.transition(&step, x, next, &mut self.transition).map_err(model)?;
        std::mem::swap(&mut self.mean, &mut self.predicted_mean);
        // The rows of F S, one column of the array each, over those of Q^(1/2).
        let rows = self.deviation_rows(n);
        for i in 0..n {
            for k in 0..n {
                let mut sum = 0.0;
                for j in k..n {
                    sum += self.transition[(i, j)] * self.factor[(j, k)];
                }
                self.work[i * rows + k] = sum;
            }
            self.add_noise_row(i, rows, n);
            if self.smoothing.is_some() {
                let old = &mut self.work[(n + i) * rows..(n + i + 1) * rows];
                old.fill(0.0);
                for (k, entry) in old.iter_mut().enumerate().take(i + 1) {
                    *entry = self.factor[(i, k)];
                }
            }
        }
        self.finish_prediction(rows);
        Ok(())
    }

    pub(super) fn correct_extended(&mut self, measurements: &[f64]) -> Result<(), DivergenceReason> {
        let (n, signals, present) = (self.mean.len(), self.predicted.len(), self.present.len());
        let at = Sample { time: self.start_time + self.sample as f64 * self.interval, inputs: &self.inputs };
        self.process.measure(&at, &self.mean, &mut self.predicted);
        if present == 0 {
            return Ok(());
        }
        self.process.measurement_matrix(&at, &self.mean, &mut self.measurement);
        let rows = signals + n;
        for (column, &j) in self.present.iter().enumerate() {
            let array = &mut self.work[column * rows..(column + 1) * rows];
            for (k, entry) in array[..signals].iter_mut().enumerate() {
                *entry = self.measurement_noise[(j, k)];
            }
            for k in 0..n {
                array[signals + k] = (k..n).map(|l| self.measurement[(j, l)] * self.factor[(l, k)]).sum();
            }
        }
        for i in 0..n {
            let array = &mut self.work[(present + i) * rows..(present + i + 1) * rows];
            array.fill(0.0);
            for k in 0..=i {
                array[signals + k] = self.factor[(i, k)];
            }
        }
        self.finish_correction(rows, measurements);
        Ok(())
    }
}
