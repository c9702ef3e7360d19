//! The result of the minimisation of a joint cost.

use std::fmt;
use std::sync::OnceLock;

use indicatif::HumanBytes;
use serde::Serialize;

use costate_numerics::scalar::array;
use costate_optimize::Stop;
use costate_system::identifiers::Dynamic;
use costate_system::model::Model;

use crate::definition::digits::significant;
use crate::definition::error::IdentificationError;
use crate::estimation::information::{ChannelInformation, variances};
use crate::run::LastRound;

use super::validation::{DistributedValidated, DistributedValidation, ValidationMessage};
use super::{DistributedMemory, DistributedWork};

/// The parameters with which a model reproduces the experiments of all processes best; the same in every process.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(bound = "")]
#[non_exhaustive]
pub struct DistributedFit<M = Dynamic> {
    #[serde(skip)]
    model: OnceLock<M>,
    #[serde(skip)]
    values: Vec<f64>,
    /// The unknowns, in their order.
    pub parameters: Vec<DistributedParameter>,
    /// J at the start; residuals are weighed by their deviations there.
    pub cost_start: f64,
    /// J at the found parameters.
    pub cost_end: f64,
    /// The part of each experiment in J, in their order.
    pub experiments: Vec<DistributedExperiment>,
    /// The experiments that validate, in their order.
    pub validation: Vec<DistributedValidation>,
    /// Iterations of all minimisations.
    pub iterations: usize,
    /// Number of successive minimisations, with new deviations where these are estimated from the residuals.
    pub rounds: usize,
    /// True if these deviations have settled.
    pub settled: bool,
    /// Simulations for costs, in all processes.
    pub simulations: usize,
    /// The rule that ended the minimisation.
    pub stop: Stop,
}

/// The result for one unknown of a joint cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DistributedParameter {
    /// Name of the unknown, with that of the experiment or group that has it alone: `preload [low]`.
    pub name: String,
    /// The experiment or group that has the unknown alone; `None` if all have it in common.
    pub of: Option<String>,
    /// Unit of the unknown.
    pub unit: &'static str,
    /// The start value.
    pub start: f64,
    /// The found value.
    pub found: f64,
    /// Standard deviation of the unknown, infinite where the measurements do not determine it. Deviations of errors
    /// that are not given are those of the residuals.
    pub standard_deviation: f64,
}

/// The part of one experiment in a joint cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DistributedExperiment {
    /// Name of the experiment.
    pub name: String,
    /// Part of J at the found parameters.
    pub cost: f64,
}

impl DistributedWork<'_> {
    /// Returns the result of the last minimisation.
    pub(super) fn concluded(&self, last: LastRound) -> Result<DistributedFit, IdentificationError> {
        let LastRound { round, information, spent, ended, .. } = last;
        let unknowns = round.state.parameters();
        let mut evaluation = self.evaluation();
        let costs = evaluation.costs(&unknowns).map_err(|failed| evaluation.named(failed))?;
        let deviations = self.deviations(information, &unknowns);
        let is_only = self.share.experiments() == 1;
        let (mut model, mut parameters) = (self.definition.model.parameters.clone(), Vec::new());
        for (k, unknown) in self.estimation.unknowns.iter().enumerate() {
            if let Some(index) = unknown.parameter.filter(|_| unknown.of.is_none() || is_only) {
                model[index] = unknowns[k];
            }
            parameters.push(DistributedParameter {
                name: unknown.name().to_owned(),
                of: unknown.of.clone(),
                unit: unknown.unit,
                start: unknown.variable.start(),
                found: unknowns[k],
                standard_deviation: deviations[k],
            });
        }
        let experiments = self.peers.names.iter().zip(costs);
        let own = ValidationMessage::of_campaign(&self.estimation, &unknowns, &ended.of_validation);
        let messages = self.peers.exchange(Ok(own))?;
        let validation = messages.into_iter().flatten().map(ValidationMessage::validation);
        let state = &round.state;
        let history = round.earlier.first().unwrap_or(state).history();
        Ok(DistributedFit {
            model: OnceLock::new(),
            values: model,
            parameters,
            cost_start: history.first().map_or(state.cost(), |first| first.cost),
            cost_end: state.cost(),
            experiments: experiments.map(|(name, cost)| DistributedExperiment { name: name.clone(), cost }).collect(),
            validation: validation.collect(),
            iterations: round.iterations(),
            rounds: round.earlier.len() + 1,
            settled: ended.weights_settled,
            simulations: spent.simulations,
            stop: state.stop().unwrap_or(Stop::MaximumIterations),
        })
    }

    /// Returns the standard deviations of the unknowns.
    fn deviations(&self, information: Option<Vec<ChannelInformation>>, unknowns: &[f64]) -> Vec<f64> {
        let Some(information) = information else { return vec![f64::INFINITY; unknowns.len()] };
        // without spare samples nothing is known of errors that are not given
        if self.peers.are_estimated && self.peers.samples <= unknowns.len() {
            return vec![f64::INFINITY; unknowns.len()];
        }
        let variances = variances(&information, unknowns.len()).into_iter().zip(self.estimation.scales(unknowns));
        variances.map(|(variance, scale)| variance.sqrt() * scale).collect()
    }
}

