//! Responses to random inputs.

use crate::error::VibrationError;
use crate::frequency_response::FrequencyResponse;

/// The spectral density of an output.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomResponse {
    /// Frequencies in Hz.
    pub frequencies: Vec<f64>,
    /// One-sided spectral densities of the output, in the square of its unit over Hz.
    pub densities: Vec<f64>,
}

impl RandomResponse {
    /// Computes the density of an output from its responses to inputs that are not correlated, each with its one-sided
    /// density, one per frequency, in the square of the input's unit over Hz.
    ///
    /// # Errors
    /// [`VibrationError::Empty`], [`VibrationError::Frequency`] where the frequencies of responses differ,
    /// [`VibrationError::Setting`] for a density that is negative or missing.
    pub fn of(responses: &[FrequencyResponse], densities: &[Vec<f64>]) -> Result<Self, VibrationError> {
        let first = responses.first().ok_or(VibrationError::Empty { what: "responses" })?;
        let mut sums = vec![0.0; first.frequencies.len()];
        for (number, response) in responses.iter().enumerate() {
            let differs = |index: &usize| response.frequencies.get(*index) != first.frequencies.get(*index);
            if let Some(index) = (0..sums.len().max(response.frequencies.len())).find(differs) {
                let value = response.frequencies.get(index).copied().unwrap_or(f64::NAN);
                return Err(VibrationError::Frequency { index, value });
            }
            for (index, (sum, value)) in sums.iter_mut().zip(&response.values).enumerate() {
                let density = densities.get(number).and_then(|of| of.get(index)).copied().unwrap_or(f64::NAN);
                if !(density >= 0.0 && density.is_finite()) {
                    let setting = "a spectral density";
                    return Err(VibrationError::Setting {
                        setting,
                        value: density,
                        limit: "0 or positive at every frequency",
                    });
                }
                *sum += value.norm_sqr() * density;
            }
        }
        Ok(Self { frequencies: first.frequencies.clone(), densities: sums })
    }

    /// Returns the root of the mean square between the first and the last frequency, by the trapezoidal rule.
    pub fn root_mean_square(&self) -> f64 {
        let pairs = self.frequencies.windows(2).zip(self.densities.windows(2));
        let areas = pairs.map(|(f, s)| match (f, s) {
            ([f0, f1], [s0, s1]) => 0.5 * (f1 - f0) * (s0 + s1),
            _ => 0.0,
        });
        areas.sum::<f64>().sqrt()
    }
}
