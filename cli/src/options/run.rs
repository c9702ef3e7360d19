//! A run as the command line describes it, and its simulation.

use clap::Args;
use costate::command::shown::Shown;
use costate::measure::Record;
use costate::model::Input;
use costate::simulate::{Accuracy, Interrupt, Run, Simulation, SimulationError};
use serde_json::{Value, json};

use super::RecordOptions;
use super::error::{NoEnd, OptionError};
use super::inputs::InputOptions;
use super::parameters::ParameterOptions;
use super::time::{TimeOptions, positive};
use crate::error::CommandError;
use crate::interrupt::on_ctrl_c;
use crate::loaded::{Loaded, load};
use crate::run::Divergence;
use crate::selection::Selection;

/// The errors of a run, relative to the ranges of what is computed, for which a step is looked for where neither a step
/// nor a limit is given.
const WANTED_ERROR: f64 = 1e-3;

/// The largest errors of a run that is not doubtful, where no limit is given.
const MAX_ERROR: f64 = 0.05;

/// Number of samples of a run with adaptive steps where no step is given.
const ADAPTIVE_SAMPLES: f64 = 1000.0;

/// A model and its run.
#[derive(Debug, Clone, Args)]
pub struct RunOptions {
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub parameters: ParameterOptions,
    #[command(flatten)]
    pub inputs: InputOptions,
    #[command(flatten)]
    pub time: TimeOptions,
    #[command(flatten)]
    pub records: RecordOptions,
}

/// The accuracy that a run has to have.
#[derive(Debug, Clone, Default, Args)]
pub struct LimitOptions {
    /// The largest estimated error, relative to the range of a coordinate or output, with which a run is not doubtful;
    /// 0.05 without this. Where no step is given, one with at most this error is looked for, without this one with
    /// 0.001.
    #[arg(long, value_name = "ERROR", value_parser = positive)]
    pub error_limit: Option<f64>,
    /// The outputs by whose errors alone the run is judged; without this, by those of all coordinates and outputs.
    #[arg(long, value_name = "OUTPUTS", value_delimiter = ',')]
    pub judge: Vec<String>,
}

impl LimitOptions {
    /// Returns the largest error of a run that is not doubtful.
    pub fn largest(&self) -> f64 {
        self.error_limit.unwrap_or(MAX_ERROR)
    }

    /// Returns why a run is doubtful, if it is.
    pub fn doubt(&self, run: &Run, accuracy: &Accuracy) -> Option<String> {
        run.judge(accuracy, self.largest()).err().map(|error| in_options(&error))
    }

    /// Judges the simulation by the named outputs.
    fn judged(&self, simulation: Simulation, loaded: &Loaded) -> Result<Simulation, CommandError> {
        if self.judge.is_empty() {
            return Ok(simulation);
        }
        let outputs = self.judge.iter().map(|name| loaded.system.output(name.trim()));
        Ok(simulation.judge(outputs.collect::<Result<Vec<_>, _>>()?))
    }

    /// Finds a step with small errors, and the errors that were looked for: larger ones only where the smallest take
    /// too many steps.
    fn step(
        &self,
        loaded: &Loaded,
        simulation: &Simulation,
        parameters: &[f64],
        end: f64,
    ) -> Result<(f64, f64), CommandError> {
        let wanted = self.error_limit.map_or(WANTED_ERROR, |limit| limit.min(MAX_ERROR));
        let (relative, step) = match simulation.step_for(wanted) {
            Err(SimulationError::Inaccurate(_)) if self.error_limit.is_none() => {
                (MAX_ERROR, simulation.step_for(MAX_ERROR))
            }
            found => (wanted, found),
        };
        step.map(|step| (step, relative)).map_err(|error| match error {
            SimulationError::Inaccurate(_) => match Divergence::of(loaded, simulation, parameters, end, 0.0) {
                Some(divergence) => OptionError::Divergence(divergence).into(),
                None => OptionError::NoStep(in_options(&error)).into(),
            },
            error => error.into(),
        })
    }
}

/// Returns the message of an error about a run, which names settings, with the options of their names.
fn in_options(error: &SimulationError) -> String {
    error.to_string().replace("`error_limit`", "`--error-limit`").replace("`judge`", "`--judge`")
}

