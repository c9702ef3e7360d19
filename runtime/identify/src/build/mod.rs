//! Preparation of an identification: checks its settings, takes missing ones from the records, and makes an
//! `EstimationProblem`.

pub(super) mod channels;
mod inputs;
mod predictions;
mod priors;
mod simulation;
mod tables;

use std::sync::Arc;

use costate_cost::SumCost;
use costate_measure::record::{AssumedUnit, note};
use costate_optimize::OptimizerState;
use costate_system::initial::check_parameters;
use costate_system::model::SelectedParameters;
use costate_system::problem::{Problem, SimulationError};
use costate_system::simulation::RunDescription;

use super::definition::Definition;
use super::definition::error::{IdentificationError, SpecificationError};
use super::definition::experiment::ExperimentDefinition;
use super::estimation::comparison::Comparison;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem, have_residuals};
use super::estimation::layout::{Layout, Selection};
use super::estimation::tables_at::TableUnknowns;
use channels::Weighing;

/// Settings that all experiments of an identification have in common.
pub(super) struct Shared {
    pub tables: Arc<[TableUnknowns]>,
    /// True if residuals are weighed by their deviations.
    pub by_likelihood: bool,
    /// True if there are several experiments.
    pub several: bool,
    /// Number of parts into which all steps are divided, below 1 for longer ones.
    pub parts: f64,
}

impl Definition {
    /// Returns the experiments: those that were added, or the identification's own one.
    pub(super) fn all_experiments(&self) -> Vec<&ExperimentDefinition> {
        if self.experiments.is_empty() { vec![&self.own] } else { self.experiments.iter().collect() }
    }

    /// Returns the experiments that take part in the fit.
    pub(super) fn fitted_experiments(&self) -> Vec<&ExperimentDefinition> {
        let mut all = self.all_experiments();
        all.retain(|experiment| !experiment.validates);
        all
    }

    /// Returns the experiments with a run that take part in the fit.
    pub(super) fn fitted_runs(&self) -> Vec<&ExperimentDefinition> {
        let mut all = self.fitted_experiments();
        all.retain(|experiment| experiment.has_run());
        all
    }

    /// Returns the experiments that take part in the fit, to be changed.
    pub(super) fn fitted_experiments_mut(&mut self) -> impl Iterator<Item = &mut ExperimentDefinition> {
        let all = match self.experiments.is_empty() {
            true => std::slice::from_mut(&mut self.own),
            false => &mut self.experiments[..],
        };
        all.iter_mut().filter(|experiment| !experiment.validates)
    }

    /// Returns the experiments with a run that take part in the fit, to be changed.
    pub(super) fn fitted_runs_mut(&mut self) -> impl Iterator<Item = &mut ExperimentDefinition> {
        self.fitted_experiments_mut().filter(|experiment| experiment.has_run())
    }

    /// Returns the parameters of an experiment: those of the experiment, and those of the model for the others.
    fn known(&self, experiment: &ExperimentDefinition) -> Result<Vec<f64>, IdentificationError> {
        let mut parameters = self.model.parameters.clone();
        for (parameter, value) in &experiment.known {
            if let Some(place) = parameters.get_mut(parameter.index()) {
                *place = *value;
            }
        }
        check_parameters(self.model.description(), &parameters).map_err(SimulationError::from)?;
        Ok(parameters)
    }

    pub(super) fn prepare(&self) -> Result<EstimationProblem, IdentificationError> {
        self.prepare_in(1.0)
    }

    /// Prepares a campaign whose steps are divided into `parts`, below 1 for longer ones.
    pub(super) fn prepare_in(&self, parts: f64) -> Result<EstimationProblem, IdentificationError> {
        let experiments = self.all_experiments();
        let of_inputs = experiments.iter().any(|experiment| experiment.has_unknowns());
        if self.unknowns.is_empty() && self.unknown_tables.is_empty() && !of_inputs {
            return Err(SpecificationError::NoUnknowns { model: self.model.name() }.into());
        }
        self.check_wanted()?;
        self.check_experiments(&experiments)?;
        let (layout, selections) = Layout::of_parameters(&self.model, &self.unknowns, &experiments);
        let mut layout = layout.with_priors(&self.priors).with_inertias(&self.inertias)?;
        let (tables, priors_of_tables) = self.table_unknowns(&mut layout)?;
        let by_likelihood = self.by_likelihood(&Weighing::of(&experiments))?;
        let several = experiments.len() > 1;
        let shared = Shared { tables: tables.into(), by_likelihood, several, parts };
        let (mut prepared, mut validation) = (Vec::with_capacity(experiments.len()), Vec::new());
        let (mut predictions, mut validation_predictions) = (Vec::new(), Vec::new());
        // experiments that validate have the unknowns of the others
        let mut in_turn: Vec<_> = experiments.iter().zip(selections).collect();
        in_turn.sort_by_key(|(experiment, _)| experiment.validates);
        for (experiment, selection) in in_turn {
            let predicted = self.predictions_of(experiment, &selection, &mut layout, several)?;
            if experiment.validates {
                validation_predictions.extend(predicted);
            } else {
                predictions.extend(predicted);
            }
            if experiment.has_run() {
                let one = self.prepare_named(experiment, selection, &mut layout, &shared)?;
                if experiment.validates { validation.push(one) } else { prepared.push(one) }
            }
        }
        prepared.iter_mut().enumerate().for_each(|(number, one)| one.number = number);
        predictions.iter_mut().enumerate().for_each(|(number, one)| one.number = prepared.len() + number);
        let mut estimation = self.campaign(layout, (prepared, validation), by_likelihood)?;
        estimation.priors.combined.extend(priors_of_tables);
        (estimation.predictions, estimation.validation_predictions) = (predictions, validation_predictions);
        estimation.check()?;
        if several {
            estimation.check_memory(1)?;
        }
        Ok(estimation)
    }

