//! One run of a test campaign.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use costate_cost::Cost;
use costate_system::identifiers::{Dynamic, Input, Output, Parameter};
use costate_system::prediction::Prediction;
use costate_system::simulation::{RunDescription, Simulation};

use super::correction::Correction;
use super::measurement::{Measurement, OutputMeasurement};
use super::predicted::{MeasuredNumbers, MeasuredPrediction};
use super::unknown_input::UnknownInput;

/// One run of the test bench: its inputs, its measurements, and the parameters that differ from those of the model.
///
/// An [`Identification`](crate::Identification) takes any number of experiments of one model. Its simulation is that of
/// all experiments without one of their own.
///
/// ```text
/// Experiment::new("sweep up, 2 mm")
///     .simulation(&common.clone().parameter(Mount::PRELOAD, 1200.0).input(Mount::DRIVE, sweep))
///     .measured(Mount::ACCELERATION, &record)
/// ```
#[derive(Clone)]
pub struct Experiment<M = Dynamic> {
    pub(crate) definition: ExperimentDefinition,
    model: PhantomData<fn() -> M>,
}

/// All settings of an [`Experiment`], without the type of its model.
#[derive(Clone, Default)]
pub(crate) struct ExperimentDefinition {
    pub name: String,
    pub group: Option<String>,
    /// Values of parameters that are not the model's.
    pub known: Vec<(Parameter, f64)>,
    pub measurements: Vec<OutputMeasurement>,
    /// Further costs and their weights.
    pub costs: Vec<(f64, Arc<dyn Cost>)>,
    pub input_delays: Vec<(Input, Correction)>,
    pub unknown_inputs: Vec<UnknownInput>,
    pub predictions: Vec<MeasuredPrediction>,
    /// The experiment's own simulation; `None` for that of the identification.
    pub run: Option<RunDescription>,
    /// Step and end in place of those of the simulation, while a refinement fits a part of the time or with finer
    /// steps.
    pub step: Option<f64>,
    pub end: Option<f64>,
    pub validates: bool,
}

impl fmt::Debug for ExperimentDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experiment")
            .field("name", &self.name)
            .field("group", &self.group)
            .field("run", &self.run)
            .field("validates", &self.validates)
            .finish_non_exhaustive()
    }
}

impl<M> fmt::Debug for Experiment<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.definition.fmt(f)
    }
}

impl<M> Experiment<M> {
    /// Creates an experiment with a name that no other experiment of the identification has.
    pub fn new(name: impl Into<String>) -> Self {
        let definition = ExperimentDefinition { name: name.into(), ..ExperimentDefinition::default() };
        Self { definition, model: PhantomData }
    }

    /// Sets the group of experiments that share the unknowns [per group](crate::Identification::unknown_per_group),
    /// such as all with one preload; by default an experiment is a group of its own.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.definition.group = Some(group.into());
        self
    }

    /// Keeps the experiment out of the fit: it is simulated with the values found from the others, and tests whether
    /// these hold for it as well. Unknowns of its [group](Self::group) are those that the group has found; unknowns
    /// that it has for itself are found from its own data, with all others held.
    #[must_use]
    pub fn validation(mut self) -> Self {
        self.definition.validates = true;
        self
    }

    /// Sets the simulation of the experiment, in place of the identification's: its inputs, step, end and settings.
    /// Values of its parameters that are not those of the identification's simulation are those of the experiment; for
    /// unknowns of the experiment or of its group they are start values. Unknowns that all experiments have in common
    /// start with the identification's values. Tables, and the interrupt of the identification's simulation, are common
    /// to all experiments.
    #[must_use]
    pub fn simulation(mut self, simulation: &Simulation<M>) -> Self {
        self.definition.run = Some(simulation.description().clone());
        self
    }

    /// Adds a measured output with its measurement: a record, of which the channel with the output's name, or the only
    /// channel, is taken with weight 1, or a [`Measurement`] with channel, weight, delay and so on. Every output has
    /// one measurement in an experiment; a cost in frequency may follow it as well.
    #[must_use]
    pub fn measured(mut self, output: Output<M>, measurement: impl Into<Measurement>) -> Self {
        self.definition.measurements.push(OutputMeasurement { output: output.erased(), data: measurement.into() });
        self
    }

    /// Adds `weight` times a further cost of this experiment's outputs, see
    /// [`Identification::cost`](crate::Identification::cost).
    #[must_use]
    pub fn cost(mut self, weight: f64, cost: impl Cost + 'static) -> Self {
        self.definition.costs.push((weight, Arc::new(cost)));
        self
    }

    /// Adds numbers that the model predicts without a run, such as natural frequencies, with what was measured of them.
    /// An experiment of predictions alone has no run, and needs neither step nor end. Predictions have no inputs of the
    /// experiment's simulation, but its parameters.
    #[must_use]
    pub fn predicted(
        mut self,
        prediction: impl Prediction + 'static,
        measured: impl IntoIterator<Item = MeasuredNumbers>,
    ) -> Self {
        self.definition.predictions.push(MeasuredPrediction::new(prediction, measured));
        self
    }

    /// Delays the signal of `input` relative to its record, by a time in s that is known or
    /// [unknown](Correction::unknown). The signal has to be a record, and to extend beyond the run by the delay.
    /// Between its samples it is what it is without a delay. An unknown delay needs a slope there: that of straight
    /// lines jumps from sample to sample, [`cubic`](costate_system::input::Sampled::cubic) has a continuous one, and
    /// [`held`](costate_system::input::Sampled::held) is refused.
    #[must_use]
    pub fn input_delay(mut self, input: Input<M>, delay: impl Into<Correction>) -> Self {
        self.definition.input_delays.push((input.erased(), delay.into()));
        self
    }

    /// Adds an input that was not measured as an unknown, beside the parameters.
    #[must_use]
    pub fn unknown_input(mut self, unknown: UnknownInput<M>) -> Self {
        self.definition.unknown_inputs.push(unknown.erased());
        self
    }
}

impl ExperimentDefinition {
    /// Returns true unless the experiment consists of predictions.
    pub(crate) fn has_run(&self) -> bool {
        !self.measurements.is_empty() || !self.costs.is_empty() || self.predictions.is_empty()
    }

    /// Returns true if the experiment has unknowns of its own besides parameters.
    pub(crate) fn has_unknowns(&self) -> bool {
        let corrections = self.measurements.iter().flat_map(|measurement| measurement.data.corrections.named());
        let mut all = corrections.map(|(_, given)| given).chain(self.input_delays.iter().map(|(_, given)| given));
        !self.unknown_inputs.is_empty() || all.any(|given| given.is_unknown)
    }
}
