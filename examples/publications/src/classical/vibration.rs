//! Stiffness and damping at every instant by the Hilbert transform: FREEVIB and FORCEVIB (KE 1.16 to 1.21).

use std::f64::consts::{PI, TAU};

use costate_numerics::fourier::Complex;

use super::analytic::analytic_signal;
use super::motion::Motion;
use super::surface_method::{SurfaceMethod, excitation};
use costate_filter::StateSpace;
use costate_filter::restoring_force::{CurvePoint, RestoringForceCurve, RestoringForceError, RestoringForceModel};
use costate_numerics::scalar::out_of_range::OutOfRange;

/// Settings of the evaluation of a vibration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VibrationSettings {
    /// Average periods that are left out at each end, where the Hilbert transform lacks the continuation of the motion.
    pub trimmed_periods: f64,
    /// Average periods in the window over which stiffness, damping, amplitude and frequency are averaged, with
    /// weights that decrease towards its ends: within a period of a nonlinear vibration the harmonics make these
    /// quantities oscillate, the damping by many times its size. 0 leaves them as in KE (1.20).
    pub averaged_periods: f64,
    /// Smallest amplitude that counts, as a part of the largest one; smaller ones are noise.
    pub smallest: f64,
}

impl Default for VibrationSettings {
    fn default() -> Self {
        Self { trimmed_periods: 3.0, averaged_periods: 4.0, smallest: 0.05 }
    }
}

impl VibrationSettings {
    fn check(&self) -> Result<(), RestoringForceError> {
        let out_of_range = |field, value, limit| Err(OutOfRange { field, value, limit }.into());
        if !(self.trimmed_periods >= 0.0 && self.trimmed_periods.is_finite()) {
            return out_of_range("trimmed_periods", self.trimmed_periods, "0 or more");
        }
        if !(self.averaged_periods >= 0.0 && self.averaged_periods.is_finite()) {
            return out_of_range("averaged_periods", self.averaged_periods, "0 or more");
        }
        if !(0.0..1.0).contains(&self.smallest) {
            return out_of_range("smallest", self.smallest, "from 0 to below 1");
        }
        Ok(())
    }
}

/// One degree of freedom as z'' + delta z' + alpha^2 z = x/m with coefficients that change with the amplitude;
/// every list has a value for each instant that counts.
///
/// alpha^2 and delta are averages over a period: for a nonlinear spring, Lambda m alpha^2 is the describing
/// function of its force times the amplitude, which for a stiffening spring is below the force at z = Lambda
/// (three quarters of a cubic part).
#[derive(Debug, Clone, PartialEq)]
pub struct Vibration {
    /// m in kg.
    pub mass: f64,
    /// Samples of the record, from 0.
    pub samples: Vec<usize>,
    /// Lambda in m, KE (1.18).
    pub amplitudes: Vec<f64>,
    /// omega in rad/s, KE (1.19).
    pub frequencies: Vec<f64>,
    /// delta in 1/s, KE (1.20).
    pub dampings: Vec<f64>,
    /// alpha^2 in 1/s^2, KE (1.20).
    pub stiffnesses: Vec<f64>,
}

/// Computes stiffness and damping over the amplitude from a free vibration of a system with one degree of freedom
/// (FREEVIB).
///
/// The motion must be one oscillation with a slowly changing amplitude around zero; where the spring differs from
/// side to side, so do the true values from the computed ones.
///
/// # Errors
/// [`RestoringForceError::Size`] for a model with more elements, [`RestoringForceError::OutOfRange`] for settings or a
/// motion that does not oscillate, [`RestoringForceError::TooFewSamples`] where too little is left.
pub fn free_vibration(
    model: &RestoringForceModel,
    motion: &Motion,
    settings: &VibrationSettings,
) -> Result<Vibration, RestoringForceError> {
    let still = vec![0.0; motion.samples() * model.inputs()];
    forced_vibration(model, motion, &still, settings)
}

