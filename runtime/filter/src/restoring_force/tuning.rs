//! Start and process noise of the filter (KE 2.49 to 2.51, 4.5 to 4.7), and the lowest observable stiffness (KE 2.34).

use nalgebra::{DMatrix, DVector};

use super::error::RestoringForceError;
use super::model::RestoringForceModel;
use super::sensor::SensorKind;
use costate_numerics::scalar::out_of_range::{OutOfRange, require};
use costate_system::state_space::{Gaussian, StateSpace};

/// The expected stiffness and damping of an element before anything is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct APriori {
    /// Average stiffness E(S), for filters in units of p_c; positive.
    pub stiffness: f64,
    /// Average damping E(D), for filters in units of p_c; not 0.
    pub damping: f64,
}

impl APriori {
    /// Converts the values to units that are smaller by this `scale`.
    pub(super) fn scaled(self, scale: f64) -> Self {
        Self { stiffness: scale * self.stiffness, damping: scale * self.damping }
    }

    /// Checks both values.
    pub(super) fn check(&self) -> Result<(), OutOfRange> {
        let Self { stiffness, damping } = *self;
        let positive = stiffness > 0.0 && stiffness.is_finite();
        require("expected stiffness", stiffness, positive, "positive and finite")?;
        require("expected damping", damping, damping.is_finite() && damping != 0.0, "finite and not 0")
    }
}

/// Speed with which the filter may change its states, as powers of ten (KE 2.51, 4.7).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponents {
    /// q_s.
    pub stiffness: f64,
    /// q_d.
    pub damping: f64,
    /// q_p, for unknown entries of M^-1.
    pub inertia: f64,
}

impl Exponents {
    /// Creates the exponents q_s and q_d, with the default of q_p.
    pub fn new(stiffness: f64, damping: f64) -> Self {
        Self { stiffness, damping, inertia: -4.0 }
    }
}

/// Returns the lowest effective stiffness at which velocities and accelerations still show the deformation, for the
/// average stiffness and the damping ratio (KE 2.34). For several degrees of freedom, a hundredth of the average is
/// appropriate.
pub fn lowest_stiffness(average: f64, damping_ratio: f64) -> f64 {
    damping_ratio * damping_ratio * average
}

/// Estimates mean squares of z and v from the variances of the signals, for elements as separate oscillators with the
/// expected stiffness.
pub(super) fn motion(model: &RestoringForceModel, expected: &[APriori], variances: &[f64]) -> Vec<(f64, f64)> {
    let variances = model.sensor_variances(variances);
    (0..model.elements())
        .map(|j| {
            let square = model.scale() * expected[j].stiffness * model.inverse_inertia()[(j, j)];
            let sensor = model.sensors().iter().zip(&variances).find(|(sensor, _)| sensor.element == j);
            let (kind, variance) =
                sensor.map_or((SensorKind::Displacement, 1.0), |(sensor, &variance)| (sensor.kind, variance));
            match kind {
                SensorKind::Displacement => (variance, variance * square),
                SensorKind::Velocity => (variance / square, variance),
                SensorKind::Acceleration | SensorKind::RelativeAcceleration => {
                    (variance / (square * square), variance / square)
                }
            }
        })
        .collect()
}

/// Returns the start x_0 and P_0 (KE 2.49, 2.50), where all expected values have a standard deviation of 100 %;
/// `inertia` are the standard deviations of unknown entries of M^-1.
pub(super) fn start(
    model: &RestoringForceModel,
    expected: &[APriori],
    motion: &[(f64, f64)],
    inertia: &[f64],
) -> Result<Gaussian, RestoringForceError> {
    let (n, states) = (model.elements(), model.states());
    let mut mean = DVector::zeros(states);
    let mut variances = DVector::zeros(states);
    for j in 0..n {
        (variances[j], variances[n + j]) = motion[j];
        (mean[2 * n + j], mean[3 * n + j]) = (expected[j].stiffness, expected[j].damping);
        variances[2 * n + j] = mean[2 * n + j] * mean[2 * n + j];
        variances[3 * n + j] = mean[3 * n + j] * mean[3 * n + j];
    }
    for (k, &(row, column)) in model.unknown_inertia().iter().enumerate() {
        mean[4 * n + k] = model.inverse_inertia()[(row, column)];
        variances[4 * n + k] = inertia[k] * inertia[k];
    }
    Ok(Gaussian::new(mean, DMatrix::from_diagonal(&variances))?)
}

/// Returns the growth of the variance of a coefficient of this expected size from sample to sample (KE 2.51).
pub(super) fn change(interval: f64, exponent: f64, expected: f64) -> f64 {
    interval * 10f64.powf(exponent) * expected * expected
}

/// Returns Q (KE 2.51, 4.7) for samples every `interval` s.
pub(super) fn process_noise(
    model: &RestoringForceModel,
    expected: &[APriori],
    exponents: Exponents,
    inertia: &[f64],
    interval: f64,
) -> DMatrix<f64> {
    let (n, states) = (model.elements(), model.states());
    let mut noise = DMatrix::zeros(states, states);
    for (j, expected) in expected.iter().enumerate() {
        noise[(2 * n + j, 2 * n + j)] = change(interval, exponents.stiffness, expected.stiffness);
        noise[(3 * n + j, 3 * n + j)] = change(interval, exponents.damping, expected.damping);
    }
    for (k, deviation) in inertia.iter().enumerate() {
        let at = 4 * n + k;
        noise[(at, at)] = change(interval, exponents.inertia, *deviation);
    }
    noise
}

/// Adds what noise with these deviations on the inputs changes in the rates from sample to sample.
pub(super) fn add_input_noise(
    noise: &mut DMatrix<f64>,
    model: &RestoringForceModel,
    deviations: &[f64],
    interval: f64,
) {
    let (n, bases) = (model.elements(), model.base().ncols());
    let forces = model.inverse_inertia() * model.force_directions();
    for (k, deviation) in deviations.iter().enumerate() {
        let direction = if k < bases { model.base().column(k) } else { forces.column(k - bases) };
        let change = direction * (*deviation * interval);
        let mut rates = noise.view_mut((n, n), (n, n));
        rates += &change * change.transpose();
    }
}
