//! The first step of the method: a filter that tracks effective stiffnesses and dampings (KE 2.2).

use costate_numerics::scalar::out_of_range::OutOfRange;
use nalgebra::DMatrix;

use costate_system::state_space::{Gaussian, StateSpace};

use super::convergence::ConvergenceMonitor;
use super::error::{RestoringForceError, size};
use super::estimates::TrackedElements;
use super::model::RestoringForceModel;
use super::monitored_run::{Monitoring, run_monitored};
use super::result::RestoringForces;
use super::sensor::SensorKind;
use super::signals::Prepared;
use super::tuning::{APriori, Exponents, add_input_noise, motion, process_noise, start};
use crate::{Bounds, KalmanFilter, KalmanMethod, globally_iterated, iterated_smoother};

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
    /// Standard deviations of the noise on the inputs.
    input_noise: Vec<f64>,
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
    pub fn new(model: RestoringForceModel, interval: f64, expected: Vec<APriori>) -> Result<Self, RestoringForceError> {
        let out_of_range = |field, value, limit| Err(OutOfRange { field, value, limit }.into());
        if !(interval > 0.0 && interval.is_finite()) {
            return out_of_range("interval", interval, "positive and finite");
        }
        size("expected", expected.len(), model.elements())?;
        for expected in &expected {
            expected.check()?;
        }
        let lowest = (0..model.elements()).map(|j| {
            let shown =
                model.sensors().iter().any(|sensor| sensor.element == j && sensor.kind == SensorKind::Displacement);
            if shown { f64::NEG_INFINITY } else { 0.01 * expected[j].stiffness }
        });
        Ok(Self {
            interval,
            exponents: Exponents::new(3.0, 1.0),
            method: KalmanMethod::Extended,
            lowest: lowest.collect(),
            noise: None,
            input_noise: vec![0.0; model.inputs()],
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

    /// Standard deviations of the noise on the inputs, in m/s^2 and N; 0 by default, as in KE (2.51). What they add to
    /// the rates in a step is process noise of v, with which filters bear noise on the excitation (KE 3.4.1).
    ///
    /// # Errors
    /// [`RestoringForceError::Size`], [`RestoringForceError::OutOfRange`].
    pub fn input_noise(mut self, deviations: &[f64]) -> Result<Self, RestoringForceError> {
        size("input_noise", deviations.len(), self.model.inputs())?;
        if let Some(&value) = deviations.iter().find(|value| !(**value >= 0.0 && value.is_finite())) {
            return Err(OutOfRange { field: "input_noise", value, limit: "0 or more, and finite" }.into());
        }
        self.input_noise = deviations.to_vec();
        Ok(self)
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

    fn prepare(&self, inputs: &[f64], measurements: &[f64]) -> Result<Prepared, RestoringForceError> {
        let widths = (self.model.inputs(), self.model.measurements());
        Prepared::new(widths, self.noise.as_ref(), inputs, measurements)
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
        let mut q = process_noise(model, &self.expected, self.exponents, &self.inertia_deviations, self.interval);
        add_input_noise(&mut q, model, &self.input_noise, self.interval);
        let filter = KalmanFilter::new(model.clone(), self.method, self.interval, initial, &q, noise)?;
        let mut lower = vec![f64::NEG_INFINITY; model.states()];
        lower[2 * n..3 * n].copy_from_slice(&self.lowest);
        Ok(filter.with_bounds(Bounds::new(lower, vec![f64::INFINITY; model.states()])?)?)
    }

    /// Filters the record: rows of inputs and of measurements in SI units, one per sample, NaN where nothing was
    /// measured; [`Record::rows`](costate_measure::record::Record::rows) makes them of channels in any unit.
    ///
    /// A filter that diverges is stopped; the result holds what it found until then, and why.
    ///
    /// # Errors
    /// [`RestoringForceError`] for data that cannot be used.
    pub fn run(&self, inputs: &[f64], measurements: &[f64]) -> Result<RestoringForces, RestoringForceError> {
        self.run_watched(inputs, measurements, |_| true)
    }

    /// Identifies as [`run`](Self::run) does; `watch` is called with the errors of every sample, and stops the run by
    /// `false`.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_watched(
        &self,
        inputs: &[f64],
        measurements: &[f64],
        mut watch: impl FnMut(&ConvergenceMonitor) -> bool,
    ) -> Result<RestoringForces, RestoringForceError> {
        let signals = self.prepare(inputs, measurements)?;
        let initial = self.initial(&signals.variances)?;
        let mut filter = self.filter(&initial, &signals.noise)?;
        let monitoring = Monitoring { window: self.window, largest_error: self.largest_error };
        let record = (inputs, measurements);
        let (run, convergence) = run_monitored(&mut filter, record, signals.measurement_error, monitoring, &mut watch)?;
        let tracked = TrackedElements::of_run(&self.model, &run);
        let (exponents, inertia) = (self.exponents, self.model.inverse_inertia().clone());
        let expected = self.expected.iter().map(|expected| expected.scaled(self.model.scale())).collect();
        let forces = RestoringForces::new(tracked, exponents, run, convergence, signals, expected);
        Ok(forces.with_inertia(inertia))
    }

    /// Estimates the unknown entries of M^-1 by running the filter over the record several times (KE 4.1, 4.9, 4.10):
    /// s, d and the entries go on from the end of the run before. The result holds M^-1 after each iteration.
    ///
    /// # Errors
    /// [`RestoringForceError`]; [`FilterError::Diverged`](costate_system::state_space::FilterError::Diverged) in it if
    /// the filter was stopped.
    pub fn iterate_inertia(
        &self,
        inputs: &[f64],
        measurements: &[f64],
        iterations: usize,
    ) -> Result<Vec<DMatrix<f64>>, RestoringForceError> {
        let signals = self.prepare(inputs, measurements)?;
        let initial = self.initial(&signals.variances)?;
        let mut filter = self.filter(&initial, &signals.noise)?;
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
        let signals = self.prepare(inputs, measurements)?;
        let initial = self.initial(&signals.variances)?;
        let mut filter = self.filter(&initial, &signals.noise)?;
        let kept: Vec<usize> = (0..2 * self.model.elements()).collect();
        Ok(iterated_smoother(&mut filter, &initial, inputs, measurements, &kept, iterations)?)
    }
}
