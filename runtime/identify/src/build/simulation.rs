//! The simulation of an experiment: step, end and signals, from the records where they are not given.

use std::borrow::Cow;

use costate_system::gradient::check_accuracy;
use costate_system::identifiers::Input;
use costate_system::input::{InputSignal, Sampled};
use costate_system::problem::{Problem, Settings};

use crate::definition::Definition;
use crate::definition::error::{IdentificationError, RequestError, SpecificationError, StartValuesError};
use crate::definition::experiment::ExperimentDefinition;
use crate::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use crate::estimation::tables_at::with_tables;
use crate::thresholds::ROUNDING_OF_DECIMALS;

impl Definition {
    pub(crate) fn problem(&self) -> Result<Problem, IdentificationError> {
        match self.all_experiments()[..] {
            [one] => self.problem_of(one, self.run_settings(one)?, &self.known(one)?),
            ref several => {
                Err(RequestError::SeveralExperiments { experiments: several.len(), what: "the simulation" }.into())
            }
        }
    }

    pub(super) fn problem_of(
        &self,
        experiment: &ExperimentDefinition,
        settings: Settings,
        parameters: &[f64],
    ) -> Result<Problem, IdentificationError> {
        let signals = self.input_signals(experiment, settings.end)?;
        Ok(self.run_of(experiment).problem_with(settings, &signals, &self.tables, parameters)?)
    }

    /// Returns the inputs of a run with constant steps, where sampled signals that are straight between their samples
    /// are cubic, and the other way round; and the names of those that have another course because nothing was said.
    /// `None` where that changes no input of the run.
    pub(crate) fn inputs_otherwise(
        &self,
        experiment: &ExperimentDefinition,
        problem: &Problem,
        parameters: &[f64],
    ) -> Option<Problem> {
        if problem.has_adaptive_steps() {
            return None;
        }
        let settings = problem.settings().clone();
        let mut signals = self.input_signals(experiment, settings.end).ok()?;
        for (_, signal) in &mut signals {
            if let InputSignal::Sampled(sampled) = signal
                && let Some(other) = sampled.otherwise()
            {
                *signal = other.into();
            }
        }
        let other = self.run_of(experiment).problem_with(settings, &signals, &self.tables, parameters).ok()?;
        problem.clone().with_inputs(other.inputs().rows()).ok()
    }