/// Does the same as [`free_vibration`] while known base accelerations or forces act (FORCEVIB); `inputs` are
/// their rows as for a filter. The method is limited to forces that are alike on both sides, and to excitations
/// that sweep slowly over frequencies.
///
/// # Errors
/// As [`free_vibration`]; [`RestoringForceError::Size`] and [`RestoringForceError::Signal`] for the inputs.
pub fn forced_vibration(
    model: &RestoringForceModel,
    motion: &Motion,
    inputs: &[f64],
    settings: &VibrationSettings,
) -> Result<Vibration, RestoringForceError> {
    settings.check()?;
    if model.elements() != 1 {
        let (field, given) = ("elements, of which the Hilbert transform can tell one", model.elements());
        return Err(RestoringForceError::Size { field, given, expected: 1 });
    }
    SurfaceMethod::new(model.clone())?;
    let mass = 1.0 / model.inverse_inertia()[(0, 0)];
    let inertia = model.inverse_inertia().map(|_| mass);
    let forces = excitation(model, &inertia, inputs, motion.samples())?;
    let accelerations: Vec<f64> = forces.iter().map(|force| force[0] / mass).collect();
    let used = motion.edge()..motion.samples() - motion.edge();
    let analytic = |signal: &[f64]| analytic_signal(&signal[used.clone()]);
    let z = analytic(motion.deformations())?;
    let (v, a) = (analytic(motion.rates())?, analytic(motion.accelerations())?);
    let x = analytic(&accelerations)?;
    let instants: Vec<Instant> = z
        .values()
        .iter()
        .zip(v.values())
        .zip(a.values())
        .zip(x.values())
        .map(|(((z, v), a), x)| Instant::of([*z, *v, *a, *x]))
        .collect();
    let frequency = mean_frequency(&instants, motion.interval())?;
    let periods = |number: f64| (number * TAU / (frequency * motion.interval())).round() as usize;
    let trimmed = periods(settings.trimmed_periods);
    let half = periods(0.5 * settings.averaged_periods);
    let list = |part: fn(&Instant) -> f64| {
        let values: Vec<f64> = instants.iter().map(part).collect();
        averaged(&values, half)
    };
    let amplitudes = list(|instant| instant.amplitude);
    let [frequencies, dampings, stiffnesses] =
        [list(|instant| instant.frequency), list(|instant| instant.damping), list(|instant| instant.stiffness)];
    let kept = trimmed..instants.len().saturating_sub(trimmed);
    let largest = kept.clone().fold(0.0_f64, |largest, i| largest.max(amplitudes[i]));
    let counts = |i: &usize| {
        amplitudes[*i] >= settings.smallest * largest
            && [&frequencies, &dampings, &stiffnesses].iter().all(|list| list[*i].is_finite())
    };
    let kept: Vec<usize> = kept.filter(counts).collect();
    if kept.len() < Vibration::FEWEST {
        return Err(RestoringForceError::TooFewSamples {
            what: "vibration",
            samples: kept.len(),
            needed: Vibration::FEWEST,
            remedy: "Record for longer, or trim less.",
        });
    }
    let of = |list: &[f64]| kept.iter().map(|&i| list[i]).collect::<Vec<f64>>();
    Ok(Vibration {
        mass,
        samples: kept.iter().map(|i| i + motion.edge()).collect(),
        amplitudes: of(&amplitudes),
        frequencies: of(&frequencies),
        dampings: of(&dampings),
        stiffnesses: of(&stiffnesses),
    })
}

/// Values at one instant, without averages.
struct Instant {
    amplitude: f64,
    frequency: f64,
    damping: f64,
    stiffness: f64,
}

impl Instant {
    /// Computes the values from the analytic signals Z, Z', Z'' and X/m. With Z'/Z = Lambda'/Lambda + i omega, KE
    /// (1.19) and (1.20) are the real delta and alpha^2 that satisfy Z'' + delta Z' + alpha^2 Z = X/m, which
    /// holds for forced vibrations as well.
    fn of([z, v, a, x]: [Complex<f64>; 4]) -> Self {
        let growth = v / z;
        let rest = (x - a) / z;
        let damping = rest.im / growth.im;
        Self { amplitude: z.norm(), frequency: growth.im, damping, stiffness: rest.re - damping * growth.re }
    }
}

/// Averages over `half` values on both sides, fewer near the ends, weighted by a Hann window.
fn averaged(values: &[f64], half: usize) -> Vec<f64> {
    let weight = |k: usize| 0.5 * (1.0 + (PI * k as f64 / (half + 1) as f64).cos());
    let weights: Vec<f64> = (0..=half).map(weight).collect();
    let last = values.len().saturating_sub(1);
    let average = |i: usize| {
        let around = i.saturating_sub(half)..=(i + half).min(last);
        let (sum, weight) = around.fold((0.0, 0.0), |(sum, total), k| {
            let weight = weights[k.abs_diff(i)];
            (sum + weight * values[k], total + weight)
        });
        sum / weight
    };
    (0..values.len()).map(average).collect()
}

