//! Measured and computed curves, compared line by line.

use serde::{Deserialize, Serialize};

use crate::stiffness::curve::StiffnessCurve;
use crate::stiffness::unit::{Amplitude, is_same};

/// Errors of the model at the lines of one measured curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Comparison {
    /// Amplitude of the measured curve.
    pub amplitude: Option<Amplitude>,
    /// Errors at the lines that both curves have, at least one.
    pub lines: Vec<LineError>,
    /// The largest error of a line, relative.
    pub largest: f64,
    /// Frequency of the largest error in Hz.
    pub largest_at: f64,
    /// Root of the mean square of all errors, relative.
    pub rms: f64,
    /// Number of measured lines that the model does not have.
    pub not_compared: usize,
}

/// The error of the model at a line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LineError {
    /// Frequency in Hz.
    pub frequency: f64,
    /// Magnitude of the complex error relative to the measured magnitude: |k(model) - k(measured)|/|k(measured)|.
    pub error: f64,
    /// Level of the model minus that of the measurement in dB.
    pub level: f64,
    /// Loss angle of the model minus that of the measurement in degrees, between -180 and 180.
    pub angle: f64,
}

impl Comparison {
    /// Compares two curves; `None` if they have no line in common.
    pub(crate) fn of(measured: &StiffnessCurve, model: &StiffnessCurve) -> Option<Self> {
        let lines: Vec<LineError> = measured
            .lines
            .iter()
            .filter_map(|line| {
                let own = model.lines.iter().find(|own| is_same(own.frequency, line.frequency))?;
                let difference = (own.real - line.real).hypot(own.imaginary - line.imaginary);
                let turned = own.loss_angle() - line.loss_angle();
                Some(LineError {
                    frequency: line.frequency,
                    error: difference / line.magnitude(),
                    level: own.level() - line.level(),
                    angle: turned - 360.0 * (turned / 360.0).round(),
                })
            })
            .collect();
        let largest = lines.iter().max_by(|a, b| a.error.total_cmp(&b.error))?;
        let squares = lines.iter().map(|line| line.error.powi(2)).sum::<f64>();
        Some(Self {
            amplitude: measured.amplitude.clone(),
            largest: largest.error,
            largest_at: largest.frequency,
            rms: (squares / lines.len() as f64).sqrt(),
            not_compared: measured.lines.len() - lines.len(),
            lines,
        })
    }
}
