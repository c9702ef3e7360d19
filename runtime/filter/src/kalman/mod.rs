//! Kalman filters on a stream of samples (KE 1.45 to 1.48): extended, unscented, and unscented in square-root form.

mod correction;
mod extended;
mod prediction;
mod recorded;
mod sigma;
mod truncation;
mod unscented;

use costate_numerics::scalar::out_of_range::require;
use nalgebra::{DMatrix, DVector};

use super::bounds::Bounds;
use super::smoothing_gain::SmoothingGain;
use super::transformation::{SigmaPoints, SigmaWeights};
use costate_system::state_space::{
    Divergence, DivergenceReason, FilterError, Gaussian, Sample, StateSpace, Step, check_finite, check_matrices,
    check_size, entries, factor_covariance,
};

use truncation::Truncation;

/// The way in which a Kalman filter transforms its random vectors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum KalmanMethod {
    /// Extended Kalman filter: linearised, with the square root of the covariance. The fastest one, for weak
    /// nonlinearities. Its bounds truncate the distribution after each correction (KE 2.54).
    #[default]
    Extended,
    /// Unscented Kalman filter: sigma points, with the covariance in Joseph's form (for a process with
    /// constraints, whose covariance is singular, with its factor). Bounds move the predicted sigma points,
    /// also in the square-root filter.
    Unscented(SigmaPoints),
    /// Square-root unscented Kalman filter: sigma points with a triangular factor of the covariance.
    SquareRootUnscented(SigmaPoints),
}

/// A Kalman filter that takes one sample at a time and does not allocate memory meanwhile.
///
/// ```
/// use costate::filter::{Gaussian, KalmanFilter, LinearSystem, KalmanMethod};
/// use nalgebra::DMatrix;
/// # fn main() -> Result<(), costate::filter::FilterError> {
/// // A body with constant velocity, of which the position is measured every 0.1 s.
/// let body = LinearSystem::new(
///     DMatrix::from_row_slice(2, 2, &[1.0, 0.1, 0.0, 1.0]),
///     DMatrix::from_row_slice(1, 2, &[1.0, 0.0]),
/// )?;
/// let start = Gaussian::independent(&[0.0, 0.0], &[1.0, 1.0])?;
/// let (process_noise, measurement_noise) = (DMatrix::zeros(2, 2), DMatrix::from_element(1, 1, 1e-4));
/// let mut filter =
///     KalmanFilter::new(body, KalmanMethod::Extended, 0.1, &start, &process_noise, &measurement_noise)?;
/// for i in 1..100 {
///     filter.step(&[], &[0.3 * 0.1 * f64::from(i)])?;
/// }
/// assert!((filter.mean()[1] - 0.3).abs() < 1e-3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct KalmanFilter<P: ?Sized> {
    method: KalmanMethod,
    weights: SigmaWeights,
    bounds: Bounds,
    interval: f64,
    /// Number of the last sample.
    sample: usize,
    start_time: f64,
    inputs: Vec<f64>,
    inputs_before: Vec<f64>,
    /// x, the last estimate.
    mean: Vec<f64>,
    /// x-, the state before the correction.
    predicted_mean: Vec<f64>,
    /// Lower triangular S with P = S S^T.
    factor: DMatrix<f64>,
    /// P, of the unscented filter in covariance form.
    covariance: DMatrix<f64>,
    /// h(x-), or the mean over the sigma points.
    predicted: Vec<f64>,
    /// h(x) after the correction, before a truncation.
    corrected: Vec<f64>,
    /// Factor of Q, and its columns that are not zero.
    process_noise: DMatrix<f64>,
    process_columns: Vec<usize>,
    /// Factor of R.
    measurement_noise: DMatrix<f64>,
    /// Signals that are measured at this sample.
    present: Vec<usize>,
    /// Working memory.
    work: Vec<f64>,
    points: Vec<f64>,
    next_points: Vec<f64>,
    measured_points: Vec<f64>,
    transition: DMatrix<f64>,
    measurement: DMatrix<f64>,
    gain: DMatrix<f64>,
    innovation: Vec<f64>,
    /// Lower triangular factor of the covariance of the innovations of the signals in `present`.
    innovation_factor: DMatrix<f64>,
    deviation: Vec<f64>,
    truncation: Option<Truncation>,
    smoothing: Option<SmoothingGain>,
    truncated: bool,
    /// The last field, so that a filter of any system can be taken for one of `dyn StateSpace`, whose steps
    /// are compiled once.
    process: P,
}

