//! The particle filter (KE 1.6.3): samples of the state that are weighted by how well they explain the measurements.

mod moments;

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

use costate_contract::machine::{Room, bytes};
use costate_numerics::scalar::out_of_range::require;

use super::bounds::Bounds;
use super::recorded::{Back, LastSample, Recorded};
use super::storage::Storage;
use costate_numerics::linalg::factor::solve_lower;
use costate_system::state_space::{
    Divergence, DivergenceReason, FilterError, Gaussian, Sample, StateSpace, Step, check_covariance, check_finite,
    check_size,
};

use moments::{Moments, weighted_mean};

/// A bootstrap particle filter: particles follow the process with its noise, get weights by the density of
/// the measurement, and are resampled (systematically) when the effective number falls below a half.
///
/// It suits any nonlinearity and any distribution, at the price of many evaluations.
///
/// [`run`](super::run) takes a particle filter over a record like any other filter, and with [`Storage::Gains`]
/// the run can be [smoothed](super::smooth) (KE 1.49, 1.50) by the moments of the particles before and after
/// each step. Such a smoother uses means and covariances only, and misleads where the density has several
/// modes.
#[derive(Debug, Clone)]
pub struct ParticleFilter<P: ?Sized> {
    bounds: Bounds,
    interval: f64,
    sample: usize,
    inputs: Vec<f64>,
    inputs_before: Vec<f64>,
    particles: Vec<f64>,
    spare: Vec<f64>,
    /// A particle before its noise.
    advanced: Vec<f64>,
    /// True once the first particles satisfy the constraints.
    is_admitted: bool,
    weights: Vec<f64>,
    logarithms: Vec<f64>,
    process_noise: DMatrix<f64>,
    measurement_noise: DMatrix<f64>,
    /// Rows of R that belong to signals which were measured, factorised.
    present_noise: DMatrix<f64>,
    /// Measurements at each particle.
    measured: Vec<f64>,
    innovation: Vec<f64>,
    /// Means over the particles, before and after the correction.
    predicted: Vec<f64>,
    corrected: Vec<f64>,
    normal: Vec<f64>,
    mean: Vec<f64>,
    moments: Option<Moments>,
    generator: SmallRng,
    /// The last field, as in a [`KalmanFilter`](super::KalmanFilter).
    process: P,
}

/// Checks that there are enough particles, and memory for them.
fn check_particles(particles: usize, states: usize, signals: usize) -> Result<(), FilterError> {
    require("particles", particles as f64, particles >= 2, "2 or more")?;
    // twice the states, the measurements, weights and logarithms
    let each = bytes(states.saturating_mul(2).saturating_add(signals).saturating_add(2), size_of::<f64>());
    Ok(room(particles).check(each.saturating_mul(particles as u64))?)
}

/// Returns the data that grow with the particles, for messages.
fn room(particles: usize) -> Room {
    Room { what: "the states", count: particles, counted: "particles", remedy: "take fewer particles" }
}

impl<P: StateSpace> ParticleFilter<P> {
    /// Creates a filter with this many particles, drawn from `initial`; further arguments as in
    /// [`KalmanFilter::new`](super::KalmanFilter::new). Equal seeds give equal results.
    ///
    /// # Errors
    /// As [`KalmanFilter::new`](super::KalmanFilter::new); [`FilterError::OutOfRange`] for fewer than two particles, or
    /// no states.
    pub fn new(
        process: P,
        particles: usize,
        interval: f64,
        initial: &Gaussian,
        process_noise: &DMatrix<f64>,
        measurement_noise: &DMatrix<f64>,
        seed: u64,
    ) -> Result<Self, FilterError> {
        let (n, signals) = (process.states(), process.measurements());
        require("states", n as f64, n > 0, "1 or more")?;
        check_particles(particles, n, signals)?;
        require("interval", interval, interval > 0.0 && interval.is_finite(), "positive and finite")?;
        check_size("initial mean", initial.mean.len(), n)?;
        check_finite("initial mean", initial.mean.as_slice())?;
        let start = check_covariance("initial", &initial.covariance, n, false)?;
        check_covariance("measurement_noise", measurement_noise, signals, true)?;
        let mut filter = Self {
            bounds: Bounds::none(n),
            interval,
            sample: 0,
            inputs: vec![0.0; process.inputs()],
            inputs_before: vec![0.0; process.inputs()],
            particles: vec![0.0; particles * n],
            spare: vec![0.0; particles * n],
            advanced: vec![0.0; n],
            is_admitted: false,
            weights: vec![1.0 / particles as f64; particles],
            logarithms: vec![0.0; particles],
            process_noise: check_covariance("process_noise", process_noise, n, false)?,
            measurement_noise: measurement_noise.clone(),
            present_noise: DMatrix::zeros(signals, signals),
            measured: vec![0.0; particles * signals],
            innovation: vec![0.0; signals],
            predicted: vec![0.0; signals],
            corrected: vec![0.0; signals],
            normal: vec![0.0; n],
            mean: initial.mean.as_slice().to_vec(),
            moments: None,
            generator: SmallRng::seed_from_u64(seed),
            process,
        };
        for particle in filter.particles.chunks_exact_mut(n) {
            particle.copy_from_slice(initial.mean.as_slice());
            scatter(&mut filter.generator, &start, &mut filter.normal, particle);
        }
        Ok(filter)
    }

