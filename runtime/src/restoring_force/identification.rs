//! The first step of the method: a filter that tracks effective stiffnesses and dampings (KE 2.2).

use crate::out_of_range::OutOfRange;
use nalgebra::DMatrix;

use super::convergence::{Convergence, ConvergenceMonitor, measurement_error};
use super::error::RestoringForceError;
use super::model::RestoringForceModel;
use super::moving_average::estimate_noise;
use super::result::{RestoringForces, Warning};
use super::sensor::SensorKind;
use super::tuning::{APriori, Exponents, motion, process_noise, start};
use crate::filter::{
    Bounds, Divergence, DivergenceReason, FilterError, Gaussian, KalmanFilter, KalmanMethod, Keep,
    StateSpace, globally_iterated, iterated_smoother, run_with,
};

/// Samples per period below which the estimates become much worse (KE 3.4.2).
const FEWEST_SAMPLES_PER_PERIOD: f64 = 20.0;

/// Identification of the restoring forces of a [`RestoringForceModel`] from a record.
#[derive(Debug, Clone)]
pub struct RestoringForceIdentification {
    model: RestoringForceModel,
    interval: f64,
    expected: Vec<APriori>,
    exponents: Exponents,
    method: KalmanMethod,
    lowest: Vec<f64>,
    noise: Option<DMatrix<f64>>,
    motion: Option<Vec<(f64, f64)>>,
    inertia_deviations: Vec<f64>,
    window: usize,
    largest_error: f64,
}

