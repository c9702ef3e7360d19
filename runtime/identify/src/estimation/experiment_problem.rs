//! All experiments of an identification, ready to be evaluated.

use std::borrow::Cow;
use std::sync::Arc;

use costate_cost::residuals::{Autoregression, Loss, mean_period, normalised_mad};
use costate_optimize::OptimizerState;
use costate_system::model::Description;
use costate_system::problem::{Memory, Problem, SimulationError};
use costate_system::system::Differentiable;

use super::comparison::Comparison;
use super::covariance::{ChannelRows, degrees_of_freedom, deviations, deviations_beside_priors, samples_of};
use super::driven::DrivenInputs;
use super::layout::{Selection, Unknown, Value};
use super::linearized_run::LinearizedRun;
use super::observed::Observed;
use super::peers::AllChannels;
use super::predicted::PredictedProblem;
use super::priors::Priors;
use super::progress::Progress;
use super::tables_at::{TableUnknowns, with_tables};
use crate::definition::error::{DataError, IdentificationError, RequestError, SpecificationError, StartValuesError};
use crate::definition::measurement::Taken;
use crate::definition::noise::ChannelErrors;

/// One experiment, checked and prepared.
pub(crate) struct ExperimentProblem {
    /// Index among the experiments that are fitted.
    pub number: usize,
    pub name: String,
    pub model: &'static dyn Differentiable,
    pub problem: Problem,
    /// Parameters of the experiment; entries of unknown ones are overwritten.
    pub known: Vec<f64>,
    pub selection: Selection,
    /// The inputs that depend on unknowns.
    pub driven: DrivenInputs,
    /// The unknown tables, those of all experiments.
    pub tables: Arc<[TableUnknowns]>,
    pub comparison: Comparison,
    pub channels: Vec<Taken>,
}

impl ExperimentProblem {
    /// Returns the experiment with another problem, and without channels and further costs.
    pub fn without_channels(&self, problem: Problem) -> Self {
        Self {
            number: self.number,
            name: self.name.clone(),
            model: self.model,
            problem,
            known: self.known.clone(),
            selection: self.selection.clone(),
            driven: self.driven.clone(),
            tables: Arc::clone(&self.tables),
            comparison: Comparison { multiplicity: self.comparison.multiplicity, ..Comparison::default() },
            channels: Vec::new(),
        }
    }

    /// Returns all parameters of the model in this experiment.
    pub fn parameters(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut parameters = self.known.clone();
        for (&index, &unknown) in self.selection.parameters.iter().zip(&self.selection.unknowns) {
            parameters[index] = unknowns[unknown];
        }
        parameters
    }

    /// Returns the problem with the inputs and tables at these unknowns.
    pub fn problem_at(&self, unknowns: &[f64]) -> Result<Cow<'_, Problem>, SimulationError> {
        with_tables(self.driven.applied(&self.problem, unknowns)?, &self.tables, unknowns)
    }

    /// Returns true if the run of the experiment, or its channels, depend on an unknown that is no value of a table.
    pub fn depends_on(&self, unknown: usize) -> bool {
        let of_channel =
            |channel: &Observed| [channel.gain, channel.offset, channel.delay].contains(&Value::Unknown(unknown));
        self.selection.unknowns.contains(&unknown)
            || self.driven.unknowns().any(|of_input| of_input == unknown)
            || self.comparison.channels.iter().any(of_channel)
    }

    /// Returns the name of a measured output.
    pub fn output_name(&self, channel: &Observed) -> &'static str {
        self.problem.description().outputs[channel.output].name
    }

    /// Replaces the indices of the unknowns of inputs and channels; values of inputs at knots keep their order.
    pub fn renumber(&mut self, indices: &[usize]) {
        let Self { driven, comparison, .. } = self;
        driven.delayed.iter_mut().for_each(|delayed| delayed.delay = delayed.delay.renumbered(indices));
        driven.of_knots.iter_mut().for_each(|of_knots| of_knots.first = indices[of_knots.first]);
        for channel in &mut comparison.channels {
            for value in [&mut channel.gain, &mut channel.offset, &mut channel.delay] {
                *value = value.renumbered(indices);
            }
        }
    }

    /// Returns true if inputs and tables are known.
    pub fn is_of_parameters(&self) -> bool {
        self.driven.is_empty() && self.tables.is_empty()
    }

    /// Returns the values of the unknowns on which the run depends.
    pub fn of_run(&self, unknowns: &[f64]) -> Vec<f64> {
        let of_tables = self.tables.iter().flat_map(TableUnknowns::unknowns);
        let all = self.selection.unknowns.iter().copied().chain(self.driven.unknowns()).chain(of_tables);
        all.map(|unknown| unknowns[unknown]).collect()
    }

    /// Returns true if several runs with different unknowns can go in lanes.
    #[doc(hidden)]
    pub fn runs_in_lanes(&self) -> bool {
        self.is_of_parameters() && self.problem.runs_in_lanes()
    }
}