    /// Sets bounds; particles outside of them are moved back to the bounds.
    ///
    /// # Errors
    /// [`FilterError::Length`].
    pub fn with_bounds(mut self, bounds: Bounds) -> Result<Self, FilterError> {
        check_size("bounds", bounds.states(), self.process.states())?;
        self.bounds = bounds;
        Ok(self)
    }

    /// Advances to the next sample; measurements are NaN where nothing was measured.
    ///
    /// # Errors
    /// As [`KalmanFilter::step`](super::KalmanFilter::step).
    pub fn step(&mut self, inputs: &[f64], measurements: &[f64]) -> Result<(), FilterError> {
        let of_any_system: &mut ParticleFilter<dyn StateSpace + '_> = self;
        of_any_system.step_on(inputs, measurements)
    }
}

/// Steps of a filter of any system.
impl ParticleFilter<dyn StateSpace + '_> {
    fn step_on(&mut self, inputs: &[f64], measurements: &[f64]) -> Result<(), FilterError> {
        check_size("inputs", inputs.len(), self.inputs.len())?;
        check_finite("inputs", inputs)?;
        check_size("measurements", measurements.len(), self.predicted.len())?;
        if let Some(&value) = measurements.iter().find(|value| value.is_infinite()) {
            let (field, sample) = ("measurements", self.sample + 1);
            return Err(FilterError::NotFinite { field, sample, value });
        }
        std::mem::swap(&mut self.inputs, &mut self.inputs_before);
        self.inputs.copy_from_slice(inputs);
        self.sample += 1;
        let time = self.sample as f64 * self.interval;
        let stepped = self.advance().and_then(|()| self.weigh(measurements));
        stepped.map_err(|reason| Divergence { sample: self.sample, time, reason })?;
        weighted_mean(&self.particles, &self.weights, &mut self.mean);
        if let Some(moments) = &mut self.moments {
            moments.take_estimate(&self.particles, &self.weights, &self.mean);
        }
        if self.effective_particles() < 0.5 * self.weights.len() as f64 {
            self.draw_anew();
        }
        Ok(())
    }

    /// Advances the particles; those that do not stay finite lose their weight.
    fn advance(&mut self) -> Result<(), DivergenceReason> {
        let n = self.mean.len();
        let step = Step {
            time: (self.sample - 1) as f64 * self.interval,
            interval: self.interval,
            inputs_before: &self.inputs_before,
            inputs: &self.inputs,
        };
        if !self.is_admitted {
            self.is_admitted = true;
            let at = Sample { time: step.time, inputs: &self.inputs_before };
            self.process.admit_each(&at, &self.mean, &mut self.particles);
        }
        let at = Sample { time: self.sample as f64 * self.interval, inputs: &self.inputs };
        for group in with_weight(&self.weights) {
            let numbers = group.start * n..group.end * n;
            let (particles, next) = (&self.particles[numbers.clone()], &mut self.spare[numbers]);
            let advanced = self.process.advance_each(&step, particles, next);
            advanced.map_err(DivergenceReason::Model)?;
        }
        let (mut lost, weights) = (0, &mut self.weights);
        let pairs = self.particles.chunks_exact(n).zip(self.spare.chunks_exact_mut(n));
        for ((particle, next), weight) in pairs.zip(weights.iter_mut()) {
            if *weight == 0.0 {
                next.copy_from_slice(particle);
                continue;
            }
            self.advanced.copy_from_slice(next);
            scatter(&mut self.generator, &self.process_noise, &mut self.normal, next);
            self.bounds.clamp(next);
            self.process.admit(&at, &self.advanced, next);
            if next.iter().any(|x| !x.is_finite()) {
                *weight = 0.0;
                lost += 1;
            }
        }
        if lost > 0 {
            let sum: f64 = weights.iter().sum();
            if sum == 0.0 {
                return Err(DivergenceReason::NoParticle);
            }
            weights.iter_mut().for_each(|weight| *weight /= sum);
        }
        std::mem::swap(&mut self.particles, &mut self.spare);
        if let Some(moments) = &mut self.moments {
            moments.take_step(&self.spare, &self.particles, &self.weights);
        }
        Ok(())
    }

    /// Multiplies the weights by the density of the measurement.
    fn weigh(&mut self, measurements: &[f64]) -> Result<(), DivergenceReason> {
        let n = self.mean.len();
        // Signals without a measurement get an independent variance, and no deviation.
        for i in 0..measurements.len() {
            for j in 0..measurements.len() {
                let both = !(measurements[i].is_nan() || measurements[j].is_nan());
                let identity = if i == j { 1.0 } else { 0.0 };
                self.present_noise[(i, j)] = if both { self.measurement_noise[(i, j)] } else { identity };
            }
        }
        costate_numerics::linalg::factor::cholesky(&mut self.present_noise)
            .map_err(|(row, _)| DivergenceReason::NotDefinite { field: "the measurement noise", row })?;
        let at = Sample { time: self.sample as f64 * self.interval, inputs: &self.inputs };
        let (signals, mut largest) = (self.predicted.len(), f64::NEG_INFINITY);
        self.predicted.fill(0.0);
        for group in with_weight(&self.weights) {
            let particles = &self.particles[group.start * n..group.end * n];
            let measured = &mut self.measured[group.start * signals..group.end * signals];
            self.process.measure_each(&at, particles, measured);
        }
        for (k, &weight) in self.weights.iter().enumerate() {
            let y = &self.measured[k * signals..(k + 1) * signals];
            if weight == 0.0 {
                self.logarithms[k] = f64::NEG_INFINITY;
                continue;
            }
            for j in 0..signals {
                self.predicted[j] += weight * y[j];
                self.innovation[j] = if measurements[j].is_nan() { 0.0 } else { measurements[j] - y[j] };
            }
            solve_lower(&self.present_noise, &mut self.innovation);
            let square: f64 = self.innovation.iter().map(|e| e * e).sum();
            let logarithm = weight.ln() - 0.5 * square;
            self.logarithms[k] = if logarithm.is_finite() { logarithm } else { f64::NEG_INFINITY };
            largest = largest.max(self.logarithms[k]);
        }
        if !largest.is_finite() {
            return Err(DivergenceReason::NoParticle);
        }
        let mut sum = 0.0;
        for (weight, logarithm) in self.weights.iter_mut().zip(&self.logarithms) {
            *weight = (logarithm - largest).exp();
            sum += *weight;
        }
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
        self.corrected.fill(0.0);
        for (k, weight) in self.weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let y = &self.measured[k * signals..(k + 1) * signals];
            self.corrected.iter_mut().zip(y).for_each(|(sum, y)| *sum += weight * y);
        }
        Ok(())
    }
}