/// Computes the mean frequency in rad/s, weighted by the square of the amplitude, so that instants without motion
/// do not count.
fn mean_frequency(instants: &[Instant], interval: f64) -> Result<f64, RestoringForceError> {
    let (sum, weight) = instants
        .iter()
        .filter(|instant| instant.frequency.is_finite())
        .map(|instant| (instant.amplitude.powi(2), instant.frequency))
        .fold((0.0, 0.0), |(sum, weight), (square, frequency)| (sum + square * frequency, weight + square));
    let frequency = sum / weight;
    // A period must have four samples at least, and the record one period.
    let (low, high) = (TAU / (interval * instants.len() as f64), TAU / (4.0 * interval));
    if (low..=high).contains(&frequency) {
        return Ok(frequency);
    }
    let limit = "between one period per record and a quarter of the sampling rate: this is not one oscillation";
    let field = "average frequency in Hz";
    Err(OutOfRange { field, value: frequency / TAU, limit }.into())
}

impl Vibration {
    const FEWEST: usize = 20;

    /// Returns Lambda and f_E = Lambda m alpha^2, KE (1.21).
    pub fn elastic_points(&self) -> Vec<(f64, f64)> {
        let force = |(amplitude, stiffness): (&f64, &f64)| (*amplitude, self.mass * stiffness * amplitude);
        self.amplitudes.iter().zip(&self.stiffnesses).map(force).collect()
    }

    /// Returns omega Lambda, the amplitude of the rate, and f_D = omega Lambda m delta, KE (1.21).
    pub fn dissipative_points(&self) -> Vec<(f64, f64)> {
        let rates = self.amplitudes.iter().zip(&self.frequencies).map(|(amplitude, omega)| amplitude * omega);
        rates.zip(&self.dampings).map(|(rate, damping)| (rate, self.mass * damping * rate)).collect()
    }

    /// Returns the backbone: amplitude in m and undamped natural frequency alpha/2 pi in Hz, without instants
    /// whose stiffness is negative.
    pub fn backbone(&self) -> Vec<(f64, f64)> {
        let both = self.amplitudes.iter().zip(&self.stiffnesses);
        both.filter(|(_, stiffness)| **stiffness > 0.0)
            .map(|(amplitude, stiffness)| (*amplitude, stiffness.sqrt() / TAU))
            .collect()
    }

    /// Averages [`elastic_points`](Self::elastic_points) at `nodes` amplitudes, and mirrors them to the other
    /// side, as the method assumes a symmetric force.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] for fewer than 2 nodes, [`RestoringForceError::TooFewSamples`] where fewer
    /// than 2 are left.
    pub fn elastic_curve(&self, nodes: usize) -> Result<RestoringForceCurve, RestoringForceError> {
        mirrored(self.elastic_points(), nodes)
    }

    /// Averages [`dissipative_points`](Self::dissipative_points) at `nodes` rates, and mirrors them.
    ///
    /// # Errors
    /// As [`elastic_curve`](Self::elastic_curve).
    pub fn dissipative_curve(&self, nodes: usize) -> Result<RestoringForceCurve, RestoringForceError> {
        mirrored(self.dissipative_points(), nodes)
    }
}

/// Makes an odd curve of the averages in `nodes` parts of the range.
fn mirrored(points: Vec<(f64, f64)>, nodes: usize) -> Result<RestoringForceCurve, RestoringForceError> {
    if nodes < 2 {
        let (field, limit) = ("nodes", "2 or more");
        return Err(OutOfRange { field, value: nodes as f64, limit }.into());
    }
    let low = points.iter().fold(f64::INFINITY, |low, point| low.min(point.0));
    let high = points.iter().fold(f64::NEG_INFINITY, |high, point| high.max(point.0));
    let mut sums = vec![[0.0; 4]; nodes];
    for &(x, f) in &points {
        let part = (x - low) / (high - low);
        if part.is_finite() {
            let sums = &mut sums[((part * nodes as f64) as usize).min(nodes - 1)];
            let terms = [1.0, x, f, f * f];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
    }
    let right: Vec<CurvePoint> = sums
        .iter()
        .filter(|[count, ..]| *count > 0.0)
        .map(|[count, x, f, square]| CurvePoint {
            coordinate: x / count,
            force: f / count,
            coordinate_deviation: 0.0,
            force_deviation: (square / count - (f / count).powi(2)).max(0.0).sqrt(),
        })
        .filter(|point| point.coordinate > 0.0)
        .collect();
    if right.len() < 2 {
        let (what, remedy) = ("curve", "Let the amplitude change more, or take more nodes.");
        return Err(RestoringForceError::TooFewSamples { what, samples: right.len(), needed: 2, remedy });
    }
    let image = |point: &CurvePoint| CurvePoint { coordinate: -point.coordinate, force: -point.force, ..*point };
    let points: Vec<CurvePoint> = right.iter().rev().map(image).chain(right.iter().copied()).collect();
    Ok(RestoringForceCurve { samples: points.len(), points })
}

#[cfg(test)]
mod tests;