/// A simulation that is ready to run.
#[derive(Debug)]
pub struct Prepared {
    /// The model.
    pub loaded: Loaded,
    /// The simulation, with parameters, inputs, step and end; its errors are not checked.
    pub simulation: Simulation,
    /// The values of all parameters.
    pub parameters: Vec<f64>,
    /// Length of the run in s.
    pub end: f64,
    /// Length of a step, or for adaptive steps of a sampling interval, in s.
    pub step: f64,
    /// The source of the step.
    pub origin: StepOrigin,
    /// The names of inputs that are 0, because nothing else is said.
    pub at_rest: Vec<&'static str>,
}

/// The source of the length of steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StepOrigin {
    /// The step that was given.
    Given,
    /// The sampling interval of the record.
    Record,
    /// A step that was found for errors of at most this fraction of the ranges.
    Found(f64),
    /// Steps are adaptive with this tolerance.
    Adaptive(f64),
}

impl RunOptions {
    /// Loads the model and prepares its simulation. A record gives the inputs that are not named and that it has
    /// channels for, and end and step where these are missing. A step that is looked for keeps within the limit of
    /// errors.
    ///
    /// # Errors
    /// Errors of the model, of names, units, records and settings, [`NoEnd`], and those of the search for
    /// a step.
    pub fn prepare(&self, record: Option<&Record>, limit: &LimitOptions) -> Result<Prepared, CommandError> {
        self.prepare_loaded(load(&self.selection)?, (record, limit), on_ctrl_c())
    }

    /// Prepares the simulation of a model that has been loaded, as [`prepare`](Self::prepare) does; the flag stops it.
    ///
    /// # Errors
    /// Those of [`prepare`](Self::prepare), except for errors of the model.
    pub fn prepare_loaded(
        &self,
        loaded: Loaded,
        (record, limit): (Option<&Record>, &LimitOptions),
        interrupt: Interrupt,
    ) -> Result<Prepared, CommandError> {
        let parameters = self.parameters.values(&loaded)?;
        let end = self.time.until.or_else(|| record.and_then(|record| record.times().last().copied()));
        let end = end.ok_or(NoEnd)?;
        let simulation = Simulation::of(loaded.system, parameters.clone());
        let simulation = simulation.error_limit(None).interrupt(interrupt);
        let (simulation, at_rest) =
            driven((&self.inputs, &self.records), self.time.set(simulation).until(end), &loaded, record)?;
        let simulation = limit.judged(simulation, &loaded)?;
        let (step, origin) = match (self.time.step, self.time.tolerance) {
            (step, Some(tolerance)) => (step.unwrap_or(end / ADAPTIVE_SAMPLES), StepOrigin::Adaptive(tolerance)),
            (Some(step), None) => (step, StepOrigin::Given),
            (None, None) => match record.and_then(|record| interval(record, end)) {
                Some(step) => (step, StepOrigin::Record),
                None => {
                    let (step, relative) = limit.step(&loaded, &simulation, &parameters, end)?;
                    (step, StepOrigin::Found(relative))
                }
            },
        };
        let simulation = simulation.step(step);
        Ok(Prepared { loaded, simulation, parameters, end, step, origin, at_rest })
    }

    /// Returns the record with times that count from the begin of the run, and the time of the record at which the run
    /// begins. A run whose times nothing says but its record begins with it, if its first sample is late.
    pub fn counted(&self, record: Record) -> (Record, Option<f64>) {
        let says_nothing = self.time.until.is_none() && self.inputs.are_constant();
        match record.late_begin().filter(|_| says_nothing) {
            Some(begin) => (record.starting_at_zero(), Some(begin)),
            None => (record, None),
        }
    }

    /// Returns the same run with what a picture needs where it is not given: 5 s, and 2000 samples of adaptive steps
    /// whose errors are below what is seen.
    /// The signals of a record stay with it.
    pub fn for_pictures(&self, record: Option<&Record>) -> Self {
        let mut own = self.clone();
        if record.is_some() {
            return own;
        }
        let end = *own.time.until.get_or_insert(5.0);
        if own.time.step.is_none() {
            own.time.step = Some(end / 2000.0);
            own.time.tolerance.get_or_insert(1e-4);
        }
        own
    }
}

