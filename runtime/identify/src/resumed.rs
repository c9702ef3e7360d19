//! Description of the identification that a state file belongs to.

use costate_system::state_file::{self, Description, StateFile, describe_model};

use super::definition::Definition;
use super::definition::error::IdentificationError;
use super::definition::experiment::ExperimentDefinition;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::predicted::PredictedProblem;
use super::estimation::reweighting::Round;

/// An open state file, and what it must match.
type Opened = (StateFile, Description);

/// Name of the work that such state files belong to, for messages.
const WORK: &str = "an identification";

impl Definition {
    /// Opens the state file, if there is one, and reads the round that it holds.
    pub(super) fn stored(
        &self,
        estimation: &EstimationProblem,
    ) -> Result<(Option<Opened>, Option<Round>), IdentificationError> {
        let Some(path) = &self.state_file else { return Ok((None, None)) };
        let (file, description) = (StateFile::open(path, WORK)?, self.description(estimation));
        let stored = file.read::<Round>(&description)?;
        match stored.as_ref().and_then(|stored| stored.choice).is_none_or(|choice| choice.is_possible()) {
            true => Ok((Some((file, description)), stored)),
            false => Err(file.damaged().into()),
        }
    }

    /// Describes everything that the result depends on, except the number of iterations.
    pub(super) fn description(&self, estimation: &EstimationProblem) -> Description {
        let mut description = self.unknowns_description(estimation);
        description.extend(self.experiments_description(estimation, |number| estimation.name_of(number)));
        description.extend(self.settings_description(&["maximum_iterations"]));
        description.serialised("the weighting", &estimation.by_likelihood);
        description
    }

    /// Describes the model, its unknowns and their priors.
    pub(super) fn unknowns_description(&self, estimation: &EstimationProblem) -> Description {
        let mut description = Description::default();
        describe_model(&mut description, self.model.description());
        let start = &estimation.state;
        let names: Vec<_> = start.variables().iter().map(|variable| variable.name()).collect();
        description.text("the unknown parameters", names.join(", "));
        for variable in start.variables() {
            let (lower, upper) = variable.bounds();
            let name = variable.name();
            description.text(format!("the bounds of `{name}`"), format_args!("{lower:?} to {upper:?}"));
            description.serialised(format!("the scaling of `{name}`"), &variable.scaling());
        }
        let of_tables = estimation.experiments.first().map(|prepared| &*prepared.tables).unwrap_or_default();
        for (unknown, table) in self.unknown_tables.iter().zip(of_tables) {
            description.text(format!("the unknown table `{}`", unknown.name()), format_args!("{unknown:?}"));
            description.values(format!("the start of the table `{}`", unknown.name()), &table.start);
        }
        for (unknown, prior) in &estimation.priors.of_unknowns {
            let name = estimation.unknowns[*unknown].name();
            description.serialised(format!("the prior of `{name}`"), prior);
        }
        for inertia in &self.inertias {
            let name = inertia.body.mass().name();
            description.text(format!("the inertia with the mass `{name}`"), format_args!("{inertia:?}"));
        }
        description
    }

    /// Describes the fitted experiments of a campaign; `name_of` returns the name of an experiment if there are
    /// several.
    pub(super) fn experiments_description<'n>(
        &self,
        estimation: &'n EstimationProblem,
        name_of: impl Fn(usize) -> Option<&'n str>,
    ) -> Description {
        let mut description = Description::default();
        for (prepared, experiment) in estimation.experiments.iter().zip(self.fitted_runs()) {
            let of = name_of(prepared.number).map_or(String::new(), |name| format!(" of `{name}`"));
            describe(&mut description, prepared, experiment, &of);
        }
        estimation.predictions.iter().for_each(|predicted| describe_prediction(&mut description, predicted));
        description
    }

    /// Describes the settings of the minimisation, except the settings of the optimizer that are `left_out`.
    pub(super) fn settings_description(&self, left_out: &[&str]) -> Description {
        let mut description = Description::default();
        description.serialised("the quadrature", &self.quadrature);
        description.text("the loss", format_args!("{:?}", self.loss));
        description.text("the gradient method", self.gradient_method);
        description.settings("the optimizer", &self.optimizer, left_out);
        description
    }

    /// Describes everything that the tasks of the identification depend on.
    pub(super) fn tasks_description(&self, estimation: &EstimationProblem) -> Description {
        let mut description = self.description(estimation);
        description.text("the maximum number of iterations", self.optimizer.maximum_iterations);
        description
    }

    /// Describes everything that the result depends on, by preparing the identification for this alone.
    pub(crate) fn described(self) -> Result<Description, IdentificationError> {
        let estimation = self.prepare()?;
        Ok(self.tasks_description(&estimation))
    }
}

