//! Records with noise, and errors of identified quantities.

use costate::Simulation;
use costate::restoring_force::{RestoringForceCurve, RestoringForceSurface};
use costate::simulate::Scheme;
use costate::table::{Curve, Surface};
use costate_models::restoring_force::{Case, CoupledOscillator, END, INTERVAL, IdentifiedOscillator, Motion, NOISE};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, StandardNormal};

/// Adds zero-mean noise to every signal, as a part of its standard deviation.
pub fn noisy(signals: &[f64], channels: usize, part: f64, seed: u64) -> Vec<f64> {
    let deviations: Vec<f64> = (0..channels)
        .map(|j| {
            let values: Vec<f64> = signals.iter().skip(j).step_by(channels).copied().collect();
            deviation(&values)
        })
        .collect();
    let mut generator = SmallRng::seed_from_u64(seed);
    let mut normal = || -> f64 { StandardNormal.sample(&mut generator) };
    signals.iter().enumerate().map(|(i, value)| value + part * deviations[i % channels] * normal()).collect()
}

pub fn record(motion: &Motion, seed: u64) -> Vec<f64> {
    let channels = motion.accelerations.len() / motion.base.len();
    noisy(&motion.accelerations, channels, NOISE, seed)
}

pub fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

/// Computes the relative RMS error in percent.
pub fn error(found: &[f64], truth: &[f64]) -> f64 {
    let difference: f64 = found.iter().zip(truth).map(|(a, b)| (a - b).powi(2)).sum();
    100.0 * (difference / truth.len() as f64).sqrt() / deviation(truth)
}

fn range(visited: &[f64]) -> (f64, f64) {
    visited.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)))
}

/// Computes the error of a curve over the part from 5 to 95 % of the visited range.
pub fn curve_error(curve: &RestoringForceCurve, truth: impl Fn(f64) -> f64, visited: &[f64]) -> f64 {
    let (table, (low, high)) = (curve.table().unwrap(), range(visited));
    let at: Vec<f64> = (0..=200).map(|k| low + (high - low) * (0.05 + 0.9 * f64::from(k) / 200.0)).collect();
    let found: Vec<f64> = at.iter().map(|&x| table.value(x)).collect();
    error(&found, &at.iter().map(|&x| truth(x)).collect::<Vec<_>>())
}

/// Computes the error of a surface over the known nodes in the same part of both ranges.
pub fn surface_error(surface: &RestoringForceSurface, case: &Case, motion: &Motion) -> f64 {
    let inside = |(low, high): (f64, f64), x: f64| x >= low + 0.05 * (high - low) && x <= high - 0.05 * (high - low);
    let (z_range, v_range) = (range(&motion.deformations), range(&motion.rates));
    let (mut found, mut truth) = (Vec::new(), Vec::new());
    for (i, &z) in surface.deformations.iter().enumerate() {
        for (j, &v) in surface.rates.iter().enumerate() {
            if surface.force(i, j).is_finite() && inside(z_range, z) && inside(v_range, v) {
                found.push(surface.force(i, j));
                truth.push((case.force)(z, v));
            }
        }
    }
    error(&found, &truth)
}

/// Computes the error of the acceleration of an oscillator with these curves.
pub fn response_error(case: &Case, elastic: Curve, dissipative: Curve, motion: &Motion) -> f64 {
    let sweep = case.sweep;
    let run = Simulation::new(&IdentifiedOscillator::default())
        .table(IdentifiedOscillator::ELASTIC, elastic)
        .table(IdentifiedOscillator::DISSIPATIVE, dissipative)
        .input(IdentifiedOscillator::BASE, move |t: f64| sweep.at(t))
        .step(INTERVAL / 5.0)
        .until(END)
        .scheme(Scheme::Undamped)
        .error_limit(None)
        .run();
    let Ok(run) = run else { return f64::INFINITY };
    let found: Vec<f64> = run.output(IdentifiedOscillator::ACCELERATION).into_iter().step_by(5).collect();
    error(&found, &motion.accelerations)
}

/// Computes the error of the acceleration of an oscillator with this surface.
pub fn coupled_response_error(case: &Case, surface: Surface, motion: &Motion) -> f64 {
    let sweep = case.sweep;
    let run = Simulation::new(&CoupledOscillator::default())
        .table(CoupledOscillator::RESTORING, surface)
        .input(CoupledOscillator::BASE, move |t: f64| sweep.at(t))
        .step(INTERVAL / 5.0)
        .until(END)
        .scheme(Scheme::Undamped)
        .error_limit(None)
        .run();
    let Ok(run) = run else { return f64::INFINITY };
    let found: Vec<f64> = run.output(CoupledOscillator::ACCELERATION).into_iter().step_by(5).collect();
    error(&found, &motion.accelerations)
}

/// Errors in percent over several records.
pub struct Errors {
    pub median: f64,
    pub worst: f64,
}

impl Errors {
    pub fn of(mut errors: Vec<f64>) -> Self {
        errors.sort_by(f64::total_cmp);
        Self { median: errors[errors.len() / 2], worst: errors[errors.len() - 1] }
    }

    pub fn check(&self, median: f64, worst: f64) {
        assert!(self.median <= median && self.worst <= worst, "{self}, allowed {median} ({worst})");
    }
}

impl std::fmt::Display for Errors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} ({:.2})", self.median, self.worst)
    }
}

/// Computes frequency in Hz and amplitude of an oscillation; `None` if there is no full cycle.
pub fn cycle(values: &[f64], interval: f64) -> Option<(f64, f64)> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let crossings: Vec<f64> = values
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0] < mean && pair[1] >= mean)
        .map(|(i, pair)| i as f64 + (mean - pair[0]) / (pair[1] - pair[0]))
        .collect();
    let (first, last) = (crossings.first()?, crossings.last()?);
    let (low, high) = range(values);
    Some(((crossings.len() - 1) as f64 / ((last - first) * interval), 0.5 * (high - low)))
}