impl<P: StateSpace> KalmanFilter<P> {
    /// Creates a filter that starts from `initial` at sample 0, with samples every `interval` s, process
    /// noise Q (n x n, per sample) and measurement noise R.
    ///
    /// # Errors
    /// [`FilterError::Covariance`] where a covariance is not symmetric, or not positive definite (Q and `initial`:
    /// semidefinite); [`FilterError::Length`]; [`FilterError::OutOfRange`] for the interval and the sigma points;
    /// [`FilterError::NotFinite`]; [`FilterError::OutOfMemory`] for more states than the machine has memory for.
    pub fn new(
        process: P,
        method: KalmanMethod,
        interval: f64,
        initial: &Gaussian,
        process_noise: &DMatrix<f64>,
        measurement_noise: &DMatrix<f64>,
    ) -> Result<Self, FilterError> {
        let (n, signals, inputs) = (process.states(), process.measurements(), process.inputs());
        require("interval", interval, interval > 0.0 && interval.is_finite(), "positive and finite")?;
        let weights = match method {
            KalmanMethod::Extended => SigmaPoints::default().weights(n)?,
            KalmanMethod::Unscented(points) | KalmanMethod::SquareRootUnscented(points) => points.weights(n)?,
        };
        check_size("initial mean", initial.mean.len(), n)?;
        let points = if method == KalmanMethod::Extended { 0 } else { n.saturating_mul(2).saturating_add(1) };
        check_matrices((n, "states"), numbers(n, signals, points))?;
        let mut filter = Self {
            method,
            weights,
            bounds: Bounds::none(n),
            interval,
            sample: 0,
            start_time: 0.0,
            inputs: vec![0.0; inputs],
            inputs_before: vec![0.0; inputs],
            mean: vec![0.0; n],
            predicted_mean: vec![0.0; n],
            factor: DMatrix::zeros(n, n),
            covariance: DMatrix::zeros(n, n),
            predicted: vec![0.0; signals],
            corrected: vec![0.0; signals],
            process_noise: DMatrix::zeros(n, n),
            process_columns: Vec::with_capacity(n),
            measurement_noise: DMatrix::zeros(signals, signals),
            present: Vec::with_capacity(signals),
            work: vec![0.0; work_space(n, signals, points)],
            points: vec![0.0; points * n],
            next_points: vec![0.0; points * n],
            measured_points: vec![0.0; points * signals],
            transition: DMatrix::zeros(n, n),
            measurement: DMatrix::zeros(signals, n),
            gain: DMatrix::zeros(n, signals),
            innovation: vec![0.0; signals],
            innovation_factor: DMatrix::zeros(signals, signals),
            deviation: vec![0.0; 2 * n.max(signals)],
            truncation: None,
            smoothing: None,
            truncated: false,
            process,
        };
        filter.set_process_noise(process_noise)?;
        filter.set_measurement_noise(measurement_noise)?;
        filter.restart(initial)?;
        Ok(filter)
    }

    /// Keeps the states within these bounds.
    ///
    /// # Errors
    /// [`FilterError::Length`].
    pub fn with_bounds(mut self, bounds: Bounds) -> Result<Self, FilterError> {
        check_size("bounds", bounds.states(), self.process.states())?;
        let needed = self.method == KalmanMethod::Extended && !bounds.bounded().is_empty();
        self.truncation = if needed { Some(Truncation::new(self.process.states())?) } else { None };
        self.bounds = bounds;
        Ok(self)
    }

    /// Returns the system.
    pub fn process(&self) -> &P {
        &self.process
    }

    /// Advances to the next sample: prediction with the inputs u_i of that sample, correction with its
    /// measurements y_i, which are NaN where nothing was measured.
    ///
    /// # Errors
    /// [`FilterError::Length`], [`FilterError::NotFinite`] for an input or an infinite measurement,
    /// [`FilterError::Diverged`].
    pub fn step(&mut self, inputs: &[f64], measurements: &[f64]) -> Result<(), FilterError> {
        self.predict(inputs)?;
        self.correct(measurements)
    }

