//! One output beside its measurement.

use costate::identify::residuals::{Residuals, fit_percent, root_mean_square};
use costate::model::Output;
use serde_json::{Value, json};

/// An output and its measured samples, in the unit of the output.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Name of the output.
    pub output: &'static str,
    /// Name of the channel.
    pub channel: String,
    /// Unit of the output.
    pub unit: &'static str,
    /// Times of the samples in s.
    pub times: Vec<f64>,
    /// Measured values.
    pub measured: Vec<f64>,
    /// Values of the run at the same times.
    pub computed: Vec<f64>,
    /// The share of the measurement that the run explains, in per cent: 100 (1 - |y - s| / |y - mean y|). `None` for a
    /// constant measurement.
    pub explained: Option<f64>,
    /// Root of the mean square of the differences.
    pub rms: f64,
    /// The difference with the largest magnitude, computed minus measured, and its time in s.
    pub largest: (f64, f64),
}

impl Difference {
    /// Compares values at these times.
    pub fn of(output: Output, channel: &str, times: Vec<f64>, measured: Vec<f64>, computed: Vec<f64>) -> Self {
        let residuals: Vec<f64> = computed.iter().zip(&measured).map(|(a, b)| a - b).collect();
        let samples = residuals.iter().copied().zip(times.iter().copied());
        let largest = samples.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())).unwrap_or((f64::NAN, f64::NAN));
        let explained = Residuals::new(channel, &times, &residuals, &measured);
        let explained = explained.ok().and_then(|residuals| fit_percent(&residuals));
        let rms = root_mean_square(&residuals);
        let (output, unit) = (output.name(), output.quantity().unit);
        Self { output, channel: channel.to_owned(), unit, times, measured, computed, explained, rms, largest }
    }

    /// Returns computed minus measured values with their times.
    pub fn residuals(&self) -> impl Iterator<Item = (f64, f64)> {
        let values = self.computed.iter().zip(&self.measured).map(|(a, b)| a - b);
        self.times.iter().copied().zip(values)
    }

    /// Returns the numbers that `--json` has.
    pub fn json(&self) -> Value {
        json!({
            "output": self.output,
            "channel": self.channel,
            "unit": self.unit,
            "samples": self.times.len(),
            "explained_percent": self.explained,
            "rms": self.rms,
            "largest": self.largest.0,
            "largest_time": self.largest.1,
        })
    }
}
