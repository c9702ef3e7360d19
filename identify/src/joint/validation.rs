//! How far experiments that validate are met by what a joint fit has found.

use serde::{Deserialize, Serialize};

use crate::campaign::prepared::Campaign;
use crate::result::fit::validated;

/// How an experiment that was not fitted is met by what the others have found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JointValidation {
    /// Its name.
    pub name: String,
    /// Its measured outputs.
    pub outputs: Vec<JointValidated>,
    /// Whether its residuals are noise, in words; `None` where that cannot be said.
    pub verdict: Option<String>,
    /// Why it cannot be simulated with what was found, if it can't.
    pub failed: Option<String>,
}

/// A measured output of an experiment that was not fitted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JointValidated {
    /// Its name.
    pub output: String,
    /// Its unit.
    pub unit: String,
    /// Number of samples that were compared.
    pub samples: usize,
    /// Root of the mean of the squares of the residuals, in its unit.
    pub residual: f64,
    /// How much of the samples is explained: 100 (1 - |residuals| / |measured - mean|); `None` for a constant signal.
    pub fit_percent: Option<f64>,
}

/// What one process tells the others; numbers, which need not be finite, by their bits.
#[derive(Serialize, Deserialize)]
pub(super) struct ToldValidation {
    name: String,
    /// Output, unit, samples, residual and percentage of each.
    outputs: Vec<(String, String, usize, u64, Option<u64>)>,
    verdict: Option<String>,
    failed: Option<String>,
}

impl ToldValidation {
    /// Of the experiments of this process.
    pub fn of_campaign(campaign: &Campaign<'_>, unknowns: &[f64]) -> Vec<Self> {
        let told = campaign.validation.iter().map(|prepared| {
            let (said, ..) = validated(prepared, unknowns);
            let outputs = said.measurements.iter().map(|measured| {
                let (output, unit) = (measured.output.to_owned(), measured.unit.to_owned());
                let percent = measured.fit_percent.map(f64::to_bits);
                (output, unit, measured.samples, measured.standard_deviation.to_bits(), percent)
            });
            Self {
                name: said.experiment.clone(),
                outputs: outputs.collect(),
                verdict: said.verdict.as_ref().map(ToString::to_string),
                failed: said.failed.clone(),
            }
        });
        told.collect()
    }

    /// What was told.
    pub fn validation(self) -> JointValidation {
        let outputs = self.outputs.into_iter().map(|(output, unit, samples, residual, percent)| {
            let (residual, fit_percent) = (f64::from_bits(residual), percent.map(f64::from_bits));
            JointValidated { output, unit, samples, residual, fit_percent }
        });
        JointValidation {
            name: self.name,
            outputs: outputs.collect(),
            verdict: self.verdict,
            failed: self.failed,
        }
    }
}
