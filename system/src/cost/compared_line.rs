//! A line of a spectrum as it was measured, and as the model has it.

use serde::Serialize;

use super::form::SpectrumForm;

/// A measured line beside that of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedLine {
    /// The output's name.
    pub output: &'static str,
    /// Its unit, that of both amplitudes.
    pub unit: &'static str,
    /// Frequency in Hz; of an order over an angle that at the mean speed of the run between the angles.
    pub frequency: f64,
    /// Periods per revolution; `None` for a line over time.
    pub order: Option<f64>,
    /// The measured amplitude.
    pub measured: f64,
    /// The run's amplitude.
    pub fitted: f64,
    /// What is compared.
    pub form: SpectrumForm,
    /// What is minimised, fitted minus measured: the difference of squares, of amplitudes, of both coefficients or of levels in decibels.
    pub residuals: Vec<f64>,
    /// The weight.
    pub weight: f64,
    /// Whether white noise of the samples leaves an error of this line that is independent of those of the output's other lines: where all of
    /// them are multiples of one over the same interval, without a window.
    pub is_independent: bool,
}

/// How much of what was measured some lines explain: 100 (1 - |fitted - measured| / |measured|) with the weights of the lines; `None` where
/// nothing was measured.
pub fn explained_percent(lines: &[ComparedLine]) -> Option<f64> {
    let sum = |of: &dyn Fn(&ComparedLine) -> f64| -> f64 {
        lines.iter().map(|line| line.weight * of(line) * of(line)).sum()
    };
    let (left, measured) = (sum(&|line| line.fitted - line.measured), sum(&|line| line.measured));
    (measured > 0.0).then(|| 100.0 * (1.0 - (left / measured).sqrt()))
}
