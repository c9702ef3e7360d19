//! The result of a fit by prediction errors.

use std::fmt;

use costate_cost::residuals::Whiteness;
use serde::Serialize;

use crate::definition::digits::significant;

/// A fit by the innovations of a filter; [`Display`](fmt::Display) prints tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PredictionErrorFit {
    /// The unknowns of the identification: parameters, gains and offsets.
    pub parameters: Vec<EstimatedNumber>,
    /// The deviations of the noise, the known ones too: of velocities, inputs and outputs.
    pub noise: Vec<EstimatedNumber>,
    /// -2 log L of the innovations of all experiments at the end.
    pub deviance: f64,
    /// Number of measured values.
    pub samples: usize,
    /// Mean of the normalised innovations squared over the number of measured values: 1 where model and noise are
    /// right.
    pub mean_square: f64,
    /// The innovations, channel by channel.
    pub channels: Vec<ChannelInnovations>,
    /// The stages: one, or several where the process noise vanishes.
    pub stages: Vec<PredictionErrorStage>,
    /// Evaluations of -2 log L.
    pub evaluations: usize,
    /// Remarks: things to consider or to change.
    pub remarks: Vec<String>,
}

/// A number with its start value and standard deviation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EstimatedNumber {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Start value.
    pub start: f64,
    /// Value.
    pub value: f64,
    /// Standard deviation by the expected information of the innovations; `None` for a known number, infinite where
    /// the record does not determine it.
    pub deviation: Option<f64>,
}

/// The innovations of a measured output.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChannelInnovations {
    /// Name of the output.
    pub output: &'static str,
    /// Name of the experiment; empty if there is one without a name.
    pub experiment: String,
    /// Times in s.
    pub times: Vec<f64>,
    /// e_i, measured minus predicted, in the unit of the output.
    pub innovations: Vec<f64>,
    /// Predicted standard deviations of e_i, in the unit of the output.
    pub deviations: Vec<f64>,
    /// Test of whether e_i over their deviations are white; `None` for too few samples.
    pub whiteness: Option<Whiteness>,
}

/// A minimisation with some part of the process noise.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PredictionErrorStage {
    /// Factor of the deviations of the process noise.
    pub factor: f64,
    /// -2 log L at the end.
    pub deviance: f64,
    /// Iterations of the minimisation.
    pub iterations: usize,
}

impl PredictionErrorFit {
    /// Returns log L.
    pub fn log_likelihood(&self) -> f64 {
        -0.5 * self.deviance
    }

    /// Returns the found value of an unknown or of a noise; `None` if there is none of this name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.parameters.iter().chain(&self.noise).find(|number| number.name == name).map(|number| number.value)
    }
}

fn write_numbers(f: &mut fmt::Formatter<'_>, title: &str, numbers: &[EstimatedNumber]) -> fmt::Result {
    let width = numbers.iter().map(|number| number.name.chars().count()).chain([title.len()]).max().unwrap_or(0);
    writeln!(f, "{title:<width$}  {:>14}  {:>14}  {:>14}  unit", "start", "value", "deviation")?;
    for EstimatedNumber { name, unit, start, value, deviation } in numbers {
        let deviation = match deviation {
            None => "known".to_owned(),
            Some(deviation) if deviation.is_finite() => significant(*deviation, 3),
            Some(_) => "undetermined".to_owned(),
        };
        let [start, value] = [start, value].map(|number| significant(*number, 7));
        writeln!(f, "{name:<width$}  {start:>14}  {value:>14}  {deviation:>14}  {unit}")?;
    }
    Ok(())
}

impl fmt::Display for PredictionErrorFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_numbers(f, "unknown", &self.parameters)?;
        write_numbers(f, "noise", &self.noise)?;
        writeln!(
            f,
            "-2 log L = {} of {} innovations, whose normalised mean square is {}",
            significant(self.deviance, 8),
            self.samples,
            significant(self.mean_square, 4)
        )?;
        for channel in &self.channels {
            let of = match channel.experiment.is_empty() {
                true => String::new(),
                false => format!(" [{}]", channel.experiment),
            };
            match &channel.whiteness {
                Some(whiteness) => writeln!(
                    f,
                    "innovations of {}{of}: white with p = {}",
                    channel.output,
                    significant(whiteness.partial_p_value, 2)
                )?,
                None => writeln!(f, "innovations of {}{of}: too few for a test of whiteness", channel.output)?,
            }
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "- {remark}"))
    }
}