/// Returns whether the costs of these experiments are sums of squares.
pub(crate) fn have_residuals(experiments: &[ExperimentProblem]) -> bool {
    experiments.iter().flat_map(|prepared| prepared.comparison.costs.terms()).all(|(_, cost)| cost.has_residuals())
}

/// All experiments, checked and prepared.
pub(crate) struct EstimationProblem {
    /// Experiments that are fitted.
    pub experiments: Vec<ExperimentProblem>,
    /// Experiments that are not fitted.
    pub validation: Vec<ExperimentProblem>,
    /// Predictions that are fitted; their channels stand after those of the experiments.
    pub predictions: Vec<PredictedProblem>,
    /// Predictions that are not fitted.
    pub validation_predictions: Vec<PredictedProblem>,
    pub unknowns: Vec<Unknown>,
    pub priors: Priors,
    /// True if residuals are weighed by their deviations.
    pub by_likelihood: bool,
    /// True if the cost is a sum of squares, whose derivatives follow from those of the runs.
    pub has_residuals: bool,
    pub state: OptimizerState,
}

impl EstimationProblem {
    /// Returns another campaign with the same experiments, without the records of their channels, which only results
    /// need.
    pub fn variant(&self) -> Self {
        let experiment = |prepared: &ExperimentProblem| ExperimentProblem {
            comparison: prepared.comparison.clone(),
            ..prepared.without_channels(prepared.problem.clone())
        };
        Self {
            experiments: self.experiments.iter().map(experiment).collect(),
            validation: Vec::new(),
            predictions: self.predictions.clone(),
            validation_predictions: Vec::new(),
            unknowns: self.unknowns.clone(),
            priors: self.priors.clone(),
            by_likelihood: self.by_likelihood,
            has_residuals: self.has_residuals,
            state: self.state.clone(),
        }
    }
}

impl EstimationProblem {
    /// Begins with these values of the unknowns.
    pub fn begin_at(&mut self, unknowns: &[f64]) -> Result<(), IdentificationError> {
        let variables = self.state.variables().iter().zip(unknowns);
        let variables = variables.map(|(variable, value)| variable.starting_with(*value)).collect();
        self.state = OptimizerState::new(variables, self.state.settings().clone())?;
        Ok(())
    }

    /// Checks that experiments have unknowns in common, and that there are enough data.
    #[doc(hidden)]
    pub fn check(&self) -> Result<(), IdentificationError> {
        let experiments = self.experiments.len() + self.predictions.len();
        let users = |unknown: usize| {
            let predicted = self.predictions.iter().filter(|one| one.selection.unknowns.contains(&unknown));
            self.experiments.iter().filter(|prepared| prepared.depends_on(unknown)).count() + predicted.count()
        };
        let has_tables = self.experiments.iter().any(|prepared| !prepared.tables.is_empty());
        if experiments > 1 && !has_tables && !(0..self.unknowns.len()).any(|unknown| users(unknown) > 1) {
            return Err(SpecificationError::NothingInCommon { experiments }.into());
        }
        let of_costs = self.experiments.iter().any(|prepared| prepared.comparison.costs.terms().len() > 0);
        let samples = self.channels().map(|channel| channel.values.len()).sum::<usize>() + self.priors.count();
        let unknowns = self.unknowns.len();
        if !of_costs && samples < unknowns {
            return Err(DataError::TooFewSamples { samples, unknowns }.into());
        }
        Ok(())
    }

