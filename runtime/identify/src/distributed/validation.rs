//! Residuals of experiments that validate, with the result of a joint fit.

use serde::{Deserialize, Serialize};

use crate::estimation::experiment_problem::EstimationProblem;
use crate::result::measured_outputs::validated;
use crate::validated_unknowns::OwnUnknowns;

/// Residuals of an experiment that was not fitted, with the values that the others have found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DistributedValidation {
    /// Name of the experiment.
    pub name: String,
    /// Measured outputs of the experiment.
    pub outputs: Vec<DistributedValidated>,
    /// Test of the residuals for noise, in words; `None` where there is no verdict.
    pub verdict: Option<String>,
    /// Error of the simulation with the found values, or of the fit of the unknowns that the experiment has for itself,
    /// which then keep their start values; `None` if both succeeded.
    pub failed: Option<String>,
}

/// A measured output of an experiment that was not fitted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DistributedValidated {
    /// Name of the output.
    pub output: String,
    /// Unit of the output.
    pub unit: String,
    /// Number of samples that were compared.
    pub samples: usize,
    /// Root mean square of the residuals, in the unit of the output.
    pub residual: f64,
    /// Explained part of the samples: 100 (1 - |residuals| / |measured - mean|); `None` for a constant signal.
    pub fit_percent: Option<f64>,
}

/// Message of one process to the others; numbers, which need not be finite, by their bits.
#[derive(Serialize, Deserialize)]
pub(super) struct ValidationMessage {
    name: String,
    /// Output, unit, samples, residual and percentage of each.
    outputs: Vec<(String, String, usize, u64, Option<u64>)>,
    verdict: Option<String>,
    failed: Option<String>,
}

impl ValidationMessage {
    /// Simulates the experiments of this process that validate, and creates the messages about them.
    pub fn of_campaign(estimation: &EstimationProblem, unknowns: &[f64], own: &[OwnUnknowns]) -> Vec<Self> {
        let messages = estimation.validation.iter().map(|prepared| {
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
                failed: said.failed.clone().or_else(|| {
                    let own = own.iter().find(|own| own.experiment == said.experiment);
                    own.and_then(|own| own.failed.clone())
                }),
            }
        });
        messages.collect()
    }

    /// Converts the message.
    pub fn validation(self) -> DistributedValidation {
        let outputs = self.outputs.into_iter().map(|(output, unit, samples, residual, percent)| {
            let (residual, fit_percent) = (f64::from_bits(residual), percent.map(f64::from_bits));
            DistributedValidated { output, unit, samples, residual, fit_percent }
        });
        DistributedValidation {
            name: self.name,
            outputs: outputs.collect(),
            verdict: self.verdict,
            failed: self.failed,
        }
    }
}