    /// Creates a campaign without predictions, of experiments that are fitted and of others that validate.
    pub(super) fn campaign(
        &self,
        layout: Layout,
        (fitted, validation): (Vec<ExperimentProblem>, Vec<ExperimentProblem>),
        by_likelihood: bool,
    ) -> Result<EstimationProblem, IdentificationError> {
        let variables = layout.unknowns.iter().map(|unknown| unknown.variable.clone()).collect();
        let state = OptimizerState::new(variables, self.optimizer.clone())?;
        let priors = self.priors_of(&layout, &self.all_experiments(), &fitted)?;
        Ok(EstimationProblem {
            has_residuals: have_residuals(&fitted),
            experiments: fitted,
            validation,
            predictions: Vec::new(),
            validation_predictions: Vec::new(),
            unknowns: layout.unknowns,
            priors,
            by_likelihood,
            state,
        })
    }

    /// Checks the settings of the unknowns and the loss, which do not depend on the experiments.
    pub(super) fn check_wanted(&self) -> Result<(), IdentificationError> {
        self.check_names()?;
        let indices: Vec<usize> = self.unknowns.iter().map(|(unknown, _)| unknown.parameter().index()).collect();
        SelectedParameters::of(self.model.description(), &indices)?;
        Ok(self.loss.check()?)
    }

    /// Checks that all names are those of the model, and that it has as many parameters as there are values.
    fn check_names(&self) -> Result<(), IdentificationError> {
        self.check_simulations()?;
        let model = self.model.description();
        let (expected, given) = (model.parameters.len(), self.model.parameters.len());
        if expected != given {
            return Err(SimulationError::ParameterCount { model: model.name, expected, given }.into());
        }
        for (unknown, _) in &self.unknowns {
            unknown.parameter().check_model(model)?;
        }
        for (parameter, _) in &self.priors {
            parameter.check_model(model)?;
        }
        for unknown in &self.unknown_tables {
            unknown.check_model(model)?;
        }
        self.run.check_names()?;
        for experiment in self.experiments.iter().chain([&self.own]) {
            experiment.check_names(model)?;
        }
        Ok(())
    }

    /// Checks that simulations run the identified model with a value for each parameter, and that experiments have the
    /// common tables.
    fn check_simulations(&self) -> Result<(), IdentificationError> {
        let model = self.model.description();
        let check = |whose: String, run: &RunDescription| {
            let simulated = run.model.system.description();
            match simulated.is_same(model) {
                true => Ok(()),
                false => {
                    Err(SpecificationError::OtherSimulation { whose, simulated: simulated.name, model: model.name })
                }
            }
        };
        check("the identification".to_owned(), &self.run)?;
        for experiment in &self.experiments {
            let Some(run) = &experiment.run else { continue };
            check(format!("the experiment `{}`", experiment.name), run)?;
            let (expected, given) = (model.parameters.len(), run.model.parameters.len());
            if expected != given {
                let count = SimulationError::ParameterCount { model: model.name, expected, given };
                return Err(IdentificationError::from(count).in_experiment(&experiment.name));
            }
            if run.tables != self.run.tables {
                let experiment = experiment.name.clone();
                return Err(SpecificationError::TablesOfExperiment { experiment }.into());
            }
        }
        Ok(())
    }