    /// Returns true if tables are unknown, and only residuals of measurements determine them.
    pub fn has_measured_tables(&self) -> bool {
        let has_costs = |prepared: &ExperimentProblem| prepared.comparison.costs.terms().len() > 0;
        let has_tables = self.experiments.iter().any(|prepared| !prepared.tables.is_empty());
        has_tables && !self.experiments.iter().any(has_costs)
    }

    /// Checks that residuals, with the derivatives in `rows`, depend on every unknown table.
    pub fn check_tables(&self, rows: &[ChannelRows]) -> Result<(), StartValuesError> {
        let Some(prepared) = self.experiments.first() else { return Ok(()) };
        for table in prepared.tables.iter() {
            let is_zero = |rows: &ChannelRows| {
                table.unknowns().all(|k| rows.sensitivities.column(k).iter().all(|entry| *entry == 0.0))
            };
            if rows.iter().all(is_zero) {
                let table = prepared.problem.description().tables[table.index].quantity.name;
                return Err(StartValuesError::UntouchedTable { table });
            }
        }
        Ok(())
    }

    /// Returns true if costs beside the channels in time are fitted.
    pub fn has_costs(&self) -> bool {
        self.experiments.iter().any(|prepared| prepared.comparison.costs.terms().len() > 0)
    }

    /// Returns true if residuals are weighed by deviations that are estimated from them.
    pub fn estimates_deviations(&self) -> bool {
        let is_estimated = |channel: &Observed| match &channel.noise {
            Some(noise) => noise.is_estimated(),
            None => channel.given_deviation.is_none(),
        };
        let of_priors = self.priors.combined.iter().any(|prior| prior.is_estimated);
        self.by_likelihood && (of_priors || self.channels().any(is_estimated))
    }

