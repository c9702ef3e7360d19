//! A line of a measured spectrum next to that of the model.

use serde::Serialize;

use super::form::SpectrumForm;

/// A measured line next to that of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedLine {
    /// The output's name.
    pub output: &'static str,
    /// Unit of the output, and of both amplitudes.
    pub unit: &'static str,
    /// Frequency in Hz; for an order over an angle, the frequency at the mean speed of the run between the
    /// angles.
    pub frequency: f64,
    /// Periods per revolution; `None` for a line over time.
    pub order: Option<f64>,
    /// The measured amplitude.
    pub measured: f64,
    /// The run's amplitude.
    pub fitted: f64,
    /// The quantity that is compared.
    pub form: SpectrumForm,
    /// The residuals that are minimised, fitted minus measured: the difference of squares, of amplitudes, of
    /// both coefficients or of levels in decibels.
    pub residuals: Vec<f64>,
    /// Weight of the line.
    pub weight: f64,
    /// True if white noise of the samples causes an error of this line that is independent of the errors of
    /// the output's other lines: where all of them are multiples of one over the same interval, without a
    /// window.
    pub is_independent: bool,
}

/// Returns the percentage of the measurement that some lines explain:
/// 100 (1 - |fitted - measured| / |measured|) with the weights of the lines; `None` where nothing was measured.
pub fn explained_percent(lines: &[ComparedLine]) -> Option<f64> {
    let sum =
        |of: &dyn Fn(&ComparedLine) -> f64| -> f64 { lines.iter().map(|line| line.weight * of(line) * of(line)).sum() };
    let (left, measured) = (sum(&|line| line.fitted - line.measured), sum(&|line| line.measured));
    (measured > 0.0).then(|| 100.0 * (1.0 - (left / measured).sqrt()))
}
