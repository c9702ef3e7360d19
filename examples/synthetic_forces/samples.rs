//! Samples of forces that are known, with correlated noise.

use std::f64::consts::TAU;

use anyhow::{Context, Result};
use costate::restoring_force::{CurveSample, SurfaceSample};
use nalgebra::{Matrix3, Vector3};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, StandardNormal};

/// Samples of 1 s at 10 kHz.
pub const SAMPLES: usize = 10_000;
pub const INTERVAL: f64 = 1e-4;

/// Amplitudes in m and frequencies in Hz of the motion; the thesis gives the frequencies.
const MOTION: [(f64, f64); 2] = [(20e-6, 173.0), (8e-6, 633.0)];

/// Covariance of deformation in m, rate in m/s and force in N of curves (KE 2.76), which have no rate.
const OF_CURVE: [[f64; 3]; 3] = [[5e-12, 0.0, 1.5e-5], [0.0, 1.0, 0.0], [1.5e-5, 0.0, 75.0]];

/// Covariance of the same quantities of surfaces (KE 2.95).
const OF_SURFACE: [[f64; 3]; 3] = [[1e-12, 1e-10, 1e-6], [1e-10, 1e-6, 1e-4], [1e-6, 1e-4, 30.0]];

/// Deformation and rate at a sample.
pub fn motion(sample: usize) -> (f64, f64) {
    let t = sample as f64 * INTERVAL;
    MOTION.iter().fold((0.0, 0.0), |(z, v), (amplitude, frequency)| {
        let (sin, cos) = (TAU * frequency * t).sin_cos();
        (z + amplitude * sin, v + amplitude * TAU * frequency * cos)
    })
}

/// The largest deformation and rate.
pub fn ranges() -> (f64, f64) {
    let rates = MOTION.iter().map(|(amplitude, frequency)| TAU * frequency * amplitude);
    (MOTION.iter().map(|(amplitude, _)| amplitude).sum(), rates.sum())
}

/// Noise with a covariance, `scale` times as large.
struct Noise {
    covariance: [[f64; 3]; 3],
    factor: Matrix3<f64>,
    scale: f64,
    generator: SmallRng,
}

impl Noise {
    fn new(covariance: [[f64; 3]; 3], scale: f64, seed: u64) -> Result<Self> {
        let matrix = Matrix3::from_fn(|i, j| covariance[i][j]);
        let factor = matrix.cholesky().context("the covariance of the noise is not positive definite")?.l();
        Ok(Self { covariance, factor, scale, generator: SmallRng::seed_from_u64(seed) })
    }

    fn next(&mut self) -> Vector3<f64> {
        let normal = Vector3::from_fn(|_, _| StandardNormal.sample(&mut self.generator));
        self.scale * self.factor * normal
    }

    fn covariance(&self, i: usize, j: usize) -> f64 {
        self.scale * self.scale * self.covariance[i][j]
    }
}

/// Samples of a curve over the deformation.
///
/// # Errors
/// The covariance is not positive definite.
pub fn of_curve(force: fn(f64) -> f64, scale: f64, seed: u64) -> Result<Vec<CurveSample>> {
    let mut noise = Noise::new(OF_CURVE, scale, seed)?;
    let sample = |i| {
        let ((z, _), error) = (motion(i), noise.next());
        CurveSample {
            coordinate: z + error[0],
            force: force(z) + error[2],
            covariance: [noise.covariance(0, 0), noise.covariance(0, 2), noise.covariance(2, 2)],
        }
    };
    Ok((0..SAMPLES).map(sample).collect())
}

/// Samples of a surface over deformation and rate.
///
/// # Errors
/// The covariance is not positive definite.
pub fn of_surface(force: fn(f64, f64) -> f64, scale: f64, seed: u64) -> Result<Vec<SurfaceSample>> {
    let mut noise = Noise::new(OF_SURFACE, scale, seed)?;
    let sample = |i| {
        let ((z, v), error) = (motion(i), noise.next());
        let point = [z + error[0], v + error[1], force(z, v) + error[2]];
        let covariance = [0, 1, 2].map(|i| [0, 1, 2].map(|j| noise.covariance(i, j)));
        SurfaceSample { point, covariance }
    };
    Ok((0..SAMPLES).map(sample).collect())
}
