//! A curve through samples that were made directly, with the strong correlated noise of KE (2.76).

use std::f64::consts::TAU;

use costate::restoring_force::{CurveSample, CurveSettings, central_moving_average, fit_curve};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, StandardNormal};

use crate::measure::{Errors, error};

/// Variances of deformation in m and force in N, and what they have in common.
const COVARIANCE: [f64; 3] = [5e-12, 1.5e-5, 75.0];

fn force(z: f64) -> f64 {
    60.0 * (z / 4e-6).tanh() + 4e15 * z.powi(3)
}

/// One second at 10 kHz of an oscillation with 173 and 633 Hz.
fn samples(seed: u64) -> Vec<CurveSample> {
    let mut generator = SmallRng::seed_from_u64(seed);
    let mut normal = || -> f64 { StandardNormal.sample(&mut generator) };
    let [variance, common, of_force] = COVARIANCE;
    let deviation = variance.sqrt();
    let rest = (of_force - common * common / variance).sqrt();
    let sample = |i: i32| {
        let t = 1e-4 * f64::from(i);
        let z = 20e-6 * (TAU * 173.0 * t).sin() + 8e-6 * (TAU * 633.0 * t).sin();
        let (a, b) = (normal(), normal());
        CurveSample {
            coordinate: z + deviation * a,
            force: force(z) + common / deviation * a + rest * b,
            covariance: COVARIANCE,
        }
    };
    (0..10_000).map(sample).collect()
}

#[test]
fn samples_are_sorted_over_the_moving_average() {
    let settings = CurveSettings { uncertain: 3.0, ..CurveSettings::default() };
    let (mut by_noisy, mut by_average) = (Vec::new(), Vec::new());
    for seed in 1..=5 {
        let samples = samples(seed);
        let noisy: Vec<f64> = samples.iter().map(|sample| sample.coordinate).collect();
        let averaged = central_moving_average(&noisy, settings.window);
        let of = |recursion: &[f64]| {
            let curve = fit_curve(&samples, recursion, settings.lag, settings.smooth).unwrap();
            let curve = curve.resampled(&settings).unwrap();
            let ([low, high], table) = (curve.range(), curve.table().unwrap());
            assert!(low < -23e-6 && high > 23e-6, "{low} {high}");
            let places: Vec<f64> = (-100..=100).map(|k| 0.23e-6 * f64::from(k)).collect();
            let found: Vec<f64> = places.iter().map(|z| table.value(*z)).collect();
            error(&found, &places.iter().map(|z| force(*z)).collect::<Vec<_>>())
        };
        by_noisy.push(of(&noisy));
        by_average.push(of(&averaged));
    }
    let (by_noisy, by_average) = (Errors::of(by_noisy), Errors::of(by_average));
    println!("synthetic curve: {by_noisy} sorted over z, {by_average} over its average");
    by_average.check(6.0, 8.0);
    assert!(by_noisy.median > 1.5 * by_average.median);
}