impl<P: ?Sized> ParticleFilter<P> {
    /// Begins at sample 0 and time 0, with the inputs u_0 and the particles as they are.
    ///
    /// # Errors
    /// [`FilterError::Length`], [`FilterError::NotFinite`].
    pub fn start(&mut self, inputs: &[f64]) -> Result<(), FilterError> {
        check_size("inputs", inputs.len(), self.inputs.len())?;
        check_finite("inputs", inputs)?;
        self.sample = 0;
        self.inputs.copy_from_slice(inputs);
        Ok(())
    }

    /// Resamples systematically, with one random number for all particles.
    fn draw_anew(&mut self) {
        let (n, count) = (self.mean.len(), self.weights.len());
        let part = 1.0 / count as f64;
        let (mut place, mut chosen) = (part * self.generator.random::<f64>(), 0);
        let mut sum = self.weights[0];
        for k in 0..count {
            while sum < place && chosen + 1 < count {
                chosen += 1;
                sum += self.weights[chosen];
            }
            self.spare[k * n..(k + 1) * n].copy_from_slice(&self.particles[chosen * n..(chosen + 1) * n]);
            place += part;
        }
        std::mem::swap(&mut self.particles, &mut self.spare);
        self.weights.fill(part);
    }

    /// Returns 1 over the sum of the squared weights.
    pub fn effective_particles(&self) -> f64 {
        1.0 / self.weights.iter().map(|weight| weight * weight).sum::<f64>()
    }

