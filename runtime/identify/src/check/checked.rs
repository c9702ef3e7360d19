//! The result of a check before the fit.

use std::fmt;

use serde::Serialize;

use crate::definition::digits::{format_exactly, significant};
use crate::definition::error::StartValuesError;
use crate::estimation::covariance::{Covariance, in_units};
use crate::estimation::layout::Unknown;
use crate::result::columns::{Changed, write_columns, write_combination};

/// Information of the data about an unknown at the start values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Determination {
    /// The data determine the value, to better than its size.
    Well,
    /// The data determine the value, but not to better than its size.
    Poorly,
    /// The data determine only a combination with others.
    InCombination,
    /// No residual depends on the unknown.
    Nothing,
    /// Residuals depend on the unknown by jumps alone, or only after a larger change of it, which derivatives do not
    /// show: the determination is not known.
    ByJumps,
    /// A cost has no residuals: the determination is not known.
    Unknown,
}

impl fmt::Display for Determination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Well => "well",
            Self::Poorly => "poorly",
            Self::InCombination => "only in a combination",
            Self::Nothing => "not at all",
            Self::ByJumps => "only through jumps",
            Self::Unknown => "not known",
        })
    }
}

/// Influence of an unknown on residuals at the start values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Influence {
    /// The derivatives of residuals are not zero.
    Derivative,
    /// The derivatives of residuals are zero, but residuals change with the unknown.
    Jumps,
    None,
}

/// Predictions for an unknown before the fit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CheckedUnknown {
    /// Name of the unknown, with the experiment or group that it belongs to.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// The input or table of which the unknown is one of many values; `None` for single unknowns.
    pub part_of: Option<&'static str>,
    /// Start value.
    pub start: f64,
    /// The standard deviation that a fit would have if the model explained the data with these values, in the unit of
    /// the unknown; infinite where the data do not determine it.
    pub predicted_deviation: f64,
    /// Information of the data about the unknown.
    pub determination: Determination,
}

/// The predictions for an identification before anything is minimised; [`Display`](fmt::Display) prints them as a
/// table with remarks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct IdentificationCheck {
    /// The unknowns.
    pub unknowns: Vec<CheckedUnknown>,
    /// Directions that are not determined: small changes of the unknowns from their start values, each in the unit of
    /// its unknown, that together do not change any residual; one change for each of the unknowns, the largest is 1.
    pub undetermined: Vec<Vec<f64>>,
    /// Doubts about the data or the settings, with remedies.
    pub remarks: Vec<String>,
    /// Doubts about the data alone, which do not depend on the start values: a fit repeats them.
    #[serde(skip)]
    pub(crate) of_data: Vec<String>,
}

impl IdentificationCheck {
    pub(super) fn new(
        unknowns: &[Unknown],
        (start, scales): (&[f64], &[f64]),
        influence: Vec<Influence>,
        covariance: &Covariance,
        remarks: Vec<String>,
    ) -> Self {
        let is_combined = |k: usize| covariance.undetermined.iter().any(|direction| direction[k] != 0.0);
        let checked = |(k, unknown): (usize, &Unknown)| {
            let predicted_deviation = covariance.matrix[(k, k)].sqrt() * scales[k];
            let determination = match () {
                () if influence[k] == Influence::None => Determination::Nothing,
                () if influence[k] == Influence::Jumps => Determination::ByJumps,
                () if is_combined(k) => Determination::InCombination,
                () if predicted_deviation > start[k].abs() && start[k] != 0.0 => Determination::Poorly,
                () => Determination::Well,
            };
            unknown_of(unknown, start[k], predicted_deviation, determination)
        };
        let unknowns = unknowns.iter().enumerate().map(checked).collect();
        let undetermined = covariance.undetermined.iter().map(|one| in_units(one, scales)).collect();
        Self { unknowns, undetermined, remarks, of_data: Vec::new() }
    }

    /// Creates the check of a cost without residuals, which says nothing about the unknowns.
    pub(super) fn without_residuals(unknowns: &[Unknown], start: &[f64]) -> Self {
        let unknowns = unknowns.iter().zip(start);
        let unknowns = unknowns.map(|(unknown, &start)| unknown_of(unknown, start, f64::NAN, Determination::Unknown));
        let remark =
            "a cost has no residuals: the standard deviations of the unknowns cannot be predicted before the fit"
                .to_owned();
        Self { unknowns: unknowns.collect(), undetermined: Vec::new(), remarks: vec![remark], of_data: Vec::new() }
    }