    /// Makes the prediction alone (KE 1.45), to the next sample with the inputs u_i.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn predict(&mut self, inputs: &[f64]) -> Result<(), FilterError> {
        self.of_any_system().predict_next(inputs)
    }

    /// Makes the correction alone (KE 1.46 to 1.48), at the last sample.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn correct(&mut self, measurements: &[f64]) -> Result<(), FilterError> {
        self.of_any_system().correct_by(measurements)
    }

    fn of_any_system(&mut self) -> &mut KalmanFilter<dyn StateSpace + '_> {
        self
    }
}

/// Steps of a filter of any system.
impl KalmanFilter<dyn StateSpace + '_> {
    fn predict_next(&mut self, inputs: &[f64]) -> Result<(), FilterError> {
        check_size("inputs", inputs.len(), self.inputs.len())?;
        self.check_samples("inputs", inputs, false)?;
        std::mem::swap(&mut self.inputs, &mut self.inputs_before);
        self.inputs.copy_from_slice(inputs);
        match self.method {
            KalmanMethod::Extended => self.predict_extended(),
            KalmanMethod::Unscented(_) | KalmanMethod::SquareRootUnscented(_) => self.predict_sigma_points(),
        }
        .map_err(|reason| self.diverged(self.sample + 1, reason))?;
        self.sample += 1;
        self.predicted_mean.copy_from_slice(&self.mean);
        self.check_state()
    }

    fn correct_by(&mut self, measurements: &[f64]) -> Result<(), FilterError> {
        check_size("measurements", measurements.len(), self.predicted.len())?;
        self.check_samples("measurements", measurements, true)?;
        self.present.clear();
        self.present.extend((0..measurements.len()).filter(|&j| !measurements[j].is_nan()));
        match self.method {
            KalmanMethod::Extended => self.correct_extended(measurements),
            KalmanMethod::Unscented(_) | KalmanMethod::SquareRootUnscented(_) => {
                self.correct_sigma_points(measurements)
            }
        }
        .map_err(|reason| self.diverged(self.sample, reason))?;
        let at = Sample { time: self.time(), inputs: &self.inputs };
        self.process.admit(&at, &self.predicted_mean, &mut self.mean);
        self.process.measure(&at, &self.mean, &mut self.corrected);
        self.truncated = match &mut self.truncation {
            Some(truncation) => truncation.apply(&self.bounds, &mut self.mean, &mut self.factor),
            None => false,
        };
        if self.truncated {
            self.process.admit(&at, &self.predicted_mean, &mut self.mean);
        }
        if self.process.is_constrained() {
            self.process.admit_deviations(&at, &self.mean, &mut self.factor);
            self.triangularize_factor();
        }
        self.check_state()
    }
}

impl<P: ?Sized> KalmanFilter<P> {
    /// Begins at the time `time` in s instead of 0, with the inputs u_0.
    ///
    /// # Errors
    /// [`FilterError::Length`], [`FilterError::NotFinite`].
    pub fn start(&mut self, time: f64, inputs: &[f64]) -> Result<(), FilterError> {
        check_size("inputs", inputs.len(), self.inputs.len())?;
        check_finite("inputs", inputs)?;
        check_finite("time", &[time])?;
        self.start_time = time;
        self.sample = 0;
        self.inputs.copy_from_slice(inputs);
        Ok(())
    }

    /// Replaces the estimate of the state at the last sample.
    ///
    /// # Errors
    /// [`FilterError::Covariance`], [`FilterError::Length`], [`FilterError::NotFinite`].
    pub fn restart(&mut self, initial: &Gaussian) -> Result<(), FilterError> {
        check_size("initial mean", initial.mean.len(), self.mean.len())?;
        check_finite("initial mean", initial.mean.as_slice())?;
        factor_covariance("initial", &initial.covariance, &mut self.factor, false)?;
        self.covariance.copy_from(&initial.covariance);
        self.mean.copy_from_slice(initial.mean.as_slice());
        self.predicted_mean.copy_from_slice(initial.mean.as_slice());
        Ok(())
    }

    /// Sets Q (n x n), positive semidefinite, from the next sample on.
    ///
    /// # Errors
    /// [`FilterError::Covariance`].
    pub fn set_process_noise(&mut self, noise: &DMatrix<f64>) -> Result<(), FilterError> {
        factor_covariance("process_noise", noise, &mut self.process_noise, false)?;
        self.process_columns.clear();
        let factor = &self.process_noise;
        let columns = (0..factor.ncols()).filter(|&k| factor.column(k).iter().any(|entry| *entry != 0.0));
        self.process_columns.extend(columns);
        Ok(())
    }