    /// Returns names and units of the model.
    #[doc(hidden)]
    pub fn description(&self) -> &'static Description {
        const NONE: Description = Description::new("");
        self.experiments.first().map_or(const { &NONE }, |prepared| prepared.problem.description())
    }

    /// Returns the name of an experiment; `None` where there is only one.
    pub fn name_of(&self, number: usize) -> Option<&str> {
        let alone = self.validation.is_empty() && self.validation_predictions.is_empty();
        if alone && self.experiments.len() + self.predictions.len() == 1 {
            return None;
        }
        let of_run = self.experiments.get(number).map(|prepared| &prepared.name);
        let of_prediction = || {
            let behind = number.checked_sub(self.experiments.len())?;
            self.predictions.get(behind).map(|predicted| &predicted.experiment)
        };
        of_run.or_else(of_prediction).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// Adds the name of an experiment to its error if there are several.
    pub fn in_experiment(&self, number: usize, error: IdentificationError) -> IdentificationError {
        match self.name_of(number) {
            None => error,
            Some(name) => error.in_experiment(name),
        }
    }

    /// Returns the channels of all experiments, and then those of predictions, in turn.
    pub fn channels(&self) -> impl Iterator<Item = &Observed> {
        let of_runs = self.experiments.iter().flat_map(|experiment| &experiment.comparison.channels);
        of_runs.chain(self.predictions.iter().flat_map(|predicted| &predicted.comparison.channels))
    }

    /// Returns the channels of all experiments and predictions, in turn, to be changed.
    pub fn channels_mut(&mut self) -> impl Iterator<Item = &mut Observed> {
        let of_runs = self.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparison.channels);
        of_runs.chain(self.predictions.iter_mut().flat_map(|predicted| &mut predicted.comparison.channels))
    }

    /// Returns the names of the channels whose deviations cannot be estimated, as their residuals leave too few degrees
    /// of freedom.
    pub fn names_without_deviation(&self) -> Vec<String> {
        let of_runs = self.experiments.iter().flat_map(|prepared| {
            let named = |channel: &Observed| (prepared.number, prepared.output_name(channel).to_owned());
            prepared.comparison.channels.iter().filter(|channel| channel.is_unknown).map(named)
        });
        let of_predictions = self.predictions.iter().flat_map(|predicted| {
            let groups = predicted.groups.iter().zip(&predicted.comparison.channels);
            let unknown = groups.filter(|(_, channel)| channel.is_unknown);
            unknown.map(|(group, _)| (predicted.number, predicted.channel_name(group)))
        });
        let named = |(number, name): (usize, String)| match self.name_of(number) {
            Some(experiment) => format!("`{name}` of {experiment}"),
            None => format!("`{name}`"),
        };
        of_runs.chain(of_predictions).map(named).collect()
    }

    /// Checks that the errors of all channels are known, as what asks for the scatter of the unknowns needs.
    pub fn check_deviations(&self) -> Result<(), RequestError> {
        match self.names_without_deviation() {
            names if names.is_empty() => Ok(()),
            channels => Err(RequestError::UnknownDeviations { channels }),
        }
    }

    /// Returns the number of channels of runs.
    pub fn run_channels(&self) -> usize {
        self.experiments.iter().map(|prepared| prepared.comparison.channels.len()).sum()
    }

    /// Returns the mean period of the fastest channel of the runs in s; `None` where no channel has a period.
    pub fn shortest_period(&self) -> Option<f64> {
        let channels = self.experiments.iter().flat_map(|prepared| &prepared.comparison.channels);
        channels.filter_map(|channel| mean_period(&channel.times, &channel.values)).reduce(f64::min)
    }

    /// Returns the number of steps of the runs of all experiments, and of those that are combined.
    pub fn steps_of_runs(&self) -> usize {
        let of_problem = |problem: &Problem| match problem.levels() {
            Some(levels) => levels.iter().map(|level| level.problem.steps()).sum(),
            None => problem.steps(),
        };
        self.problems().map(of_problem).sum()
    }

    /// Returns the simulations.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = &Problem> {
        self.experiments.iter().map(|experiment| &experiment.problem)
    }

    /// Checks that the machine has the memory for the runs of all experiments, which are stored at the same time,
    /// `at_once` times.
    pub fn check_memory(&self, at_once: usize) -> Result<(), IdentificationError> {
        let checked = match &self.experiments[..] {
            [only] => only.problem.memory().check_runs(only.problem.steps(), at_once),
            experiments => Memory::check_group(experiments.iter().map(|prepared| prepared.problem.memory()), at_once),
        };
        Ok(checked.map_err(SimulationError::from)?)
    }

    /// Lets `progress` follow a single experiment, but not several, which run at once.
    pub fn follow(&mut self, progress: &Progress) {
        if let [only] = &mut self.experiments[..] {
            only.problem = progress.follow(only.problem.clone());
        }
    }

    /// Returns the largest error of a step in units of the tolerance of adaptive steps; 0 where steps are constant.
    pub fn step_excess(&self, unknowns: &[f64]) -> Result<f64, IdentificationError> {
        let mut most = 0.0f64;
        for prepared in &self.experiments {
            let excess = prepared.problem.step_excess(&prepared.parameters(unknowns));
            most = most.max(excess.map_err(|error| self.in_experiment(prepared.number, error.into()))?);
        }
        Ok(most)
    }

    /// Chooses adaptive steps again, for these unknowns.
    pub fn renew_steps(&mut self, unknowns: &[f64]) -> Result<(), IdentificationError> {
        let renewed = |prepared: &ExperimentProblem| -> Result<Problem, SimulationError> {
            prepared.problem.clone().with_steps_for(&prepared.parameters(unknowns))
        };
        for number in 0..self.experiments.len() {
            let problem = renewed(&self.experiments[number]);
            let problem = problem.map_err(|error| self.in_experiment(number, error.into()))?;
            self.experiments[number].problem = problem;
        }
        Ok(())
    }

    /// Returns the residuals of the channels of every experiment, and then of every prediction, with their derivatives
    /// by all unknowns.
    pub fn channel_rows(&self, found: &[LinearizedRun], unknowns: &[f64]) -> Vec<ChannelRows> {
        let rows = |(prepared, found): (&ExperimentProblem, &LinearizedRun)| {
            let LinearizedRun { outputs, derivatives, .. } = found;
            prepared.comparison.channel_rows(outputs, derivatives, unknowns)
        };
        let of_runs = self.experiments.iter().zip(found).flat_map(rows);
        let of_predictions = self.predictions.iter().zip(found.iter().skip(self.experiments.len()));
        let of_predictions = of_predictions.flat_map(|(predicted, found)| {
            predicted.comparison.channel_rows(&found.outputs, &found.derivatives, unknowns)
        });
        of_runs.chain(of_predictions).collect()
    }

    /// Determines the noise of all channels, whose residuals are `rows`: as given, or estimated from the residuals.
    /// Outliers do not count where the loss is not that of squares. Unless the weights are still rough, channels with
    /// too few numbers beside the unknowns have no estimate, in this round and those that follow.
    pub fn errors(
        &self,
        (found, rows): (&[LinearizedRun], &[ChannelRows]),
        unknowns: &[f64],
        all: &AllChannels,
        are_rough: bool,
    ) -> Result<Vec<ChannelErrors>, IdentificationError> {
        /// Fewest degrees of freedom from which the deviation of one of several channels is estimated: with fewer,
        /// weights that follow from residuals lead to unknowns that meet one channel exactly and ignore the others.
        const MIN_SPARE: f64 = 4.0;
        let estimated = match &all.degrees {
            None => deviations(rows, all.samples, self.unknowns.len()),
            Some(degrees) => {
                let spare = rows.iter().zip(degrees).map(|(rows, own)| rows.residuals.len() as f64 - own);
                let is_unknown = |(channel, spare): (&Observed, f64)| {
                    channel.is_unknown || !are_rough && all.channels > 1 && spare < MIN_SPARE
                };
                let unknown: Vec<bool> = self.channels().zip(spare).map(is_unknown).collect();
                let of_degrees = deviations_beside_priors(rows, degrees).into_iter().zip(unknown);
                of_degrees.map(|(found, unknown)| if unknown { f64::INFINITY } else { found }).collect()
            }
        };
        let mut of_rows = rows.iter().zip(estimated);
        let mut errors = Vec::with_capacity(rows.len());
        for (prepared, found) in self.experiments.iter().zip(found) {
            let channels = prepared.comparison.channels.iter().zip(&prepared.channels);
            for ((channel, taken), (rows, estimated)) in channels.zip(&mut of_rows) {
                errors.push(match &channel.noise {
                    None => white(channel, rows, estimated),
                    Some(noise) => {
                        let fitted = channel.fitted(&found.outputs, unknowns);
                        let raw: Vec<f64> = fitted.iter().zip(&channel.values).map(|(s, y)| s - y).collect();
                        let model = noise.of_residuals(&raw).map_err(|source| {
                            let output = prepared.output_name(channel);
                            let error = DataError::Noise { output, record: taken.record.to_owned(), source }.into();
                            self.in_experiment(prepared.number, error)
                        })?;
                        ChannelErrors::coloured(&model)
                    }
                });
            }
        }
        let of_predictions = self.predictions.iter().flat_map(|predicted| &predicted.comparison.channels);
        for (channel, (rows, estimated)) in of_predictions.zip(&mut of_rows) {
            errors.push(white(channel, rows, estimated));
        }
        let variables = self.state.variables().iter().map(|variable| variable.bounds());
        let held: Vec<bool> =
            unknowns.iter().zip(variables).map(|(at, (least, most))| *at <= least || *at >= most).collect();
        errors.extend(self.priors.estimated(rows, unknowns, &held).into_iter().map(ChannelErrors::white));
        Ok(errors)
    }

    /// Returns the numbers of all channels of a campaign without other processes.
    pub fn all_channels(&self, rows: &[ChannelRows], unknowns: &[f64]) -> AllChannels {
        let has_degrees = !self.priors.is_empty() || self.has_few_numbers();
        let degrees = has_degrees.then(|| self.degrees_of_freedom(rows, unknowns));
        AllChannels { channels: rows.len(), samples: samples_of(rows), degrees }
    }

    /// Returns typical changes of the unknowns at these values.
    pub fn scales(&self, unknowns: &[f64]) -> Vec<f64> {
        self.state.variables().iter().zip(unknowns).map(|(variable, value)| variable.slope(*value)).collect()
    }

    /// Returns true if a channel whose deviation is estimated has hardly more numbers than there are unknowns.
    pub fn has_few_numbers(&self) -> bool {
        /// Channels with fewer numbers than this above the count of unknowns may be met by the unknowns alone, so that
        /// their deviations are estimated by the degrees of freedom of each.
        const FEW_NUMBERS: usize = 10;
        let few = self.unknowns.len() + FEW_NUMBERS;
        let has_few = |channel: &Observed| {
            channel.given_deviation.is_none() && channel.noise.is_none() && channel.values.len() < few
        };
        self.channels().any(has_few)
    }

    /// Returns the number of unknowns that each channel determines, beside the priors.
    pub fn degrees_of_freedom(&self, rows: &[ChannelRows], unknowns: &[f64]) -> Vec<f64> {
        degrees_of_freedom(rows, &self.priors.rows(unknowns), unknowns.len())
    }

    /// Assumes the noise of all channels before anything is fitted: noise that is to be estimated is white.
    ///
    /// There are so many `samples` in all processes.
    pub fn first_errors(&self, rows: &[ChannelRows], samples: usize) -> Vec<ChannelErrors> {
        let estimated = deviations(rows, samples, if self.priors.is_empty() { self.unknowns.len() } else { 0 });
        let of_channel = |((channel, rows), estimated): ((&Observed, &ChannelRows), f64)| match channel
            .noise
            .as_ref()
            .and_then(|noise| noise.model.as_ref())
        {
            Some(noise) => ChannelErrors::coloured(noise),
            None => ChannelErrors { is_unknown: false, ..white(channel, rows, estimated) },
        };
        let of_channels = self.channels().zip(rows).zip(estimated).map(of_channel);
        let estimated_priors = self.priors.combined.iter().filter(|prior| prior.is_estimated);
        of_channels.chain(estimated_priors.map(|prior| ChannelErrors::white(prior.deviation))).collect()
    }

    /// Weighs residuals by these errors, if there are some: those of the channels, then the deviations of priors that
    /// are estimated.
    pub fn set_errors(&mut self, errors: &[ChannelErrors]) {
        let of_priors = errors.iter().skip(self.channels().count()).map(|errors| errors.deviation);
        self.priors.set_estimated(of_priors);
        for (channel, errors) in self.channels_mut().zip(errors) {
            channel.deviation = Some(errors.deviation);
            channel.is_unknown = errors.is_unknown;
            if let (Some(noise), Some((coefficients, deviation))) = (&mut channel.noise, &errors.noise)
                && noise.is_estimated()
            {
                noise.model = Autoregression::new(coefficients.clone(), *deviation).ok();
            }
        }
    }
}

/// Returns the white errors of a channel: with the given deviation, or the one that is `estimated` from its residuals.
fn white(channel: &Observed, rows: &ChannelRows, estimated: f64) -> ChannelErrors {
    if let Some(given) = channel.given_deviation {
        return ChannelErrors::white(given);
    }
    let found = match channel.loss {
        Loss::Squares => estimated,
        _ if estimated.is_infinite() => estimated,
        _ => normalised_mad(&rows.residuals).unwrap_or(estimated),
    };
    ChannelErrors { is_unknown: found.is_infinite(), ..ChannelErrors::white(channel.at_least(found)) }
}