impl<M: Model> DistributedFit<M> {
    /// Returns the model with the found parameters. With several experiments, parameters that experiments or groups
    /// have for themselves keep their values.
    pub fn model(&self) -> &M {
        self.model.get_or_init(|| M::from_parameters(&array(&self.values)))
    }
}

impl DistributedFit {
    /// Adds the type of the model.
    pub(super) fn tagged<N>(self) -> DistributedFit<N> {
        DistributedFit {
            model: OnceLock::new(),
            values: self.values,
            parameters: self.parameters,
            cost_start: self.cost_start,
            cost_end: self.cost_end,
            experiments: self.experiments,
            validation: self.validation,
            iterations: self.iterations,
            rounds: self.rounds,
            settled: self.settled,
            simulations: self.simulations,
            stop: self.stop,
        }
    }
}

impl<M> fmt::Display for DistributedFit<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { experiments, iterations, cost_start, cost_end, .. } = self;
        writeln!(
            f,
            "{} experiments, {iterations} iterations, {} simulations: cost {} at the start, {} at the end; {}",
            experiments.len(),
            self.simulations,
            significant(*cost_start, 5),
            significant(*cost_end, 5),
            self.stop
        )?;
        for DistributedParameter { name, unit, start, found, standard_deviation, .. } in &self.parameters {
            let deviation = significant(*standard_deviation, 2);
            writeln!(
                f,
                "  {name}: {} ± {deviation} {unit} (start {})",
                significant(*found, 6),
                significant(*start, 6)
            )?;
        }
        for DistributedValidation { name, outputs, failed, .. } in &self.validation {
            for DistributedValidated { output, unit, residual, fit_percent, .. } in outputs {
                let percent = fit_percent.map_or(String::new(), |one| format!(", explained {} %", significant(one, 4)));
                let residual = significant(*residual, 3);
                writeln!(f, "  validation {name}: {output}, residual {residual} {unit}{percent}")?;
            }
            if let Some(failed) = failed {
                writeln!(f, "  validation {name} has failed: {failed}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for DistributedMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { process, experiments, simulation_bytes, sample_bytes, factor_bytes, available_bytes } = self;
        write!(
            f,
            "process {process}: {} experiments, {} for their runs, {} for measured samples, {} for factors of \
                 derivatives",
            experiments.len(),
            HumanBytes(*simulation_bytes),
            HumanBytes(*sample_bytes),
            HumanBytes(*factor_bytes)
        )?;
        available_bytes.map_or(Ok(()), |bytes| write!(f, ", {} available on its machine", HumanBytes(bytes)))
    }
}
