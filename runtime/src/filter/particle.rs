//! The particle filter (KE 1.6.3): samples of the state that are weighted by how well they explain the measurements.

use nalgebra::{DMatrix, DVector};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

use super::bounds::Bounds;
use super::checks::{check_covariance, check_size};
use super::error::{Divergence, DivergenceReason, FilterError};
use super::factor::solve_lower;
use super::state_space::{Sample, StateSpace, Step};
use super::transformation::{Gaussian, check_finite};

/// A bootstrap particle filter: particles follow the process with its noise, get weights by the density of the
/// measurement, and are drawn anew (systematically) when the effective number falls below a half.
///
/// It is the filter for any nonlinearity and any distribution, at the price of many evaluations.
#[derive(Debug, Clone)]
pub struct ParticleFilter<P> {
    process: P,
    bounds: Bounds,
    interval: f64,
    sample: usize,
    inputs: Vec<f64>,
    inputs_before: Vec<f64>,
    particles: Vec<f64>,
    spare: Vec<f64>,
    /// A particle before its noise.
    advanced: Vec<f64>,
    weights: Vec<f64>,
    logarithms: Vec<f64>,
    process_noise: DMatrix<f64>,
    measurement_noise: DMatrix<f64>,
    /// Rows of R that belong to signals which were measured, factorised.
    present_noise: DMatrix<f64>,
    measured: Vec<f64>,
    normal: Vec<f64>,
    mean: Vec<f64>,
    generator: SmallRng,
}

