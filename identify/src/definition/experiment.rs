//! One run of a test campaign.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::cost::Cost;
use crate::identifiers::{Dynamic, Input, Output, Parameter};
use crate::input::InputSignal;
use crate::record::Record;

use super::correction::Correction;
use super::measurement::Measurement;
use super::unknown_input::UnknownInput;

/// A further cost and its weight.
pub(crate) type WeightedCost = (f64, Arc<dyn Cost>);

/// One run of the test bench: its inputs, its measurements, and the parameters that differ from those of the model.
///
/// An [`Identification`](crate::Identification) takes any number of experiments of one model. Inputs, step, end and
/// model parameters of the identification are the defaults of its experiments.
///
/// ```text
/// Experiment::new("sweep up, 2 mm")
///     .parameter(Mount::PRELOAD, 1200.0)
///     .input(Mount::DRIVE, |t| sweep(t))
///     .measured(Mount::ACCELERATION, &record)
/// ```
#[derive(Clone)]
pub struct Experiment<M = Dynamic> {
    pub(crate) name: String,
    pub(crate) group: Option<String>,
    pub(crate) known: Vec<(Parameter, f64)>,
    pub(crate) measurements: Vec<Measurement>,
    pub(crate) costs: Vec<WeightedCost>,
    pub(crate) signals: Vec<(Input, InputSignal)>,
    pub(crate) input_delays: Vec<(Input, Correction)>,
    pub(crate) unknown_inputs: Vec<UnknownInput>,
    pub(crate) step: Option<f64>,
    pub(crate) end: Option<f64>,
    pub(crate) validates: bool,
    model: PhantomData<fn() -> M>,
}

impl<M> fmt::Debug for Experiment<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experiment")
            .field("name", &self.name)
            .field("group", &self.group)
            .field("step", &self.step)
            .field("end", &self.end)
            .field("validates", &self.validates)
            .finish_non_exhaustive()
    }
}

impl<M> Experiment<M> {
    /// Creates an experiment with a name that no other experiment of the identification has.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            group: None,
            known: Vec::new(),
            measurements: Vec::new(),
            costs: Vec::new(),
            signals: Vec::new(),
            input_delays: Vec::new(),
            unknown_inputs: Vec::new(),
            step: None,
            end: None,
            validates: false,
            model: PhantomData,
        }
    }

    /// Sets the group of experiments that share the unknowns [per group](crate::Identification::unknown_per_group),
    /// such as all with one preload; by default an experiment is a group of its own.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    /// Keeps the experiment out of the fit: it is simulated with the values found from the others, and tests whether
    /// these hold for it as well. Unknowns of its [group](Self::group) are those that the group has found; unknowns
    /// that every experiment has for itself have the values set by [`parameter`](Self::parameter).
    #[must_use]
    pub fn validation(mut self) -> Self {
        self.validates = true;
        self
    }

    /// Sets the value of a parameter in this experiment, instead of the model's. For an unknown of the experiment or
    /// of its group it is the start value.
    #[must_use]
    pub fn parameter(mut self, parameter: Parameter<M>, value: f64) -> Self {
        self.known.push((parameter.erased(), value));
        self
    }

    /// Adds a measured output: the record's channel with the output's name, or its only channel, with weight 1. Every
    /// output has one measurement in an experiment; a cost in frequency may follow it as well.
    #[must_use]
    pub fn measured(self, output: Output<M>, record: &Record) -> Self {
        self.measurement(Measurement::new(output, record))
    }

    /// Adds a measured output with its own channel, weight, delay and so on.
    #[must_use]
    pub fn measurement(mut self, measurement: Measurement<M>) -> Self {
        self.measurements.push(measurement.erased());
        self
    }

    /// Adds `weight` times a further cost of this experiment's outputs, see
    /// [`Identification::cost`](crate::Identification::cost).
    #[must_use]
    pub fn cost(mut self, weight: f64, cost: impl Cost + 'static) -> Self {
        self.costs.push((weight, Arc::new(cost)));
        self
    }

    /// Drives `input` with a function of the time in s. An input without signal is taken from the channel with its
    /// name in a measured record of the experiment.
    #[must_use]
    pub fn input(self, input: Input<M>, signal: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        self.signal(input, InputSignal::function(signal))
    }

    /// Drives `input` with a constant, a [`Sampled`](costate_system::input::Sampled) record or a prepared [`InputSignal`].
    #[must_use]
    pub fn signal(mut self, input: Input<M>, signal: impl Into<InputSignal>) -> Self {
        self.signals.push((input.erased(), signal.into()));
        self
    }

    /// Delays the signal of `input` relative to its record, by a time in s that is known or
    /// [unknown](Correction::unknown). The signal has to be a record; it is interpolated by a spline, and has to
    /// extend beyond the run by the delay.
    #[must_use]
    pub fn input_delay(mut self, input: Input<M>, delay: impl Into<Correction>) -> Self {
        self.input_delays.push((input.erased(), delay.into()));
        self
    }

    /// Adds an input that was not measured as an unknown, beside the parameters.
    #[must_use]
    pub fn unknown_input(mut self, unknown: UnknownInput<M>) -> Self {
        self.unknown_inputs.push(unknown.erased());
        self
    }

    /// Removes the type of the model.
    pub(crate) fn erased(self) -> Experiment {
        let Self { name, group, known, measurements, costs, signals, input_delays, unknown_inputs, .. } =
            self;
        let (step, end, validates, model) = (self.step, self.end, self.validates, PhantomData);
        Experiment {
            name,
            group,
            known,
            measurements,
            costs,
            signals,
            input_delays,
            unknown_inputs,
            step,
            end,
            validates,
            model,
        }
    }

    /// Returns true if the experiment has unknowns of its own besides parameters.
    pub(crate) fn has_unknowns(&self) -> bool {
        let corrections = self.measurements.iter().flat_map(|measurement| measurement.corrections.named());
        let mut all =
            corrections.map(|(_, given)| given).chain(self.input_delays.iter().map(|(_, given)| given));
        !self.unknown_inputs.is_empty() || all.any(|given| given.is_unknown)
    }

    /// Sets the step size h in s; by default the identification's, or the sampling interval of the first measured
    /// record.
    #[must_use]
    pub fn step(mut self, step: f64) -> Self {
        self.step = Some(step);
        self
    }

    /// Sets the end time T in s; by default the identification's, or the first step that is not before the last
    /// sample of any record.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.end = Some(end);
        self
    }
}