impl RestoringForceIdentification {
    /// For samples every `interval` s; `expected` holds E(S) and E(D) of every element. Without further settings, an
    /// extended filter with q_s = 3 and q_d = 1 and, where displacements are not measured, a lower bound of s of a
    /// hundredth of E(S).
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`], [`RestoringForceError::Size`].
    pub fn new(
        model: RestoringForceModel,
        interval: f64,
        expected: Vec<APriori>,
    ) -> Result<Self, RestoringForceError> {
        let out_of_range = |field, value, limit| Err(OutOfRange { field, value, limit }.into());
        if !(interval > 0.0 && interval.is_finite()) {
            return out_of_range("interval", interval, "positive and finite");
        }
        size("expected", expected.len(), model.elements())?;
        for expected in &expected {
            if !(expected.stiffness > 0.0 && expected.stiffness.is_finite()) {
                return out_of_range("expected stiffness", expected.stiffness, "positive and finite");
            }
            if !(expected.damping.is_finite() && expected.damping != 0.0) {
                return out_of_range("expected damping", expected.damping, "finite and not 0");
            }
        }
        let lowest = (0..model.elements()).map(|j| {
            let shown = model
                .sensors()
                .iter()
                .any(|sensor| sensor.element == j && sensor.kind == SensorKind::Displacement);
            if shown { f64::NEG_INFINITY } else { 0.01 * expected[j].stiffness }
        });
        Ok(Self {
            interval,
            exponents: Exponents::new(3.0, 1.0),
            method: KalmanMethod::Extended,
            lowest: lowest.collect(),
            noise: None,
            motion: None,
            inertia_deviations: model.unknown_inertia().iter().map(|_| 0.1).collect(),
            window: 500,
            largest_error: 100.0,
            expected,
            model,
        })
    }

    /// The exponents q_s, q_d, q_p.
    #[must_use]
    pub fn exponents(mut self, exponents: Exponents) -> Self {
        self.exponents = exponents;
        self
    }

    /// The filter.
    #[must_use]
    pub fn method(mut self, method: KalmanMethod) -> Self {
        self.method = method;
        self
    }

    /// Lower bounds s_L of the effective stiffnesses, one per element; minus infinity for none.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`].
    pub fn lowest_stiffness(mut self, lowest: &[f64]) -> Result<Self, RestoringForceError> {
        size("lowest_stiffness", lowest.len(), self.model.elements())?;
        self.lowest = lowest.to_vec();
        Ok(self)
    }

    /// The covariance R of the measurement noise, instead of its estimate from the record.
    #[must_use]
    pub fn measurement_noise(mut self, noise: DMatrix<f64>) -> Self {
        self.noise = Some(noise);
        self
    }

    /// Expected mean squares E(Z^2) and E(V^2) of every element, instead of those that follow from the record and E(S).
    ///
    /// # Errors
    /// [`RestoringForceError::Size`], [`RestoringForceError::OutOfRange`].
    pub fn motion(mut self, mean_squares: &[(f64, f64)]) -> Result<Self, RestoringForceError> {
        size("motion", mean_squares.len(), self.model.elements())?;
        for &(z, v) in mean_squares {
            let (value, limit) = (z.min(v), "positive: a variance of 0 means that the start is certain");
            if !(value > 0.0 && value.is_finite()) {
                return Err(OutOfRange { field: "motion", value, limit }.into());
            }
        }
        self.motion = Some(mean_squares.to_vec());
        Ok(self)
    }

    /// Standard deviations of the unknown entries of M^-1 at the start. Their squares take the place of E(P^2) in KE
    /// (4.6) and (4.7): an entry that starts from zero would never move otherwise.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`].
    pub fn inertia_deviations(mut self, deviations: &[f64]) -> Result<Self, RestoringForceError> {
        size("inertia_deviations", deviations.len(), self.model.unknown_inertia().len())?;
        self.inertia_deviations = deviations.to_vec();
        Ok(self)
    }

    /// Samples in the window of the moving errors e_p and e_s; 500 by default.
    #[must_use]
    pub fn window(mut self, samples: usize) -> Self {
        self.window = samples;
        self
    }

    /// The model.
    pub fn model(&self) -> &RestoringForceModel {
        &self.model
    }

    pub(super) fn tuning(&self) -> Exponents {
        self.exponents
    }

    /// Checks the signals; R, e_m and the variances of the signals.
    fn prepare(
        &self,
        inputs: &[f64],
        measurements: &[f64],
    ) -> Result<(DMatrix<f64>, f64, Vec<f64>), RestoringForceError> {
        let (signals, width) = (self.model.measurements(), self.model.inputs());
        size("measurements", measurements.len() % signals, 0)?;
        size("inputs", inputs.len(), measurements.len() / signals * width)?;
        let bad = |values: &[f64], gaps: bool| {
            values.iter().position(|value| !(value.is_finite() || (gaps && value.is_nan())))
        };
        if let Some(at) = bad(inputs, false) {
            return Err(RestoringForceError::Signal {
                field: format!("input {}", at % width + 1),
                sample: at / width,
                value: inputs[at],
                remedy: "the excitation must be known at every sample; interpolate it, or cut the record there",
            });
        }
        if let Some(at) = bad(measurements, true) {
            return Err(RestoringForceError::Signal {
                field: format!("measurement {}", at % signals + 1),
                sample: at / signals,
                value: measurements[at],
                remedy: "a sample that was not measured is NaN",
            });
        }
        let noise = match &self.noise {
            Some(noise) => noise.clone(),
            None => estimate_noise(measurements, signals)?,
        };
        size("measurement_noise", noise.nrows(), signals)?;
        let (error, variances) = measurement_error(measurements, &noise);
        Ok((noise, error, variances))
    }

    fn initial(&self, variances: &[f64]) -> Result<Gaussian, RestoringForceError> {
        let motion = match &self.motion {
            Some(motion) => motion.clone(),
            None => motion(&self.model, &self.expected, variances),
        };
        start(&self.model, &self.expected, &motion, &self.inertia_deviations)
    }

    fn filter(
        &self,
        initial: &Gaussian,
        noise: &DMatrix<f64>,
    ) -> Result<KalmanFilter<RestoringForceModel>, RestoringForceError> {
        let (model, n) = (&self.model, self.model.elements());
        let q = process_noise(model, &self.expected, self.exponents, &self.inertia_deviations, self.interval);
        let filter = KalmanFilter::new(model.clone(), self.method, self.interval, initial, &q, noise)?;
        let mut lower = vec![f64::NEG_INFINITY; model.states()];
        lower[2 * n..3 * n].copy_from_slice(&self.lowest);
        Ok(filter.with_bounds(Bounds::new(lower, vec![f64::INFINITY; model.states()])?)?)
    }

    /// Filters the record: rows of inputs and of measurements in SI units, one per sample, NaN where nothing was measured;
    /// [`Record::rows`](crate::Record::rows) makes them of channels in any unit.
    ///
    /// A filter that diverges is stopped; the result holds what it found until then, and why.
    ///
    /// # Errors
    /// [`RestoringForceError`] for data that cannot be used.
    pub fn run(&self, inputs: &[f64], measurements: &[f64]) -> Result<RestoringForces, RestoringForceError> {
        self.run_watched(inputs, measurements, |_| true)
    }

    /// Identifies as [`run`](Self::run) does; `watch` is called with the errors of every sample, and stops the run by `false`.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_watched(
        &self,
        inputs: &[f64],
        measurements: &[f64],
        mut watch: impl FnMut(&ConvergenceMonitor) -> bool,
    ) -> Result<RestoringForces, RestoringForceError> {
        let (noise, measurement_error, variances) = self.prepare(inputs, measurements)?;
        let initial = self.initial(&variances)?;
        let mut filter = self.filter(&initial, &noise)?;
        let signals = self.model.measurements();
        let mut monitor = ConvergenceMonitor::new(signals, self.window);
        let samples = measurements.len() / signals;
        let mut convergence = Convergence {
            measurement_error,
            prediction_errors: Vec::with_capacity(samples),
            synchronisation_errors: Vec::with_capacity(samples),
            window: self.window,
        };
        // Called before each sample: the one before it is complete then.
        let result = run_with(&mut filter, inputs, measurements, Keep::Covariances, |next, filter| {
            let i = next - 1;
            if i == 0 {
                convergence.prediction_errors.push(f64::NAN);
                convergence.synchronisation_errors.push(f64::NAN);
                return Ok(());
            }
            let measured = &measurements[i * signals..(i + 1) * signals];
            monitor.push(measured, filter.predicted_measurement(), filter.corrected_measurement());
            let error = monitor.prediction_error();
            convergence.prediction_errors.push(error);
            // Until the window is full the filter is still finding its way.
            let known = if monitor.is_full() { monitor.synchronisation_error() } else { f64::NAN };
            convergence.synchronisation_errors.push(known);
            let stop = |reason| {
                let divergence = Divergence { sample: i, time: filter.time(), reason };
                Err(FilterError::Diverged(divergence))
            };
            if monitor.is_full() && (error.is_nan() || error > self.largest_error) {
                let (limit, window) = (self.largest_error, self.window);
                return stop(DivergenceReason::PredictionError { error, limit, window });
            }
            if !watch(&monitor) {
                return stop(DivergenceReason::Interrupted);
            }
            Ok(())
        })?;
        let mut warnings = Vec::new();
        let rate = samples_per_period(measurements, &noise, &variances);
        if rate < FEWEST_SAMPLES_PER_PERIOD {
            warnings
                .push(Warning::SlowSampling { samples_per_period: rate, needed: FEWEST_SAMPLES_PER_PERIOD });
        }
        Ok(RestoringForces::new(self.model.clone(), self.exponents, result, convergence, noise, warnings))
    }

    /// Estimates the unknown entries of M^-1 by running the filter over the record several times (KE 4.1, 4.9, 4.10):
    /// s, d and the entries go on from the end of the run before. The result holds M^-1 after each iteration.
    ///
    /// # Errors
    /// [`RestoringForceError`]; [`FilterError::Diverged`] in it if the filter was stopped.
    pub fn iterate_inertia(
        &self,
        inputs: &[f64],
        measurements: &[f64],
        iterations: usize,
    ) -> Result<Vec<DMatrix<f64>>, RestoringForceError> {
        let (noise, _, variances) = self.prepare(inputs, measurements)?;
        let initial = self.initial(&variances)?;
        let mut filter = self.filter(&initial, &noise)?;
        let kept: Vec<usize> = (0..2 * self.model.elements()).collect();
        let estimates = globally_iterated(&mut filter, &initial, inputs, measurements, &kept, iterations)?;
        Ok(estimates.iter().map(|estimate| self.model.inverse_inertia_at(estimate.mean.as_slice())).collect())
    }

    /// Estimates the initial state by filter and smoother, iterated (KE 4.2): the states (z, v, s, d) at the first
    /// sample after each iteration. The beginning of a record is enough.
    ///
    /// # Errors
    /// As [`iterate_inertia`](Self::iterate_inertia).
    pub fn iterate_initial_state(
        &self,
        inputs: &[f64],
        measurements: &[f64],
        iterations: usize,
    ) -> Result<Vec<Gaussian>, RestoringForceError> {
        let (noise, _, variances) = self.prepare(inputs, measurements)?;
        let initial = self.initial(&variances)?;
        let mut filter = self.filter(&initial, &noise)?;
        let kept: Vec<usize> = (0..2 * self.model.elements()).collect();
        Ok(iterated_smoother(&mut filter, &initial, inputs, measurements, &kept, iterations)?)
    }
}

fn size(field: &'static str, given: usize, expected: usize) -> Result<(), RestoringForceError> {
    if given == expected { Ok(()) } else { Err(RestoringForceError::Size { field, given, expected }) }
}

/// Samples per period of the oscillation whose mean square velocity the signals have, without that of the noise; of the
/// fastest signal.
fn samples_per_period(signals: &[f64], noise: &DMatrix<f64>, variances: &[f64]) -> f64 {
    let channels = variances.len();
    let rate = |j: usize| {
        let values: Vec<f64> = signals.iter().skip(j).step_by(channels).copied().collect();
        let squares =
            values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).filter(|square| square.is_finite());
        let (sum, count) = squares.fold((0.0, 0.0), |(sum, count), square| (sum + square, count + 1.0));
        let change = (sum / count - 2.0 * noise[(j, j)]).max(0.0);
        2.0 * std::f64::consts::PI * (variances[j] / change).sqrt()
    };
    (0..channels).map(rate).fold(f64::INFINITY, f64::min)
}