    /// Returns the estimated state, the weighted mean of the particles.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Returns the mean over the particles of the predicted measurement.
    pub fn predicted_measurement(&self) -> &[f64] {
        &self.predicted
    }

    /// Returns the mean over the particles of the measurement, with the weights after the correction.
    pub fn corrected_measurement(&self) -> &[f64] {
        &self.corrected
    }

    /// Returns mean and covariance of the particles.
    pub fn estimate(&self) -> Gaussian {
        let n = self.mean.len();
        let mean = DVector::from_column_slice(&self.mean);
        let mut covariance = DMatrix::zeros(n, n);
        let particles = self.particles.chunks_exact(n).zip(&self.weights);
        for (particle, weight) in particles.filter(|(_, weight)| **weight > 0.0) {
            let deviation = DVector::from_column_slice(particle) - &mean;
            covariance.ger(*weight, &deviation, &deviation, 1.0);
        }
        Gaussian { mean, covariance }
    }

    /// Returns the particles, n numbers each, and their weights.
    pub fn particles(&self) -> (&[f64], &[f64]) {
        (&self.particles, &self.weights)
    }
}

impl<P: StateSpace> Recorded for ParticleFilter<P> {
    fn process(&self) -> &dyn StateSpace {
        &self.process
    }

    fn interval(&self) -> f64 {
        self.interval
    }

    fn keep(&mut self, keep: Storage) -> Result<(), FilterError> {
        let (n, particles, with_gains) = (self.mean.len(), self.weights.len(), keep >= Storage::Gains);
        self.moments = None;
        if keep >= Storage::Covariances {
            room(particles).check(bytes(Moments::numbers(n, particles, with_gains), size_of::<f64>()))?;
            self.moments = Some(Moments::new(n, particles, with_gains));
        }
        if let Some(moments) = &mut self.moments {
            moments.take_estimate(&self.particles, &self.weights, &self.mean);
        }
        Ok(())
    }

    fn begin(&mut self, inputs: &[f64]) -> Result<(), FilterError> {
        self.start(inputs)
    }

    fn step(&mut self, inputs: &[f64], measurements: &[f64]) -> Result<(), FilterError> {
        Self::step(self, inputs, measurements)
    }

    fn last(&self) -> LastSample<'_> {
        let back = self.moments.as_ref().and_then(|moments| moments.back.as_ref());
        LastSample {
            mean: &self.mean,
            factor: self.moments.as_ref().map(|moments| &moments.factor),
            predicted: &self.predicted,
            corrected: &self.corrected,
            innovations: None,
            was_truncated: false,
            back: back.map(|back| Back::new(Some(&back.mean_before), &back.predicted_mean, &back.smoothing)),
        }
    }
}

/// Returns ranges of consecutive particles with weight.
fn with_weight(weights: &[f64]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end + weights[end..].iter().position(|weight| *weight != 0.0)?;
        let length = weights[start..].iter().position(|weight| *weight == 0.0);
        end = length.map_or(weights.len(), |length| start + length);
        Some(start..end)
    })
}

/// Adds S times a standard normal vector.
fn scatter(generator: &mut SmallRng, factor: &DMatrix<f64>, normal: &mut [f64], x: &mut [f64]) {
    normal.iter_mut().for_each(|entry| *entry = StandardNormal.sample(generator));
    for (i, x) in x.iter_mut().enumerate() {
        *x += (0..=i).map(|k| factor[(i, k)] * normal[k]).sum::<f64>();
    }
}