impl<P: StateSpace> ParticleFilter<P> {
    /// A filter with this many particles, drawn from `initial`; further arguments as in
    /// [`KalmanFilter::new`](super::KalmanFilter::new). The same seed gives the same result.
    ///
    /// # Errors
    /// As [`KalmanFilter::new`](super::KalmanFilter::new); [`FilterError::OutOfRange`] for fewer than two particles.
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
        if particles < 2 {
            let (field, limit) = ("particles", "2 or more");
            return Err(FilterError::OutOfRange { field, value: particles as f64, limit });
        }
        if !(interval > 0.0 && interval.is_finite()) {
            let (field, limit) = ("interval", "positive and finite");
            return Err(FilterError::OutOfRange { field, value: interval, limit });
        }
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
            weights: vec![1.0 / particles as f64; particles],
            logarithms: vec![0.0; particles],
            process_noise: check_covariance("process_noise", process_noise, n, false)?,
            measurement_noise: measurement_noise.clone(),
            present_noise: DMatrix::zeros(signals, signals),
            measured: vec![0.0; signals],
            normal: vec![0.0; n],
            mean: initial.mean.as_slice().to_vec(),
            generator: SmallRng::seed_from_u64(seed),
            process,
        };
        for particle in filter.particles.chunks_exact_mut(n) {
            particle.copy_from_slice(initial.mean.as_slice());
            scatter(&mut filter.generator, &start, &mut filter.normal, particle);
        }
        Ok(filter)
    }

    /// Moves particles that leave these bounds back to them.
    ///
    /// # Errors
    /// [`FilterError::Length`].
    pub fn with_bounds(mut self, bounds: Bounds) -> Result<Self, FilterError> {
        check_size("bounds", bounds.states(), self.process.states())?;
        self.bounds = bounds;
        Ok(self)
    }

    /// The inputs u_0 at the first sample.
    ///
    /// # Errors
    /// [`FilterError::Length`], [`FilterError::NotFinite`].
    pub fn start(&mut self, inputs: &[f64]) -> Result<(), FilterError> {
        check_size("inputs", inputs.len(), self.inputs.len())?;
        check_finite("inputs", inputs)?;
        self.inputs.copy_from_slice(inputs);
        Ok(())
    }

    /// The next sample; what was not measured is NaN.
    ///
    /// # Errors
    /// As [`KalmanFilter::step`](super::KalmanFilter::step).
    pub fn step(&mut self, inputs: &[f64], measurements: &[f64]) -> Result<(), FilterError> {
        check_size("inputs", inputs.len(), self.inputs.len())?;
        check_finite("inputs", inputs)?;
        check_size("measurements", measurements.len(), self.measured.len())?;
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
        self.average();
        if self.effective_particles() < 0.5 * self.weights.len() as f64 {
            self.draw_anew();
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<(), DivergenceReason> {
        let n = self.mean.len();
        let step = Step {
            time: (self.sample - 1) as f64 * self.interval,
            interval: self.interval,
            inputs_before: &self.inputs_before,
            inputs: &self.inputs,
        };
        if self.sample == 1 {
            let at = Sample { time: step.time, inputs: &self.inputs_before };
            for particle in self.particles.chunks_exact_mut(n) {
                self.process.admit(&at, &self.mean, particle);
            }
        }
        let at = Sample { time: self.sample as f64 * self.interval, inputs: &self.inputs };
        for (particle, next) in self.particles.chunks_exact(n).zip(self.spare.chunks_exact_mut(n)) {
            let advanced = self.process.advance(&step, particle, next);
            advanced.map_err(|error| DivergenceReason::Model(Box::new(error)))?;
            self.advanced.copy_from_slice(next);
            scatter(&mut self.generator, &self.process_noise, &mut self.normal, next);
            self.bounds.clamp(next);
            self.process.admit(&at, &self.advanced, next);
        }
        std::mem::swap(&mut self.particles, &mut self.spare);
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
        super::factor::cholesky(&mut self.present_noise)
            .map_err(|(row, _)| DivergenceReason::NotDefinite { field: "the measurement noise", row })?;
        let at = Sample { time: self.sample as f64 * self.interval, inputs: &self.inputs };
        let mut largest = f64::NEG_INFINITY;
        for (k, particle) in self.particles.chunks_exact(n).enumerate() {
            self.process.measure(&at, particle, &mut self.measured);
            for (predicted, measured) in self.measured.iter_mut().zip(measurements) {
                *predicted = if measured.is_nan() { 0.0 } else { measured - *predicted };
            }
            solve_lower(&self.present_noise, &mut self.measured);
            let square: f64 = self.measured.iter().map(|e| e * e).sum();
            let logarithm = self.weights[k].ln() - 0.5 * square;
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
        Ok(())
    }

    fn average(&mut self) {
        let n = self.mean.len();
        self.mean.fill(0.0);
        for (particle, weight) in self.particles.chunks_exact(n).zip(&self.weights) {
            for (mean, x) in self.mean.iter_mut().zip(particle) {
                *mean += weight * x;
            }
        }
    }

    /// Systematic resampling: one random number for all.
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

    /// 1 over the sum of the squared weights.
    pub fn effective_particles(&self) -> f64 {
        1.0 / self.weights.iter().map(|weight| weight * weight).sum::<f64>()
    }

    /// The estimated state, the weighted mean of the particles.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Mean and covariance of the particles.
    pub fn estimate(&self) -> Gaussian {
        let n = self.mean.len();
        let mean = DVector::from_column_slice(&self.mean);
        let mut covariance = DMatrix::zeros(n, n);
        for (particle, weight) in self.particles.chunks_exact(n).zip(&self.weights) {
            let deviation = DVector::from_column_slice(particle) - &mean;
            covariance.ger(*weight, &deviation, &deviation, 1.0);
        }
        Gaussian { mean, covariance }
    }

    /// The particles, n numbers each, and their weights.
    pub fn particles(&self) -> (&[f64], &[f64]) {
        (&self.particles, &self.weights)
    }
}

/// Adds S times a standard normal vector.
fn scatter(generator: &mut SmallRng, factor: &DMatrix<f64>, normal: &mut [f64], x: &mut [f64]) {
    normal.iter_mut().for_each(|entry| *entry = StandardNormal.sample(generator));
    for (i, x) in x.iter_mut().enumerate() {
        *x += (0..=i).map(|k| factor[(i, k)] * normal[k]).sum::<f64>();
    }
}