    /// Refuses parameters, gains, offsets or delays without influence, or that act by jumps alone. Unknowns without
    /// influence are accepted if values of an input or a table are unknown as well, with which they may act later.
    pub(crate) fn verify(&self) -> Result<(), StartValuesError> {
        let with = |determination: Determination| -> Vec<String> {
            let all = self.unknowns.iter().filter(|one| one.determination == determination && one.part_of.is_none());
            all.map(|one| format!("`{}`", one.name)).collect()
        };
        let others =
            self.unknowns.iter().any(|one| one.part_of.is_some() && one.determination != Determination::Nothing);
        let (without, by_jumps) = (with(Determination::Nothing), with(Determination::ByJumps));
        match () {
            () if !by_jumps.is_empty() => Err(StartValuesError::WithoutDerivative { unknowns: by_jumps }),
            () if without.is_empty() || others => Ok(()),
            () => Err(StartValuesError::WithoutInfluence { unknowns: without }),
        }
    }
}

fn unknown_of(unknown: &Unknown, start: f64, predicted_deviation: f64, determination: Determination) -> CheckedUnknown {
    let (name, unit, part_of) = (unknown.name().to_owned(), unknown.unit, unknown.part_of);
    CheckedUnknown { name, unit, part_of, start, predicted_deviation, determination }
}

/// The error that steps leave in a channel, and its noise, in the channel's unit.
pub(crate) struct StepErrors {
    /// Number of the experiment.
    pub experiment: usize,
    /// Number of the channel in its experiment.
    pub channel: usize,
    pub name: String,
    pub unit: &'static str,
    pub step: f64,
    pub error: f64,
    pub noise: f64,
    /// The power of the step with which the error falls.
    pub order: u32,
}

impl StepErrors {
    /// Returns the largest error that does not matter: a third of the noise.
    pub fn limit(&self) -> f64 {
        0.3 * self.noise
    }

    /// Returns the steps with which the error would be at the limit, relative to the present ones.
    pub(super) fn advised_part(&self) -> f64 {
        (self.limit() / self.error).powf(1.0 / f64::from(self.order))
    }

    /// Returns the remark on steps whose error is too large; runs of order 4 are accurate enough with so many parts of
    /// every step, if that is known.
    pub(super) fn remark(&self, order_four: Option<f64>) -> String {
        let Self { name, unit, step, error, noise, .. } = self;
        let advised = significant(step * self.advised_part(), 2);
        let advice = match order_four {
            Some(parts) => {
                let steps = format_exactly(step / parts);
                format!("order 4 with steps of {steps} s is accurate enough, as steps of {advised} s are")
            }
            None => format!("steps of {advised} s are short enough"),
        };
        format!(
            "{name}: with steps of {} s the step-size error is {} {unit} at the start values, and the noise {} {unit}; \
                 {advice}",
            significant(*step, 2),
            significant(*error, 2),
            significant(*noise, 2),
        )
    }
}

impl fmt::Display for IdentificationCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines =
            vec![["unknown", "unit", "start", "predicted std. deviation", "determined"].map(str::to_owned).to_vec()];
        for unknown in self.unknowns.iter().filter(|unknown| unknown.part_of.is_none()) {
            lines.push(vec![
                unknown.name.clone(),
                unknown.unit.to_owned(),
                format_exactly(unknown.start),
                significant(unknown.predicted_deviation, 2),
                unknown.determination.to_string(),
            ]);
        }
        write_columns(f, &lines)?;
        let unknowns = self.unknowns.iter().map(|one| Changed::new(&one.name, one.unit, one.start.abs()));
        let unknowns: Vec<Changed<'_>> = unknowns.collect();
        for direction in self.undetermined.iter().filter(|direction| is_combination(direction)) {
            write!(f, "\nnot determined: ")?;
            write_combination(f, direction, &unknowns)?;
        }
        self.remarks.iter().try_for_each(|remark| write!(f, "\n{remark}"))
    }
}

/// Returns true if the direction contains several unknowns.
fn is_combination(direction: &[f64]) -> bool {
    direction.iter().filter(|coefficient| **coefficient != 0.0).count() > 1
}
