//! Checking an identification, and taking from the records what is not given.

use std::borrow::Cow;
use std::sync::Arc;

use crate::cost::{SmoothStencil, Stencil, SumCost, intervals};
use crate::gradient::{GradientMethod, check_accuracy};
use crate::identifiers::Input;
use crate::initial::check_parameters;
use crate::input::{InputSignal, Sampled};
use crate::model::{Model, SelectedParameters};
use crate::optimize::{OptimizerState, Variable};
use crate::problem::{Problem, Settings, SimulationError};
use crate::record::{AssumedUnit, note};
use crate::scalar::Vector;

use super::Identification;
use super::campaign::campaign::{Campaign, Prepared};
use super::campaign::comparison::Comparison;
use super::campaign::layout::{Layout, Selection, Value};
use super::campaign::observed::{Observed, Places};
use super::campaign::priors::Priors;
use super::campaign::tables_at::{TableUnknowns, with_tables};
use super::said::error::IdentificationError;
use super::said::experiment::Experiment;
use super::said::measurement::{Measurement, Taken};
use super::said::noise::ChannelNoise;
use super::said::unknown_input::UnknownInput;
use super::said::unknown_table::UnknownTable;
use super::said::weighting::Weighting;

/// The longest part of a step by which the last sample may lie behind a step and still be at it.
const AT_STEP: f64 = 1e-9;

