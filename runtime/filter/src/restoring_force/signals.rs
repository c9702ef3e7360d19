//! Checks of a record, and properties of its signals.

use nalgebra::DMatrix;

use super::convergence::measurement_error;
use super::error::{RestoringForceError, size};
use super::moving_average::estimate_noise;

/// Samples per period below which the estimates become much worse (KE 3.4.2).
pub(super) const MIN_SAMPLES_PER_PERIOD: f64 = 20.0;

/// Checks that rows of `width` inputs are finite at every sample.
pub(super) fn check_inputs(inputs: &[f64], width: usize) -> Result<(), RestoringForceError> {
    match inputs.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => Err(RestoringForceError::Signal {
            field: format!("input {}", at % width.max(1) + 1),
            sample: at / width.max(1),
            value: inputs[at],
            remedy: "the excitation must be known at every sample; interpolate it, or cut the record there",
        }),
    }
}

/// Properties of measured signals before a filter runs.
pub(super) struct Prepared {
    /// R, as given or estimated.
    pub noise: DMatrix<f64>,
    /// e_m.
    pub measurement_error: f64,
    /// Variances of the signals.
    pub variances: Vec<f64>,
    pub samples_per_period: f64,
}

impl Prepared {
    /// Checks rows of `width` inputs and of `signals` signals, and computes the properties of the signals.
    pub fn new(
        (width, signals): (usize, usize),
        noise: Option<&DMatrix<f64>>,
        inputs: &[f64],
        measurements: &[f64],
    ) -> Result<Self, RestoringForceError> {
        size("measurements", measurements.len() % signals, 0)?;
        size("inputs", inputs.len(), measurements.len() / signals * width)?;
        check_inputs(inputs, width)?;
        if let Some(at) = measurements.iter().position(|value| value.is_infinite()) {
            return Err(RestoringForceError::Signal {
                field: format!("measurement {}", at % signals + 1),
                sample: at / signals,
                value: measurements[at],
                remedy: "a sample that was not measured is NaN",
            });
        }
        let noise = match noise {
            Some(noise) => noise.clone(),
            None => estimate_noise(measurements, signals)?,
        };
        size("measurement_noise", noise.nrows(), signals)?;
        let (measurement_error, variances) = measurement_error(measurements, &noise);
        let samples_per_period = samples_per_period(measurements, &noise, &variances);
        Ok(Self { noise, measurement_error, variances, samples_per_period })
    }
}

/// Returns the samples per period of an oscillation with the variance and the mean square velocity of a signal, the
/// latter without that of the noise; for the fastest signal.
fn samples_per_period(signals: &[f64], noise: &DMatrix<f64>, variances: &[f64]) -> f64 {
    let channels = variances.len();
    let rate = |j: usize| {
        let values: Vec<f64> = signals.iter().skip(j).step_by(channels).copied().collect();
        let squares = values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).filter(|square| square.is_finite());
        let (sum, count) = squares.fold((0.0, 0.0), |(sum, count), square| (sum + square, count + 1.0));
        let change = (sum / count - 2.0 * noise[(j, j)]).max(0.0);
        2.0 * std::f64::consts::PI * (variances[j] / change).sqrt()
    };
    (0..channels).map(rate).fold(f64::INFINITY, f64::min)
}