    /// Returns the names of sampled inputs of which nothing says what they are between their samples.
    pub(crate) fn inputs_by_default(&self, experiment: &ExperimentDefinition) -> Vec<&'static str> {
        let signals =
            self.run_settings(experiment).ok().and_then(|settings| self.given_signals(experiment, settings.end).ok());
        let is_default = |signal: &InputSignal| matches!(signal, InputSignal::Sampled(sampled) if !sampled.is_chosen());
        let by_default = signals.into_iter().flatten().filter(|(_, signal)| is_default(signal));
        by_default.map(|(input, _)| input.name()).collect()
    }

    /// Returns step and end, from the records where they are not given, and the order.
    pub(crate) fn run_settings(&self, experiment: &ExperimentDefinition) -> Result<Settings, SpecificationError> {
        let ExperimentDefinition { measurements, costs, .. } = experiment;
        if measurements.is_empty() && costs.is_empty() {
            return Err(SpecificationError::NoMeasurement { model: self.model.name() });
        }
        let run = self.run_of(experiment);
        let step = match (experiment.step.or(run.step), measurements.first()) {
            (Some(step), _) => step,
            (None, Some(first)) => first
                .data
                .record
                .interval()
                .map(|interval| interval / self.parts_of(experiment) as f64)
                .ok_or_else(|| SpecificationError::NoStep { record: first.data.record.name().to_owned() })?,
            (None, None) => {
                return Err(SpecificationError::NoRecord { what: "step size", method: "step" });
            }
        };
        let last_times = measurements.iter().filter_map(|m| m.data.record.times().last());
        let last = last_times.copied().reduce(f64::max).map(|last| last - self.beginning(experiment));
        let end = match (experiment.end.or(run.end), last) {
            (Some(end), _) => end,
            (None, Some(last)) => (last / step - ROUNDING_OF_DECIMALS).ceil().max(1.0) * step,
            (None, None) => return Err(SpecificationError::NoRecord { what: "end", method: "until" }),
        };
        let mut settings = run.settings.clone().with_step_and_end(step, end);
        if let Some(choice) = self.choice.filter(|_| settings.order == 2 && experiment.step.or(run.step).is_none()) {
            settings.order = choice.order;
        }
        let experiments = self.experiments.len();
        if experiments > 1 {
            settings.checkpoints = settings.checkpoints.shared_by(experiments);
        }
        Ok(settings)
    }

    /// Returns the time in s of the records at which the run begins: that of the first sample of records that drive
    /// inputs, which are not known before, or without such an input that of the first sample that was measured, if
    /// nothing else says what the times of the run are; 0 otherwise. An end, a signal that is a function of the time, a
    /// further cost, an unknown input, and a sample that was measured earlier than those of the inputs say so.
    pub(crate) fn beginning(&self, experiment: &ExperimentDefinition) -> f64 {
        let run = self.run_of(experiment);
        if run.end.is_some() || !experiment.costs.is_empty() || !experiment.unknown_inputs.is_empty() {
            return 0.0;
        }
        let mut latest: f64 = 0.0;
        for input in Input::each_of(self.model.description()) {
            let given = run.signals.iter().rev().find(|(given, _)| *given == input);
            let first = match given.map(|(_, signal)| signal) {
                Some(InputSignal::Constant(_)) => continue,
                Some(InputSignal::Function(_)) => return 0.0,
                Some(InputSignal::Sampled(sampled)) if sampled.at(0.0).is_some() => return 0.0,
                Some(InputSignal::Sampled(sampled)) => sampled.first_of_record(),
                None => {
                    let mut records = experiment.measurements.iter().map(|one| &one.data.record);
                    let own = records.find_map(|record| record.samples(input.name()).ok());
                    own.and_then(|samples| samples.times.first().copied())
                }
            };
            match first {
                Some(first) => latest = latest.max(first),
                None => return 0.0,
            }
        }
        if latest == 0.0 {
            let late = experiment.measurements.iter().map(|one| one.data.record.late_begin());
            return late.reduce(|one, other| Some(one?.min(other?))).flatten().unwrap_or(0.0);
        }
        let first_times = experiment.measurements.iter().filter_map(|one| one.data.record.times().first());
        if first_times.copied().all(|first| first >= latest) { latest } else { 0.0 }
    }

    /// Returns the signals that drive a run, without the parts of inputs that are unknown or delayed.
    fn input_signals(
        &self,
        experiment: &ExperimentDefinition,
        end: f64,
    ) -> Result<Vec<(Input, InputSignal)>, IdentificationError> {
        let mut signals = self.given_signals(experiment, end)?;
        for unknown in &experiment.unknown_inputs {
            if signals.iter().all(|(given, _)| *given != unknown.input) {
                signals.push((unknown.input, 0.0.into()));
            }
        }
        for (input, delay) in self.input_delays(experiment) {
            let given = signals.iter().rposition(|(given, _)| *given == input).map(|at| signals.swap_remove(at).1);
            signals.retain(|(given, _)| *given != input);
            let signal = match given {
                Some(InputSignal::Sampled(sampled)) if !delay.is_unknown => {
                    Sampled::clone(&sampled).counted_from(-delay.value).into()
                }
                // the signal depends on the delay
                _ => 0.0.into(),
            };
            signals.push((input, signal));
        }
        Ok(signals)
    }

    /// Returns the given signals, and for inputs without a signal the record's channel with the input's name, which
    /// may have no gap. A sampled signal goes on from its end to that of the run where that is less than a step: for a
    /// longer run the input has to be given. For steps that are parts of a sampling interval, this is the interval.
    pub(crate) fn given_signals(
        &self,
        experiment: &ExperimentDefinition,
        end: f64,
    ) -> Result<Vec<(Input, InputSignal)>, IdentificationError> {
        // of two signals of one input the later one counts
        let mut signals = self.run_of(experiment).signals.clone();
        let beginning = self.beginning(experiment);
        let parts = self.parts_of(experiment) as f64;
        let longest = self.run_settings(experiment)?.step * parts * (1.0 + ROUNDING_OF_DECIMALS);
        let for_run = |sampled: Sampled| {
            let sampled = if beginning > 0.0 { sampled.counted_from(beginning) } else { sampled };
            let is_within_step = end - sampled.range().1 <= longest;
            if is_within_step { sampled.held_to(end) } else { sampled }
        };
        for (_, signal) in &mut signals {
            if let InputSignal::Sampled(sampled) = signal {
                *signal = for_run((**sampled).clone()).into();
            }
        }
        for input in Input::each_of(self.model.description()) {
            let own = experiment.measurements.iter().find(|m| m.data.record.channel(input.name()).is_ok());
            let is_given = signals.iter().any(|(given, _)| *given == input);
            let is_unknown = experiment.unknown_inputs.iter().any(|unknown| unknown.input == input);
            if let Some(measurement) = own.filter(|_| !is_given && !is_unknown) {
                let sampled = Sampled::from_record(&measurement.data.record, input.name())?;
                signals.push((input, for_run(sampled).into()));
            }
        }
        for (input, factor) in &self.input_factors {
            for (_, signal) in signals.iter_mut().filter(|(given, _)| given == input) {
                if let InputSignal::Sampled(sampled) = signal {
                    *signal = sampled.scaled(*factor).map_err(costate_system::problem::SimulationError::from)?.into();
                }
            }
        }
        Ok(signals)
    }

    /// Lists the inputs that are channels of records.
    pub(crate) fn measured_inputs(&self) -> Vec<&'static str> {
        let is_measured = |input: &Input| {
            self.fitted_experiments().into_iter().any(|experiment| {
                let signals = &self.run_of(experiment).signals;
                match signals.iter().rev().find(|(given, _)| given == input) {
                    Some((_, InputSignal::Sampled(sampled))) => sampled.first_of_record().is_some(),
                    Some(_) => false,
                    None => {
                        let mut records = experiment.measurements.iter().map(|one| &one.data.record);
                        let is_unknown = experiment.unknown_inputs.iter().any(|unknown| unknown.input == *input);
                        !is_unknown && records.any(|record| record.channel(input.name()).is_ok())
                    }
                }
            })
        };
        let measured = Input::each_of(self.model.description()).filter(is_measured);
        measured.map(|input| input.name()).collect()
    }

    /// Checks that the steps are small enough at the start values. A simulation that fails there is left to the
    /// optimizer, and one with checkpoints is not checked.
    pub(crate) fn check_start(&self, estimation: &EstimationProblem) -> Result<(), IdentificationError> {
        let start = estimation.state.parameters();
        for (prepared, experiment) in estimation.experiments.iter().zip(self.fitted_runs()) {
            let ExperimentProblem { problem, number, .. } = prepared;
            if problem.has_checkpoints() || problem.settings().error_limit.is_none() {
                continue;
            }
            let parameters = prepared.parameters(&start);
            let Ok(at_start) = prepared.problem_at(&start) else { continue };
            let Ok(run) = at_start.forward(&parameters) else { continue };
            let Settings { step, end, .. } = *problem.settings();
            let settings = problem.settings().clone().with_step_and_end(0.5 * step, end);
            let finer = || match self.problem_of(experiment, settings, &parameters) {
                _ if problem.has_adaptive_steps() => problem.refined(),
                Err(IdentificationError::Simulation(error)) => Err(error),
                Err(_) => Ok(problem.clone()),
                Ok(finer) => prepared
                    .driven
                    .applied(&finer, &start)
                    .and_then(|finer| with_tables(finer, &prepared.tables, &start))
                    .map(Cow::into_owned),
            };
            check_accuracy(&at_start, &run, &run.outputs(), finer)
                .map_err(|source| estimation.in_experiment(*number, StartValuesError::Start { source }.into()))?;
        }
        Ok(())
    }
}