/// Adds the parameters, the groups and the measured numbers of a prediction to a description.
fn describe_prediction(description: &mut Description, predicted: &PredictedProblem) {
    let label = predicted.label();
    description.values(format!("the parameters of the prediction `{label}`"), &predicted.known);
    for (compared, channel) in predicted.groups.iter().zip(&predicted.comparison.channels) {
        let Some(group) = predicted.prediction.groups().get(compared.index) else { continue };
        let of = format!("`{}` of the prediction `{label}`", group.name);
        let unit = (&group.unit, group.part, &group.abscissa_unit);
        description.text(format!("the unit of {of}"), format_args!("{unit:?}"));
        description.values(format!("the abscissa of {of}"), &group.places);
        description.values(format!("the numbers of {of}"), &channel.values);
        if let Some(roots) = &channel.roots {
            description.values(format!("the precisions of {of}"), roots);
        }
        description.text(format!("the deviation of {of}"), format_args!("{:?}", channel.given_deviation));
    }
}

/// Adds the parameters, the simulation and the data of one experiment to a description.
fn describe(
    description: &mut Description,
    prepared: &ExperimentProblem,
    experiment: &ExperimentDefinition,
    of_experiment: &str,
) {
    state_file::describe(description, &prepared.problem, &prepared.known, of_experiment);
    for unknown in &experiment.unknown_inputs {
        description
            .text(format!("the unknown input `{}`{of_experiment}", unknown.input.name()), format_args!("{unknown:?}"));
    }
    for delayed in &prepared.driven.delayed {
        let of =
            format!("the delayed input `{}`{of_experiment}", prepared.problem.description().inputs[delayed.input].name);
        let numbers: Vec<f64> = delayed.signal.numbers().copied().collect();
        description.values(of, &numbers);
    }
    for (input, delay) in &experiment.input_delays {
        description
            .text(format!("the delay of the input `{}`{of_experiment}", input.name()), format_args!("{delay:?}"));
    }
    let measured = experiment.measurements.iter().zip(&prepared.comparison.channels);
    for (k, (measurement, channel)) in measured.enumerate() {
        let of = format!("measurement {} (output `{}`){of_experiment}", k + 1, measurement.output.name());
        description.number(format!("the weight of {of}"), measurement.data.weight.unwrap_or(1.0));
        description.values(format!("the times of {of}"), &channel.times);
        description.values(format!("the values of {of}"), &channel.values);
        if let Some(deviation) = channel.given_deviation {
            description.number(format!("the standard deviation of {of}"), deviation);
        }
        if let Some(noise) = &measurement.data.noise {
            description.text(format!("the noise of {of}"), format_args!("{noise:?}"));
        }
        if let Some(weights) = &prepared.channels[k].weights {
            description.values(format!("the weights of samples of {of}"), weights);
        }
        for (name, correction) in measurement.data.corrections.named() {
            description.text(format!("the {name} of {of}"), format_args!("{correction:?}"));
        }
    }
    for (k, (weight, cost)) in experiment.costs.iter().enumerate() {
        description.number(format!("the weight of further cost {}{of_experiment}", k + 1), *weight);
        description.printed(format!("further cost {}{of_experiment}", k + 1), cost);
    }
}
