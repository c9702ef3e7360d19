//! A Kalman filter on a record.

use costate_system::state_space::{check_matrices, entries};

use super::{FilterError, KalmanFilter, KalmanMethod, SmoothingGain, StateSpace};
use crate::recorded::{Back, LastSample, Recorded};
use crate::storage::Storage;

impl<P: ?Sized> KalmanFilter<P> {
    /// Computes in each step what a smoother needs of it.
    fn keep_gains(&mut self) -> Result<(), FilterError> {
        let n = self.mean.len();
        let points = if self.method == KalmanMethod::Extended { n } else { 2 * n + 1 };
        let rows = (points + n).max(2 * n);
        let work = self.work.len().max(entries(rows, 2 * n));
        check_matrices((n, "states"), work.saturating_add(SmoothingGain::numbers(n)))?;
        self.smoothing = Some(SmoothingGain::new(n));
        self.work.resize(work, 0.0);
        Ok(())
    }
}

impl<P: StateSpace> Recorded for KalmanFilter<P> {
    fn process(&self) -> &dyn StateSpace {
        &self.process
    }

    fn interval(&self) -> f64 {
        self.interval
    }

    fn keep(&mut self, keep: Storage) -> Result<(), FilterError> {
        if keep >= Storage::Gains { self.keep_gains() } else { Ok(()) }
    }

    fn begin(&mut self, inputs: &[f64]) -> Result<(), FilterError> {
        self.start(self.start_time, inputs)
    }

    fn step(&mut self, inputs: &[f64], measurements: &[f64]) -> Result<(), FilterError> {
        Self::step(self, inputs, measurements)
    }

    fn last(&self) -> LastSample<'_> {
        LastSample {
            mean: &self.mean,
            factor: Some(&self.factor),
            predicted: &self.predicted,
            corrected: &self.corrected,
            innovations: Some((&self.present, &self.innovation_factor)),
            was_truncated: self.truncated,
            back: self.smoothing.as_ref().map(|gain| Back::new(None, &self.predicted_mean, gain)),
        }
    }
}
