//! One output with its measurement.

use costate::identify::residuals::{Residuals, fit_percent, root_mean_square};
use costate::model::Output;
use serde::Serialize;

/// An output and its measured samples, in the unit of the output.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Name of the output.
    pub output: &'static str,
    /// Name of the channel.
    pub channel: String,
    /// Unit of the output.
    pub unit: &'static str,
    /// Number of samples.
    pub samples: usize,
    /// Times of the samples in s.
    #[serde(skip)]
    pub times: Vec<f64>,
    /// Measured values.
    #[serde(skip)]
    pub measured: Vec<f64>,
    /// Values of the run at the same times.
    #[serde(skip)]
    pub computed: Vec<f64>,
    /// The share of the measurement that the run explains, in per cent: 100 (1 - |y - s| / |y - mean y|). `None` for a
    /// constant measurement.
    #[serde(rename = "explained_percent")]
    pub explained: Option<f64>,
    /// Root of the mean square of the differences.
    pub rms: f64,
    /// The difference with the largest magnitude, computed minus measured.
    pub largest: f64,
    /// The time of the largest difference in s.
    pub largest_time: f64,
}

impl Difference {
    /// Compares values at these times.
    pub fn of(output: Output, channel: &str, times: Vec<f64>, measured: Vec<f64>, computed: Vec<f64>) -> Self {
        let residuals: Vec<f64> = computed.iter().zip(&measured).map(|(a, b)| a - b).collect();
        let samples = residuals.iter().copied().zip(times.iter().copied());
        let largest = samples.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        let (largest, largest_time) = largest.unwrap_or((f64::NAN, f64::NAN));
        let explained = Residuals::new(channel, &times, &residuals, &measured);
        let explained = explained.ok().and_then(|residuals| fit_percent(&residuals));
        let rms = root_mean_square(&residuals);
        let (output, unit) = (output.name(), output.quantity().unit);
        let (samples, channel) = (times.len(), channel.to_owned());
        Self { output, channel, unit, samples, times, measured, computed, explained, rms, largest, largest_time }
    }

    /// Returns computed minus measured values with their times.
    pub fn residuals(&self) -> impl Iterator<Item = (f64, f64)> {
        let values = self.computed.iter().zip(&self.measured).map(|(a, b)| a - b);
        self.times.iter().copied().zip(values)
    }
}