impl<'a, M: Model> Identification<'a, M> {
    /// The experiments: those that were added, or the identification's own one.
    pub(super) fn all_experiments(&self) -> Vec<&Experiment<'a, M>> {
        if self.experiments.is_empty() { vec![&self.own] } else { self.experiments.iter().collect() }
    }

    /// The experiments that take part in the fit.
    pub(super) fn fitted_experiments(&self) -> Vec<&Experiment<'a, M>> {
        let mut all = self.all_experiments();
        all.retain(|experiment| !experiment.validates);
        all
    }

    /// The simulation that the identification runs, with the step size, end time and inputs that it has taken from
    /// the records.
    ///
    /// # Errors
    /// As [`run`](Self::run), before anything runs; [`IdentificationError::SeveralExperiments`].
    pub fn problem(&self) -> Result<Problem<M>, IdentificationError> {
        match self.all_experiments()[..] {
            [one] => self.problem_of(one, self.run_settings(one)?, &self.known(one)?),
            ref several => Err(IdentificationError::SeveralExperiments {
                experiments: several.len(),
                what: "the simulation",
            }),
        }
    }

    fn problem_of(
        &self,
        experiment: &Experiment<'a, M>,
        settings: Settings,
        parameters: &M::Parameters<f64>,
    ) -> Result<Problem<M>, IdentificationError> {
        let signals = self.input_signals(experiment, settings.end)?;
        let problem = Problem::with_tables(settings, &signals, self.tables.clone())?;
        let problem = problem.with_interrupt(self.interrupt.clone());
        Ok(problem.with_steps_for(parameters)?)
    }

    /// The parameters of an experiment: those of the model but for what the experiment says.
    fn known(&self, experiment: &Experiment<'a, M>) -> Result<M::Parameters<f64>, IdentificationError> {
        let mut parameters = self.model.parameters();
        for (parameter, value) in &experiment.known {
            if let Some(place) = parameters.as_mut().get_mut(parameter.index()) {
                *place = *value;
            }
        }
        check_parameters::<M, f64>(&parameters).map_err(SimulationError::from)?;
        Ok(parameters)
    }

    pub(super) fn prepare(&self) -> Result<Campaign<'a, M>, IdentificationError> {
        let of_inputs = self.all_experiments().iter().any(|experiment| experiment.has_unknowns());
        if self.unknowns.is_empty() && self.unknown_tables.is_empty() && !of_inputs {
            return Err(IdentificationError::NoUnknowns { model: M::DESCRIPTION.name });
        }
        let indices: Vec<usize> =
            self.unknowns.iter().map(|(unknown, _)| unknown.parameter().index()).collect();
        SelectedParameters::of::<M>(&indices)?;
        self.check_gradient_method()?;
        self.loss.check()?;
        let experiments = self.all_experiments();
        self.check_experiments(&experiments)?;
        let (mut layout, selections) = Layout::of_parameters(&self.model, &self.unknowns, &experiments);
        let (tables, priors_of_tables) = self.table_unknowns(&mut layout)?;
        let tables: Arc<[TableUnknowns]> = tables.into();
        let by_likelihood = self.by_likelihood(&experiments)?;
        let several = experiments.len() > 1;
        let (mut prepared, mut validation) = (Vec::with_capacity(experiments.len()), Vec::new());
        // what validates has the unknowns of the others
        let mut in_turn: Vec<_> = experiments.iter().zip(selections).collect();
        in_turn.sort_by_key(|(experiment, _)| experiment.validates);
        for (experiment, selection) in in_turn {
            let mut one = self.prepare_one(experiment, selection, &mut layout, (several, by_likelihood));
            if let Ok(one) = &mut one {
                one.tables = Arc::clone(&tables);
            }
            let named = |error: IdentificationError| match several {
                true => error.in_experiment(&experiment.name),
                false => error,
            };
            let one = one.map_err(named)?;
            if experiment.validates { validation.push(one) } else { prepared.push(one) }
        }
        prepared.iter_mut().enumerate().for_each(|(number, one)| one.number = number);
        let variables: Vec<Variable> =
            layout.unknowns.iter().map(|unknown| unknown.variable.clone()).collect();
        let state = OptimizerState::new(variables, self.optimizer.clone())?;
        let mut priors = self.priors_of(&layout, &experiments, &prepared)?;
        priors.combined.extend(priors_of_tables);
        let campaign = Campaign {
            experiments: prepared,
            validation,
            unknowns: layout.unknowns,
            priors,
            by_likelihood,
            state,
        };
        campaign.check()?;
        if several {
            campaign.check_memory(1)?;
        }
        Ok(campaign)
    }

    fn prepare_one(
        &self,
        experiment: &Experiment<'a, M>,
        selection: Selection,
        layout: &mut Layout,
        (several, by_likelihood): (bool, bool),
    ) -> Result<Prepared<'a, M>, IdentificationError> {
        let known = self.known(experiment)?;
        experiment.check_outputs()?;
        let mut channels = Vec::new();
        for measurement in &experiment.measurements {
            if let Some(deviation) = measurement.deviation.filter(|d| !(*d > 0.0 && d.is_finite())) {
                let output = measurement.output.name();
                return Err(IdentificationError::Deviation { output, deviation });
            }
            channels.push(measurement.taken()?);
        }
        let settings = self.run_settings(experiment)?;
        let driven = self.driven_inputs(experiment, &settings, layout, several)?;
        let problem = self.problem_of(experiment, settings, &known)?;
        if problem.has_checkpoints() && self.is_continuous() {
            return Err(SimulationError::StatesMissing { method: self.gradient_method.to_string() }.into());
        }
        let mut observed = Vec::with_capacity(channels.len());
        for (measurement, taken) in experiment.measurements.iter().zip(&mut channels) {
            let corrections = layout.corrections(measurement, taken, experiment, several)?;
            observed.push(self.observed(&problem, measurement, taken, corrections, by_likelihood)?);
        }
        let costs = further_costs(experiment, &problem)?;
        let comparison = Comparison { channels: observed, costs, multiplicity: 1.0 };
        Ok(Prepared {
            number: 0,
            name: experiment.name.clone(),
            problem,
            known,
            selection,
            driven,
            tables: Arc::default(),
            comparison,
            channels,
        })
    }

    /// The samples of a measurement beside the run that they are compared with.
    fn observed(
        &self,
        problem: &Problem<M>,
        measurement: &Measurement<'a, M>,
        taken: &mut Taken<'a>,
        [gain, offset, delay]: [Value; 3],
        by_likelihood: bool,
    ) -> Result<Observed, IdentificationError> {
        let (step, samples) = (problem.settings().step, problem.samples());
        let output = measurement.output;
        let is_delayed = delay != Value::Known(0.0);
        if is_delayed {
            let longest = measurement.corrections.delay.bounds;
            let (least, most) = match delay {
                Value::Known(delay) => (delay, delay),
                Value::Unknown(_) => longest.unwrap_or_default(),
            };
            let is_in = |time: f64| SmoothStencil::at(time, step, samples).is_some();
            taken.retain(|time| is_in(time - least) && is_in(time - most));
            if taken.samples.times.is_empty() {
                let record = measurement.record.name().to_owned();
                let samples = taken.masked;
                return Err(IdentificationError::NothingLeft { output: output.name(), record, samples });
            }
        }
        // the public cost checks weight, times and values, and that they are within the run
        let weight = measurement.weight.unwrap_or(1.0);
        let times = &taken.samples.times;
        let check_times: Vec<f64> = if is_delayed { Vec::new() } else { times.clone() };
        measurement.check(step, samples, &check_times, weight)?;
        // by likelihood, weights are precisions: those of samples say how their deviations differ
        let of_samples = taken.weights.as_deref();
        let (weights, roots) = match by_likelihood {
            true => (vec![weight; times.len()], of_samples.map(|w| w.iter().map(|w| w.sqrt()).collect())),
            false => {
                let intervals = intervals(times, step, self.quadrature).into_iter().enumerate();
                let of_sample = |j: usize| of_samples.map_or(1.0, |weights| weights[j]);
                (intervals.map(|(j, delta)| weight * of_sample(j) * delta).collect(), None)
            }
        };
        let noise = self.noise_of(measurement, &taken.samples.times, roots.is_some())?;
        let places = match is_delayed {
            true => Places::Delayed { step, samples },
            false => {
                Places::Fixed(times.iter().filter_map(|&time| Stencil::at(time, step, samples)).collect())
            }
        };
        Ok(Observed {
            output: output.index(),
            times: times.clone(),
            values: taken.samples.values.clone(),
            weights,
            roots,
            noise,
            given_deviation: measurement.deviation,
            deviation: measurement.deviation.filter(|_| by_likelihood),
            loss: self.loss,
            gain,
            offset,
            delay,
            places,
        })
    }

    /// The coloured noise of a measurement, if it has some.
    fn noise_of(
        &self,
        measurement: &Measurement<'a, M>,
        times: &[f64],
        has_weights: bool,
    ) -> Result<Option<ChannelNoise>, IdentificationError> {
        let Some(wanted) = &measurement.noise else { return Ok(None) };
        let output = measurement.output.name();
        let record = || measurement.record.name().to_owned();
        let noise = ChannelNoise::new(wanted.clone(), times);
        let noise =
            noise.map_err(|source| IdentificationError::Noise { output, record: record(), source })?;
        let contradicts = |what, remedy| Err(IdentificationError::NoiseAnd { output, what, remedy });
        if measurement.deviation.is_some() {
            return contradicts(
                "a standard deviation",
                "give that of the innovations with the noise, or leave it to the residuals",
            );
        }
        if has_weights {
            return contradicts("weights of samples", "leave out samples with `.without(from, to)` instead");
        }
        if noise.is_estimated() && self.loss != costate_residuals::Loss::Squares {
            return contradicts(
                "outliers by the loss, which would be taken for noise",
                "give the noise, or take squares",
            );
        }
        Ok(Some(noise))
    }

    /// Whether residuals are weighed by their deviations.
    fn by_likelihood(&self, experiments: &[&Experiment<'a, M>]) -> Result<bool, IdentificationError> {
        let fitted = || experiments.iter().filter(|experiment| !experiment.validates);
        let measurements = || fitted().flat_map(|experiment| &experiment.measurements);
        let is_needed = match () {
            () if !self.priors.is_empty() => Some("a prior"),
            () if fitted()
                .any(|experiment| experiment.unknown_inputs.iter().any(UnknownInput::has_prior)) =>
            {
                Some("what is known of an unknown input")
            }
            () if self.unknown_tables.iter().any(UnknownTable::has_prior) => {
                Some("what is known of an unknown table")
            }
            () if self.loss != costate_residuals::Loss::Squares => Some("a loss other than squares"),
            () if measurements().any(|measurement| measurement.noise.is_some()) => Some("coloured noise"),
            () => None,
        };
        let has_weights = measurements().any(|measurement| measurement.weight.is_some());
        match (self.weighting, is_needed) {
            (Weighting::Likelihood, _) => Ok(true),
            (Weighting::Given, Some(what)) => Err(IdentificationError::NeedsLikelihood { what }),
            (Weighting::Automatic, Some(what)) if has_weights => {
                Err(IdentificationError::NeedsLikelihood { what })
            }
            (Weighting::Automatic, Some(_)) => Ok(true),
            (Weighting::Given, None) => Ok(false),
            (Weighting::Automatic, None) => {
                let mut units = measurements().map(|measurement| measurement.output.quantity().unit);
                let first = units.next();
                Ok(!has_weights && units.any(|unit| Some(unit) != first))
            }
        }
    }

    /// Every prior is of all unknowns of its parameter.
    fn priors_of(
        &self,
        layout: &Layout,
        experiments: &[&Experiment<'a, M>],
        prepared: &[Prepared<'a, M>],
    ) -> Result<Priors, IdentificationError> {
        let mut priors = Vec::new();
        for (parameter, prior) in &self.priors {
            let before = priors.len();
            for (index, unknown) in layout.unknowns.iter().enumerate() {
                if unknown.parameter == Some(parameter.index()) {
                    prior.check(&unknown.variable)?;
                    priors.push((index, *prior));
                }
            }
            if priors.len() == before {
                return Err(IdentificationError::PriorOfKnown { parameter: parameter.name() });
            }
        }
        let fitted = experiments.iter().filter(|experiment| !experiment.validates);
        let of_experiment = |(experiment, prepared): (&&Experiment<'a, M>, &Prepared<'a, M>)| {
            self.priors_of_inputs(experiment, &prepared.driven)
        };
        let combined = fitted.zip(prepared).flat_map(of_experiment).collect();
        Ok(Priors { of_unknowns: priors, combined })
    }

    /// Names, and that measurements stand where they belong.
    fn check_experiments(&self, experiments: &[&Experiment<'a, M>]) -> Result<(), IdentificationError> {
        for (number, experiment) in experiments.iter().enumerate() {
            if experiments[..number].iter().any(|other| other.name == experiment.name) {
                return Err(IdentificationError::RepeatedExperiment { name: experiment.name.clone() });
            }
        }
        if experiments.iter().all(|experiment| experiment.validates) {
            return Err(IdentificationError::NothingFitted { experiments: experiments.len() });
        }
        let beside = |what| Err(IdentificationError::BesideExperiments { what });
        if !self.experiments.is_empty() && !self.own.unknown_inputs.is_empty() {
            return beside("an unknown input");
        }
        if !self.experiments.is_empty() && !self.own.measurements.is_empty() {
            return beside("a measurement");
        }
        if !self.experiments.is_empty() && !self.own.costs.is_empty() {
            return beside("a cost");
        }
        Ok(())
    }

    fn check_gradient_method(&self) -> Result<(), IdentificationError> {
        let (method, gradient) = (self.optimizer.method, self.gradient_method);
        gradient.check().map_err(SimulationError::from)?;
        if self.is_continuous() && method.needs_residuals() {
            return Err(IdentificationError::GradientMethod { method, gradient });
        }
        Ok(())
    }

    pub(super) fn is_continuous(&self) -> bool {
        matches!(self.gradient_method, GradientMethod::ContinuousAdjoint { .. })
    }

    /// Whether the steps are small enough at the start values. A simulation that fails there is left to the optimizer, and one
    /// with checkpoints is not looked at.
    pub(super) fn check_start(&self, campaign: &Campaign<'a, M>) -> Result<(), IdentificationError> {
        let start = campaign.state.parameters();
        for (prepared, experiment) in campaign.experiments.iter().zip(self.fitted_experiments()) {
            let Prepared { problem, number, .. } = prepared;
            if problem.has_checkpoints() || problem.settings().error_limit.is_none() {
                continue;
            }
            let parameters = prepared.parameters(&start);
            let Ok(at_start) = prepared.problem_at(&start) else { continue };
            let Ok(run) = at_start.forward(&parameters) else { continue };
            let settings = Settings { step: 0.5 * problem.settings().step, ..problem.settings().clone() };
            let finer = || match self.problem_of(experiment, settings, &parameters) {
                _ if problem.step_plan().is_some() => problem.refined(),
                Err(IdentificationError::Simulation(error)) => Err(error),
                Err(_) => Ok(problem.clone()),
                Ok(finer) => prepared
                    .driven
                    .applied(&finer, &start)
                    .and_then(|finer| with_tables(finer, &prepared.tables, &start))
                    .map(Cow::into_owned),
            };
            check_accuracy(&at_start, &run, &run.outputs(), finer)
                .map_err(|source| campaign.in_experiment(*number, IdentificationError::Start { source }))?;
        }
        Ok(())
    }

    /// The signals given, and for inputs without one the record's channel with the input's name, which may have no gap.
    /// The last value is held from the end of the record to that of the run.
    fn input_signals(
        &self,
        experiment: &Experiment<'a, M>,
        end: f64,
    ) -> Result<Vec<(Input<M>, InputSignal)>, IdentificationError> {
        // of two signals of one input the later one counts
        let mut signals = self.given_signals(experiment, end)?;
        for unknown in &experiment.unknown_inputs {
            if signals.iter().all(|(given, _)| *given != unknown.input) {
                signals.push((unknown.input, 0.0.into()));
            }
        }
        // what drives a delayed input depends on the delay
        for (input, _) in self.input_delays(experiment) {
            signals.retain(|(given, _)| *given != input);
            signals.push((input, 0.0.into()));
        }
        Ok(signals)
    }

    pub(super) fn given_signals(
        &self,
        experiment: &Experiment<'a, M>,
        end: f64,
    ) -> Result<Vec<(Input<M>, InputSignal)>, IdentificationError> {
        // of two signals of one input the later one counts
        let mut signals = self.own.signals.clone();
        if !self.experiments.is_empty() {
            signals.extend(experiment.signals.iter().cloned());
        }
        for input in Input::<M>::all() {
            let own = experiment.measurements.iter().find(|m| m.record.channel(input.name()).is_ok());
            let is_given = signals.iter().any(|(given, _)| *given == input);
            let is_unknown = experiment.unknown_inputs.iter().any(|unknown| unknown.input == input);
            if let Some(Measurement { record, .. }) = own.filter(|_| !is_given && !is_unknown) {
                let sampled = Sampled::from_record(record, input.name())?;
                signals.push((input, sampled.held_to(end).into()));
            }
        }
        Ok(signals)
    }

    /// Step and end, from the records where they are not given.
    fn run_settings(&self, experiment: &Experiment<'a, M>) -> Result<Settings, IdentificationError> {
        let Experiment { measurements, costs, .. } = experiment;
        if measurements.is_empty() && costs.is_empty() {
            return Err(IdentificationError::NoMeasurement { model: M::DESCRIPTION.name });
        }
        let step = match (experiment.step.or(self.own.step), measurements.first()) {
            (Some(step), _) => step,
            (None, Some(Measurement { record, .. })) => record
                .interval()
                .ok_or_else(|| IdentificationError::NoStep { record: record.name().to_owned() })?,
            (None, None) => {
                return Err(IdentificationError::NoRecord { what: "step size", method: "step" });
            }
        };
        let last_times = measurements.iter().filter_map(|m| m.record.times().last());
        let last = last_times.copied().reduce(f64::max);
        let end = match (experiment.end.or(self.own.end), last) {
            (Some(end), _) => end,
            (None, Some(last)) => (last / step - AT_STEP).ceil().max(1.0) * step,
            (None, None) => return Err(IdentificationError::NoRecord { what: "end", method: "until" }),
        };
        let mut settings = Settings { step, end, ..self.settings.clone() };
        let experiments = self.experiments.len();
        if experiments > 1 {
            settings.checkpoints = settings.checkpoints.shared_by(experiments);
        }
        Ok(settings)
    }

    /// The data that have no unit and are taken in the model's.
    pub(super) fn assumed_units(&self, campaign: &Campaign<'a, M>) -> Vec<AssumedUnit> {
        let mut assumed = Vec::new();
        for prepared in campaign.experiments.iter().chain(&campaign.validation) {
            note(&mut assumed, prepared.channels.iter().filter_map(|channel| channel.assumed.clone()));
            let costs = prepared.comparison.costs.terms();
            note(&mut assumed, costs.flat_map(|(_, cost)| cost.assumed_units()));
            note(&mut assumed, prepared.problem.assumed_units().iter().cloned());
        }
        assumed
    }
}

/// The further costs of an experiment, which belong to its run.
fn further_costs<'a, M: Model>(
    experiment: &Experiment<'a, M>,
    problem: &Problem<M>,
) -> Result<SumCost<'a>, IdentificationError> {
    let (step, samples) = (problem.settings().step, problem.samples());
    let outputs = <M::Outputs<f64> as Vector<f64>>::LENGTH;
    let mut total = SumCost::new();
    for (index, (weight, cost)) in experiment.costs.iter().enumerate() {
        if !cost.fits(step, samples, outputs) {
            return Err(IdentificationError::CostRun { index, step, samples, outputs });
        }
        total = total.with_shared(*weight, std::sync::Arc::clone(cost))?;
    }
    Ok(total)
}