    /// Sets R, positive definite, from the next sample on.
    ///
    /// # Errors
    /// [`FilterError::Covariance`].
    pub fn set_measurement_noise(&mut self, noise: &DMatrix<f64>) -> Result<(), FilterError> {
        factor_covariance("measurement_noise", noise, &mut self.measurement_noise, true)
    }

    fn check_samples(&self, field: &'static str, values: &[f64], gaps: bool) -> Result<(), FilterError> {
        match values.iter().find(|value| !(value.is_finite() || (gaps && value.is_nan()))) {
            Some(&value) => Err(FilterError::NotFinite { field, sample: self.sample + usize::from(!gaps), value }),
            None => Ok(()),
        }
    }

    fn check_state(&self) -> Result<(), FilterError> {
        let n = self.mean.len();
        let wrong = (0..n).find(|&k| !(self.mean[k].is_finite() && self.factor[(k, k)].is_finite()));
        match wrong {
            None => Ok(()),
            Some(state) => {
                let value = self.mean[state];
                Err(self.diverged(self.sample, DivergenceReason::NotFinite { state, value }))
            }
        }
    }

    fn diverged(&self, sample: usize, reason: DivergenceReason) -> FilterError {
        let time = self.start_time + sample as f64 * self.interval;
        FilterError::Diverged(Divergence { sample, time, reason })
    }

    /// Returns the number of the last sample.
    pub fn sample(&self) -> usize {
        self.sample
    }

    /// Returns the time of the last sample in s.
    pub fn time(&self) -> f64 {
        self.start_time + self.sample as f64 * self.interval
    }

    /// Returns the time between two samples in s.
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// Returns the estimated state x.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Returns the state x- before the correction.
    pub fn predicted_mean(&self) -> &[f64] {
        &self.predicted_mean
    }

    /// Returns the variance of one state; NaN if there is no such state.
    pub fn variance(&self, state: usize) -> f64 {
        self.covariance_entry(state, state)
    }

    /// Returns the covariance of two states; NaN if there are no such states.
    pub fn covariance_entry(&self, row: usize, column: usize) -> f64 {
        if row.max(column) >= self.factor.nrows() {
            return f64::NAN;
        }
        let columns = 0..=row.min(column);
        columns.map(|k| self.factor[(row, k)] * self.factor[(column, k)]).sum()
    }

    /// Returns the covariance P of the state.
    pub fn covariance(&self) -> DMatrix<f64> {
        &self.factor * self.factor.transpose()
    }

    /// Returns the lower triangular factor S of the covariance P = S S^T.
    pub fn factor(&self) -> &DMatrix<f64> {
        &self.factor
    }

    /// Returns state and covariance.
    pub fn estimate(&self) -> Gaussian {
        Gaussian { mean: DVector::from_column_slice(&self.mean), covariance: self.covariance() }
    }

    /// Returns the measurement that was predicted, with x- (y^ of KE 1.46).
    pub fn predicted_measurement(&self) -> &[f64] {
        &self.predicted
    }

    /// Returns the measurement of the corrected state, before a truncation by bounds (y^+ of KE 2.52).
    pub fn corrected_measurement(&self) -> &[f64] {
        &self.corrected
    }

    /// Returns the signals measured at the last sample, and the lower triangular factor of the covariance of their
    /// innovations, in the first rows and columns.
    pub(crate) fn innovation_factor(&self) -> (&[usize], &DMatrix<f64>) {
        (&self.present, &self.innovation_factor)
    }

    /// Returns true if the bounds have changed the last estimate.
    pub fn was_truncated(&self) -> bool {
        self.truncated
    }
}

/// Returns the number of entries of the largest array that is triangularised.
fn work_space(n: usize, signals: usize, points: usize) -> usize {
    let most = points.max(n);
    entries(most.saturating_add(n), n).max(entries(most.saturating_add(signals), n.saturating_add(signals)))
}

/// Returns the number of entries of a filter's matrices, points and working memory; at most `usize::MAX`.
fn numbers(n: usize, signals: usize, points: usize) -> usize {
    let parts = [
        entries(4, entries(n, n)),
        entries(2, entries(signals, signals)),
        entries(2, entries(n, signals)),
        entries(points, n.saturating_mul(2).saturating_add(signals)),
        work_space(n, signals, points),
    ];
    parts.into_iter().fold(0, usize::saturating_add)
}
