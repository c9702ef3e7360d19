//! The fixed-lag smoother: estimates some samples after their time, while measurements come in.

use std::collections::VecDeque;

use nalgebra::{DMatrix, DVector};

use costate_numerics::scalar::out_of_range::require;
use costate_system::state_space::{FilterError, Gaussian, StateSpace, check_matrices};

use super::recorded::{Back, Filter, LastSample, Recorded};
use super::run::{FilterRun, run_with};
use super::smoother::{Smoothed, step_back};
use super::storage::Storage;

/// A filter that gives after each measurement the state `lag` samples before, from everything that was measured until
/// now: what [`smooth`](super::smooth) finds for this sample in the same data. It keeps the last `lag` samples alone,
/// and goes back over them at each step, of any length of the record.
///
/// ```
/// use costate_filter::{FilterError, FixedLagSmoother, Gaussian, KalmanFilter, KalmanMethod, LinearSystem};
/// use nalgebra::DMatrix;
///
/// # fn main() -> Result<(), FilterError> {
/// // A random walk that is measured.
/// let (one, noise) = (DMatrix::identity(1, 1), DMatrix::identity(1, 1) * 0.1);
/// let system = LinearSystem::new(one.clone(), one.clone())?;
/// let start = Gaussian::independent(&[0.0], &[1.0])?;
/// let filter = KalmanFilter::new(system, KalmanMethod::Extended, 0.1, &start, &noise, &one)?;
/// let mut smoother = FixedLagSmoother::new(filter, 5)?;
/// smoother.begin(&[])?;
/// for i in 1..60 {
///     smoother.step(&[], &[f64::from(i)])?;
/// }
/// let earlier = smoother.delayed().map(|state| state.covariance[(0, 0)]);
/// assert!(earlier.is_some_and(|variance| variance < smoother.filter().variance(0)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FixedLagSmoother<F> {
    filter: F,
    lag: usize,
    /// The state of the last sample; `None` before the first one.
    last: Option<Gaussian>,
    /// The last samples, each with the way back to it from the next one; the earliest first.
    kept: VecDeque<Kept>,
}

/// A sample, given the next one.
#[derive(Debug, Clone)]
struct Kept {
    /// Mean of the sample, x_{i-1}, and x_i- before the correction.
    mean: DVector<f64>,
    predicted: DVector<f64>,
    gain: DMatrix<f64>,
    /// Covariance of what the next sample does not tell.
    rest: DMatrix<f64>,
}

impl<F: Filter> FixedLagSmoother<F> {
    /// Creates a smoother of a filter, late by so many samples; without any it is the filter.
    ///
    /// # Errors
    /// [`FilterError::OutOfMemory`] for a lag whose samples the machine cannot hold.
    pub fn new(mut filter: F, lag: usize) -> Result<Self, FilterError> {
        let n = filter.process().states();
        let each = n.saturating_mul(n.saturating_add(1)).saturating_mul(2);
        check_matrices((n, "states"), each.saturating_mul(lag.saturating_add(1)))?;
        filter.keep(Storage::Gains)?;
        Ok(Self { filter, lag, last: None, kept: VecDeque::new() })
    }

    /// Takes the estimate of the filter as that of the first sample, with the inputs u_0, and forgets the samples so
    /// far.
    ///
    /// # Errors
    /// [`FilterError::Length`], [`FilterError::NotFinite`].
    pub fn begin(&mut self, inputs: &[f64]) -> Result<(), FilterError> {
        self.kept.clear();
        self.filter.begin(inputs)?;
        self.last = Some(self.estimate()?);
        Ok(())
    }

    fn estimate(&self) -> Result<Gaussian, FilterError> {
        let LastSample { mean, factor, .. } = self.filter.last();
        let factor = factor.ok_or(FilterError::NothingKept)?;
        Ok(Gaussian { mean: DVector::from_column_slice(mean), covariance: factor * factor.transpose() })
    }

