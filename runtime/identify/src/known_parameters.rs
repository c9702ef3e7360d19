//! Effects of the parameters that a fit takes as known on the values that it finds.

use std::fmt;

use costate_numerics::scalar::LANES;
use serde::Serialize;

use super::definition::digits::significant;
use super::definition::error::IdentificationError;
use super::estimation::covariance::ChannelRows;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::linearized_run::LinearizedRun;
use super::pieces::ShiftsByKnown;
use super::result::fit::Fit;
use super::solved::Solved;

/// Effects of known parameters on the found values; [`Display`](fmt::Display) prints those that are larger than a
/// standard deviation where the parameter is 1 % larger, the largest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct KnownParameters {
    /// The parameters that are known in all experiments and not 0, in the order of the model.
    pub parameters: Vec<KnownParameter>,
}

/// A known parameter, and its effects on the found values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct KnownParameter {
    /// Name of the parameter.
    pub name: &'static str,
    /// Effects in the order of [`FitSummary::parameters`](super::FitSummary::parameters).
    pub effects: Vec<KnownParameterEffect>,
}

/// The effect of a known parameter on a found value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct KnownParameterEffect {
    /// Name of the unknown.
    pub unknown: String,
    /// Unit of the unknown.
    pub unit: &'static str,
    /// Change of the found value, in its unit, where the known parameter is 1 % larger, to first order; NaN where the
    /// data do not determine the unknown.
    pub change: f64,
    /// The change in standard deviations of the found value.
    pub in_deviations: f64,
}

impl fmt::Display for KnownParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Number of lines that are printed at most.
        const MAX_LINES: usize = 3;
        let with_name = |parameter: &'_ KnownParameter| {
            let name = parameter.name;
            parameter.effects.clone().into_iter().map(move |effect| (name, effect))
        };
        let mut all: Vec<_> = self.parameters.iter().flat_map(with_name).collect();
        all.retain(|(_, effect)| effect.in_deviations.abs() > 1.0 && effect.in_deviations.is_finite());
        all.sort_by(|(_, a), (_, b)| b.in_deviations.abs().total_cmp(&a.in_deviations.abs()));
        // the parameter that moves an unknown most speaks for the others
        let mut named: Vec<String> = Vec::new();
        for (known, KnownParameterEffect { unknown, unit, change, in_deviations }) in all {
            if named.contains(&unknown) || named.len() == MAX_LINES {
                continue;
            }
            let unit = if *unit == *"1" { String::new() } else { format!(" {unit}") };
            let (change, deviations) = (significant(change, 2), significant(in_deviations.abs(), 2));
            writeln!(
                f,
                "known values matter: `{unknown}` changes by {change}{unit} ({deviations} deviations) where `{known}` \
                     is 1 % larger"
            )?;
            named.push(unknown);
        }
        Ok(())
    }
}

/// Relative change of a known parameter by which effects are computed: phases of a thousand periods are linear in it to
/// a percent, and rounding of runs is a thousandth of what it does.
pub(crate) const CHANGE_OF_KNOWN: f64 = 1e-6;

impl<M> Fit<M> {
    /// Computes how far the found values would move if the parameters that are taken as known had other values. The
    /// standard deviations of a fit are those by noise alone; an error of a known parameter moves what is found without
    /// making the residuals larger.
    ///
    /// # Errors
    /// Those of a run. Effects of parameters with which no run is possible are left out.
    pub fn known_parameters(&self) -> Result<KnownParameters, IdentificationError> {
        let shifts = match &self.solved.by_known {
            Some(shifts) => shifts.clone(),
            None => shifts_by_known(&self.solved)?,
        };
        let summary = self.summary();
        let parameters = &self.solved.definition.model.description().parameters;
        let of_parameter = |(index, shifts): (usize, Vec<f64>)| {
            let effects = summary.parameters.iter().zip(shifts).map(|(fitted, shift)| {
                let change = 0.01 / CHANGE_OF_KNOWN * shift;
                KnownParameterEffect {
                    unknown: fitted.name.clone(),
                    unit: fitted.unit,
                    change,
                    in_deviations: change / fitted.standard_deviation,
                }
            });
            Some(KnownParameter { name: parameters.get(index)?.name, effects: effects.collect() })
        };
        Ok(KnownParameters { parameters: shifts.into_iter().filter_map(of_parameter).collect() })
    }
}

/// Computes the changes of all unknowns where a known parameter is larger by [`CHANGE_OF_KNOWN`].
fn shifts_by_known(solved: &Solved) -> Result<ShiftsByKnown, IdentificationError> {
    let Solved { definition, estimation, unknowns, .. } = solved;
    let mut evaluation = definition.evaluation(estimation, None);
    let found = evaluation.sensitivities(unknowns)?;
    let scales = estimation.scales(unknowns);
    let rows = estimation.scaled_rows(&found, unknowns, &scales);
    let mut all = Vec::new();
    for some in estimation.known_parameters().chunks(LANES * rayon::current_num_threads()) {
        let shifts = estimation.shifts_by_parameters(some, CHANGE_OF_KNOWN, &rows, (unknowns, &scales))?;
        all.extend(some.iter().zip(shifts).filter_map(|(index, shifts)| Some((*index, shifts?))));
    }
    Ok(all)
}

impl EstimationProblem {
    /// Returns the indices of the parameters that are known in all experiments, and not 0 in one of them.
    pub(crate) fn known_parameters(&self) -> Vec<usize> {
        let count = self.experiments.first().map_or(0, |prepared| prepared.known.len());
        let is_unknown =
            |index: &usize| self.experiments.iter().any(|prepared| prepared.selection.parameters.contains(index));
        let acts = |index: &usize| self.experiments.iter().any(|prepared| prepared.known[*index] != 0.0);
        (0..count).filter(|index| !is_unknown(index) && acts(index)).collect()
    }

    /// Returns the rows of channels, further costs and priors, by the unknowns times `scales`.
    fn scaled_rows(&self, found: &[LinearizedRun], unknowns: &[f64], scales: &[f64]) -> Vec<ChannelRows> {
        let mut rows = self.channel_rows(found, unknowns);
        let of_costs = self.experiments.iter().zip(found).flat_map(|(prepared, found)| {
            prepared.comparison.cost_rows(&found.outputs, &found.derivatives, unknowns.len())
        });
        rows.extend(of_costs.map(|rows| rows.unwrap_or_else(|| ChannelRows::unknown(unknowns.len()))));
        rows.extend(self.priors.rows(unknowns));
        rows.iter_mut().for_each(|rows| rows.scale(scales));
        rows
    }
}

impl ExperimentProblem {
    /// Returns all parameters of this experiment, with one of them larger by a fraction of it.
    pub(crate) fn parameters_with(&self, index: usize, relative: f64, unknowns: &[f64]) -> Vec<f64> {
        let mut parameters = self.parameters(unknowns);
        parameters[index] *= 1.0 + relative;
        parameters
    }
}