    /// Prepares an experiment, and adds its unknowns to the layout; one that validates adds none, and has corrections
    /// of its own at their start values. Errors contain its name if there are several.
    pub(super) fn prepare_named(
        &self,
        experiment: &ExperimentDefinition,
        selection: Selection,
        layout: &mut Layout,
        shared: &Shared,
    ) -> Result<ExperimentProblem, IdentificationError> {
        let held = experiment.validates.then(|| self.with_own_held(experiment, &layout.unknowns));
        let prepared = self.prepare_one(held.as_ref().unwrap_or(experiment), selection, layout, shared);
        prepared.map_err(|error| match shared.several {
            true => error.in_experiment(&experiment.name),
            false => error,
        })
    }

    fn prepare_one(
        &self,
        experiment: &ExperimentDefinition,
        selection: Selection,
        layout: &mut Layout,
        &Shared { ref tables, by_likelihood, several, parts }: &Shared,
    ) -> Result<ExperimentProblem, IdentificationError> {
        let known = self.known(experiment)?;
        experiment.check_outputs(self.model.description())?;
        let mut channels = Vec::new();
        let beginning = self.beginning(experiment);
        for measurement in &experiment.measurements {
            if let Some(deviation) = measurement.data.deviation.filter(|d| !(*d > 0.0 && d.is_finite())) {
                let output = measurement.output.name();
                return Err(SpecificationError::Deviation { output, deviation }.into());
            }
            channels.push(measurement.taken()?.counted_from(beginning));
        }
        let mut settings = self.run_settings(experiment)?;
        settings.step /= parts;
        let driven = self.driven_inputs(experiment, &settings, layout, several)?;
        let problem = self.problem_of(experiment, settings, &known)?;
        let mut observed = Vec::with_capacity(channels.len());
        for (measurement, taken) in experiment.measurements.iter().zip(&mut channels) {
            let corrections = layout.corrections(measurement, taken, experiment, several)?;
            observed.push(self.observed(&problem, measurement, taken, corrections, by_likelihood)?);
        }
        let costs = further_costs(experiment, &problem)?;
        let comparison = Comparison { channels: observed, costs, multiplicity: 1.0 };
        Ok(ExperimentProblem {
            number: 0,
            name: experiment.name.clone(),
            model: self.model.system,
            problem,
            known,
            selection,
            driven,
            tables: Arc::clone(tables),
            comparison,
            channels,
        })
    }

    /// Checks the names of the experiments, and that measurements and unknown inputs belong to experiments.
    pub(super) fn check_experiments(&self, experiments: &[&ExperimentDefinition]) -> Result<(), SpecificationError> {
        for (number, experiment) in experiments.iter().enumerate() {
            if experiments[..number].iter().any(|other| other.name == experiment.name) {
                return Err(SpecificationError::RepeatedExperiment { name: experiment.name.clone() });
            }
        }
        if experiments.iter().all(|experiment| experiment.validates) {
            return Err(SpecificationError::NothingFitted { experiments: experiments.len() });
        }
        let beside = |what| Err(SpecificationError::BesideExperiments { what });
        if !self.experiments.is_empty() && !self.own.unknown_inputs.is_empty() {
            return beside("an unknown input");
        }
        if !self.experiments.is_empty() && !self.own.measurements.is_empty() {
            return beside("a measurement");
        }
        if !self.experiments.is_empty() && !self.own.costs.is_empty() {
            return beside("a cost");
        }
        if !self.experiments.is_empty() && !self.own.predictions.is_empty() {
            return beside("a prediction");
        }
        Ok(())
    }

    /// Returns the data without a unit, which are taken in the unit of the model.
    pub(super) fn assumed_units(&self, estimation: &EstimationProblem) -> Vec<AssumedUnit> {
        let mut assumed = Vec::new();
        for prepared in estimation.experiments.iter().chain(&estimation.validation) {
            note(&mut assumed, prepared.channels.iter().filter_map(|channel| channel.assumed.clone()));
            let costs = prepared.comparison.costs.terms();
            note(&mut assumed, costs.flat_map(|(_, cost)| cost.assumed_units()));
            note(&mut assumed, prepared.problem.assumed_units().iter().cloned());
            note(&mut assumed, prepared.driven.assumed.iter().cloned());
        }
        assumed
    }
}

/// Returns the further costs of an experiment, after a check that they were made for its run.
fn further_costs<'a>(experiment: &ExperimentDefinition, problem: &Problem) -> Result<SumCost<'a>, SpecificationError> {
    let (step, samples) = (problem.settings().step, problem.samples());
    let outputs = problem.description().outputs.len();
    let mut total = SumCost::new();
    for (index, (weight, cost)) in experiment.costs.iter().enumerate() {
        if !cost.fits(step, samples, outputs) {
            return Err(SpecificationError::CostRun { index, step, samples, outputs });
        }
        total = total.with_shared(*weight, std::sync::Arc::clone(cost))?;
    }
    Ok(total)
}