    /// Advances the filter to the next sample, with the inputs u_i and the measurements y_i of that sample, NaN where
    /// nothing was measured.
    ///
    /// # Errors
    /// As for a step of the filter; [`FilterError::NothingKept`] for one without covariances.
    pub fn step(&mut self, inputs: &[f64], measurements: &[f64]) -> Result<(), FilterError> {
        let before = DVector::from_column_slice(self.filter.last().mean);
        self.filter.step(inputs, measurements)?;
        let Some(back) = self.filter.last().back else { return Err(FilterError::NothingKept) };
        let Back { mean_before, predicted_mean, gain, factor } = back;
        let n = predicted_mean.len();
        let kept = Kept {
            mean: mean_before.map_or(before, DVector::from_column_slice),
            predicted: DVector::from_column_slice(predicted_mean),
            gain: DMatrix::from_column_slice(n, n, gain),
            rest: factor * factor.transpose(),
        };
        if self.kept.len() == self.lag {
            self.kept.pop_front();
        }
        if self.lag > 0 {
            self.kept.push_back(kept);
        }
        self.last = Some(self.estimate()?);
        Ok(())
    }

    /// Returns the filter, whose estimate is that of the last sample.
    pub fn filter(&self) -> &F {
        &self.filter
    }

    /// Returns the lag in samples.
    pub fn lag(&self) -> usize {
        self.lag
    }

    /// Returns the state `lag` samples before the last one, from all measurements; `None` before there are so many.
    pub fn delayed(&self) -> Option<Gaussian> {
        if self.kept.len() == self.lag { self.latest().pop() } else { None }
    }

    /// Returns the states of the last samples, `lag` + 1 at most, from all measurements, the last one first: those that
    /// are left when a record ends.
    pub fn latest(&self) -> Vec<Gaussian> {
        let Some(mut state) = self.last.clone() else { return Vec::new() };
        let mut found = Vec::with_capacity(self.kept.len() + 1);
        for Kept { mean, predicted, gain, rest } in self.kept.iter().rev() {
            let earlier = step_back(&state, (mean, predicted), gain, rest);
            found.push(std::mem::replace(&mut state, earlier));
        }
        found.push(state);
        found
    }

    /// Filters a record as [`run`](super::run) does, and returns as well the states that are known `lag` samples after
    /// their time; the last `lag` ones are known at the end.
    ///
    /// # Errors
    /// As [`run`](super::run); [`FilterError::OutOfRange`] for a lag as long as the record.
    pub fn run(
        &mut self,
        inputs: &[f64],
        measurements: &[f64],
        keep: Storage,
    ) -> Result<(FilterRun, Smoothed), FilterError> {
        let (n, lag) = (self.process().states(), self.lag);
        let samples = measurements.len() / self.process().measurements().max(1);
        require("lag", lag as f64, lag < samples.max(1), "fewer samples than the record has")?;
        let mut smoothed = Smoothed::empty(n, samples)?;
        let run = run_with(self, inputs, measurements, keep, |next, smoother| {
            if let Some(state) = smoother.delayed() {
                smoothed.store(next - 1 - lag, &state.mean, &state.covariance);
            }
            Ok(())
        })?;
        // a filter that was stopped has no estimates from there on
        smoothed.truncate(run.samples());
        for (state, sample) in self.latest().iter().zip((0..run.samples()).rev()) {
            smoothed.store(sample, &state.mean, &state.covariance);
        }
        Ok((run, smoothed))
    }
}

impl<F: Filter> Recorded for FixedLagSmoother<F> {
    fn process(&self) -> &dyn StateSpace {
        self.filter.process()
    }

    fn interval(&self) -> f64 {
        self.filter.interval()
    }

    fn keep(&mut self, _keep: Storage) -> Result<(), FilterError> {
        self.filter.keep(Storage::Gains)
    }

    fn begin(&mut self, inputs: &[f64]) -> Result<(), FilterError> {
        Self::begin(self, inputs)
    }

    fn step(&mut self, inputs: &[f64], measurements: &[f64]) -> Result<(), FilterError> {
        Self::step(self, inputs, measurements)
    }

    fn last(&self) -> LastSample<'_> {
        self.filter.last()
    }
}