/// Drives all inputs, by what is given, by the channels of a record, or by 0, and returns the names of those that are 0
/// because nothing else is said.
pub(super) fn driven(
    (inputs, records): (&InputOptions, &RecordOptions),
    mut simulation: Simulation,
    loaded: &Loaded,
    record: Option<&Record>,
) -> Result<(Simulation, Vec<&'static str>), CommandError> {
    let given = inputs.signals(loaded, &records.reader())?;
    let mut at_rest = Vec::new();
    for input in Input::each_of(loaded.system.description()) {
        let measured = record.filter(|record| record.channel(input.name()).is_ok());
        let signal = match (given.iter().rfind(|(own, _)| *own == input), measured) {
            (Some((_, signal)), _) => signal.clone(),
            (None, Some(record)) => inputs.measured(record, input)?,
            (None, None) => {
                at_rest.push(input.name());
                inputs.at_rest(input)?
            }
        };
        simulation = simulation.input(input, signal);
    }
    Ok((simulation, at_rest))
}

/// Returns the sampling interval of a record if a run of this length can have it as its step.
fn interval(record: &Record, end: f64) -> Option<f64> {
    let interval = record.interval()?;
    let steps = end / interval;
    ((steps - steps.round()).abs() <= 1e-9 * steps.max(1.0) && steps >= 1.0).then_some(interval)
}

impl Prepared {
    /// Says how the run is made, in lines.
    pub fn described(&self) -> String {
        let (name, step, end) = (&self.loaded.compiled.model.name, Shown(self.step), Shown(self.end));
        let mut text = match self.origin {
            StepOrigin::Given => format!("{name}: steps of {step} s to {end} s\n"),
            StepOrigin::Record => {
                format!("{name}: steps of {step} s to {end} s, the sampling interval of the record\n")
            }
            StepOrigin::Found(relative) => format!(
                "{name}: steps of {step} s to {end} s, found for errors of at most {} %\n",
                Shown(100.0 * relative)
            ),
            StepOrigin::Adaptive(tolerance) => {
                format!("{name}: adaptive steps with the tolerance {tolerance:e} to {end} s, sampled every {step} s\n")
            }
        };
        if !self.at_rest.is_empty() {
            text += &format!("inputs that are 0, as no signal is given: {}\n", self.at_rest.join(", "));
        }
        text
    }

    /// Returns what is doubtful about the model with these parameters in this run, a sentence each.
    pub fn doubts(&self, run: &Run) -> Vec<String> {
        let known: Vec<Option<f64>> = self.parameters.iter().copied().map(Some).collect();
        let mut doubts = self.loaded.compiled.impossible_inertias(&known);
        doubts.extend(self.loaded.bent_table_ends(self.end, &self.parameters, &self.loaded.system.tables()));
        let (steps, trajectory) = (0..=run.trajectory().steps(), run.trajectory());
        let times: Vec<f64> = steps.map(|step| trajectory.time(step)).collect();
        doubts.extend(self.loaded.compiled.kicks(&times, &self.parameters));
        doubts
    }

    /// Returns the error of a model that has none of what a command is about.
    pub fn nothing(&self, what: &'static str, purpose: &'static str) -> OptionError {
        OptionError::Nothing { model: self.loaded.compiled.model.name.to_string(), what, purpose }
    }

    /// Returns how the run is made as members of an object.
    pub fn json(&self) -> Value {
        let (origin, tolerance) = match self.origin {
            StepOrigin::Given => ("given", None),
            StepOrigin::Record => ("record", None),
            StepOrigin::Found(_) => ("found", None),
            StepOrigin::Adaptive(tolerance) => ("adaptive", Some(tolerance)),
        };
        json!({
            "model": self.loaded.compiled.model.name.to_string(),
            "end": self.end,
            "step": self.step,
            "step_origin": origin,
            "tolerance": tolerance,
            "inputs_at_zero": self.at_rest,
        })
    }
}
