//! The definition of a response, without the type of its model.

use costate_numerics::scalar::out_of_range::require;
use costate_system::identifiers::{Input, Output, Parameter};
use costate_system::simulation::RunDescription;

use crate::harmonic::error::HarmonicError;

/// The excitation, settings and simulation of a response.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub run: RunDescription,
    pub drive: Option<Input>,
    pub controlled: Option<Output>,
    pub amplitudes: Vec<f64>,
    pub mean: Option<f64>,
    pub harmonics: usize,
    pub samples: Option<usize>,
    pub parameters: Vec<Parameter>,
    pub judges_stability: bool,
    pub error_limit: Option<f64>,
}

impl Definition {
    /// Checks all names and numbers, and returns the input that drives.
    pub fn checked_drive(&self, frequencies: &[f64]) -> Result<Input, HarmonicError> {
        let description = self.run.model.system.description();
        let drive = self.drive.ok_or(HarmonicError::NoDrive { model: description.name })?;
        drive.check_model(description)?;
        if let Some(controlled) = self.controlled {
            controlled.check_model(description)?;
        }
        for parameter in &self.parameters {
            parameter.check_model(description)?;
        }
        self.check(frequencies)?;
        Ok(drive)
    }

    /// Checks all numbers.
    fn check(&self, frequencies: &[f64]) -> Result<(), HarmonicError> {
        let harmonics = self.harmonics;
        require("harmonics", harmonics as f64, (1..=200).contains(&harmonics), "from 1 to 200")?;
        if let Some(samples) = self.samples {
            let is_enough = samples > 4 * harmonics && samples <= 1 << 16;
            require("samples", samples as f64, is_enough, "at least 4 harmonics + 1, and at most 65536")?;
        }
        if let Some(limit) = self.error_limit {
            require("error_limit", limit, limit > 0.0 && limit <= 1.0, "positive and at most 1")?;
        }
        if let Some(mean) = self.mean {
            require("mean", mean, mean.is_finite(), "finite")?;
        }
        list("frequency", frequencies)?;
        list("amplitude", &self.amplitudes)
    }

    /// Number of samples per period.
    pub fn samples(&self) -> usize {
        self.samples.unwrap_or((8 * self.harmonics).next_power_of_two())
    }
}

/// Checks that numbers are positive, finite and different.
fn list(what: &'static str, values: &[f64]) -> Result<(), HarmonicError> {
    if values.is_empty() {
        return Err(HarmonicError::Empty { what });
    }
    for &value in values {
        require(what, value, value.is_finite() && value > 0.0, "positive and finite")?;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.windows(2).find(|pair| pair.first() == pair.last()) {
        Some(pair) => Err(HarmonicError::Repeated { what, value: pair.first().copied().unwrap_or(0.0) }),
        None => Ok(()),
    }
}
