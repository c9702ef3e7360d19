//! The builder of a simulation.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::identifiers::{Dynamic, Input, Output, Parameter};
use crate::input::InputSignal;
use crate::interrupt::Interrupt;
use crate::model::Model;
use crate::problem::{Checkpoints, Problem, Settings, SimulationError, Steps};
use crate::series::Series;
use crate::simulation::description::RunDescription;
use crate::simulation::run::Run;
use crate::step::{NewtonSettings, Scheme};
use crate::system::{System, SystemValue};
use crate::table::{Table, TableData};

/// The description of a run of a model: its parameters, what drives it, how long and with which steps. A simulation
/// runs it, and identifications, experiments and searches for inputs take it.
///
/// ```text
/// let run = Simulation::new(&mount).input(EngineMount::DRIVE, sweep).step(1e-4).until(1.0).run()?;
/// let acceleration = run.output(EngineMount::ACCELERATION);
/// ```
#[derive(Debug)]
pub struct Simulation<M = Dynamic> {
    description: RunDescription,
    model: PhantomData<fn() -> M>,
}

impl<M> Clone for Simulation<M> {
    fn clone(&self) -> Self {
        Self { description: self.description.clone(), model: PhantomData }
    }
}

impl<M: Model> Simulation<M> {
    /// Creates a simulation with the default [`Settings`]. A run needs step and end; an identification takes missing
    /// ones from its records.
    pub fn new(model: &M) -> Self {
        let parameters = model.parameters().as_ref().to_vec();
        Self::described(RunDescription::new(SystemValue { system: M::system(), parameters }))
    }
}

impl Simulation {
    /// Creates a simulation of a model that is chosen while the program runs, with the values of its
    /// parameters in the order of their declaration. Its inputs and outputs are named by [`System::input`]
    /// and [`System::output`].
    pub fn of(system: &'static dyn System, parameters: impl Into<Vec<f64>>) -> Self {
        Self::described(RunDescription::new(SystemValue { system, parameters: parameters.into() }))
    }
}

impl<M> Simulation<M> {
    fn described(description: RunDescription) -> Self {
        Self { description, model: PhantomData }
    }

    /// Returns the settings without the type of the model.
    pub fn description(&self) -> &RunDescription {
        &self.description
    }

    /// Sets the value of a parameter, in its unit, in place of the model's.
    #[must_use]
    pub fn parameter(mut self, parameter: Parameter<M>, value: f64) -> Self {
        self.description.set_parameter(parameter.erased(), value);
        self
    }

    /// Drives `input` with a constant, a function of the time in s (a closure names its type, `|t: f64| ..`), a
    /// [`Sampled`](crate::input::Sampled) signal, also from a channel of a record, or a prepared [`InputSignal`].
    #[must_use]
    pub fn input(mut self, input: Input<M>, signal: impl Into<InputSignal>) -> Self {
        self.description.signals.push((input.erased(), signal.into()));
        self
    }

    /// Sets the data of a table, also in place of those that are part of the model.
    #[must_use]
    pub fn table<D: TableData>(mut self, table: Table<M, D>, data: impl Into<Arc<D>>) -> Self {
        self.description.tables = self.description.tables.with(table, data);
        self
    }

    /// Sets the step size h in s.
    #[must_use]
    pub fn step(mut self, step: f64) -> Self {
        self.description.step = Some(step);
        self
    }

    /// Sets the end time T in s, a whole number of steps.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.description.end = Some(end);
        self
    }

    /// Sets the scheme of time integration, see [`Scheme`].
    #[must_use]
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.description.settings.scheme = scheme;
        self
    }

    /// Sets the order of the run, 2 by default and 6 at most: a run of order 4 takes 7 steps in place of one, whose
    /// errors cancel, so that fewer and longer steps will do. Gradients are exact for it. See
    /// [`order`](Settings::order).
    #[must_use]
    pub fn order(mut self, order: u32) -> Self {
        self.description.settings.order = order;
        self
    }

    /// Sets the scheme to [`Scheme::Hht`] with this alpha in [-1/3, 0].
    #[must_use]
    pub fn alpha(self, alpha: f64) -> Self {
        self.scheme(Scheme::Hht { alpha })
    }

    /// Sets the largest estimated error of coordinates and outputs, relative to their ranges, that
    /// [`run`](Self::run) accepts; 0.05 by default. With `None` errors are not checked. See
    /// [`Run::accuracy`].
    #[must_use]
    pub fn error_limit(mut self, limit: impl Into<Option<f64>>) -> Self {
        self.description.settings.error_limit = limit.into();
        self
    }

    /// Sets the outputs by whose errors [`error_limit`](Self::error_limit) and [`step_for`](Self::step_for)
    /// judge a run, in place of all coordinates and outputs: the errors of others do not matter, for example
    /// those of a reaction near a singular position.
    #[must_use]
    pub fn judge(mut self, outputs: impl IntoIterator<Item = Output<M>>) -> Self {
        self.description.judged = Some(outputs.into_iter().map(Output::erased).collect());
        self
    }

    /// Sets the settings of the Newton iteration.
    #[must_use]
    pub fn newton(mut self, newton: NewtonSettings) -> Self {
        self.description.settings.newton = newton;
        self
    }

    /// Sets the largest amount of memory in bytes that the run may need.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.description.settings.memory_limit = Some(bytes);
        self
    }

    /// Sets whether gradients of the prepared run, from [`Problem::run`], need all states at once;
    /// [`run`](Self::run) itself stores all states.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.description.settings.checkpoints = checkpoints;
        self
    }

    /// Sets all settings at once, step and end included.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        (self.description.step, self.description.end) = (Some(settings.step), Some(settings.end));
        self.description.settings = settings;
        self
    }

    /// Sets the flag that stops the run.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.description.interrupt = interrupt;
        self
    }

    /// Sets steps of different lengths, each of which leaves an error of at most `tolerance` in the position
    /// of a coordinate, relative to the coordinate's range; [`step`](Self::step) is the longest, at which
    /// outputs are sampled. See [`Steps::Adaptive`].
    #[must_use]
    pub fn adaptive(mut self, tolerance: f64) -> Self {
        self.description.settings.steps = Steps::Adaptive { tolerance };
        self
    }

    /// Prepares the run, for other parameters or other number types; adaptive steps are found with the
    /// simulation's own parameters.
    ///
    /// # Errors
    /// [`SimulationError::Settings`], [`SimulationError::Memory`], [`SimulationError::Input`] and
    /// [`SimulationError::Table`].
    pub fn problem(&self) -> Result<Problem, SimulationError> {
        self.description.problem()
    }

    /// Simulates, and checks whether the step is small enough, by a run with much longer steps or, where that
    /// does not decide, by one with half the step.
    ///
    /// # Errors
    /// [`SimulationError`]; [`SimulationError::Inaccurate`] for a run whose estimated error is beyond the
    /// [`error_limit`](Self::error_limit).
    pub fn run(&self) -> Result<Run<M>, SimulationError> {
        Ok(Run::of(self.description.run()?))
    }

    /// Finds a step size in s with which all errors are at most this fraction of their
    /// [scale](crate::gradient::ErrorEstimate::scale), but hardly smaller: the errors of runs are measured by
    /// runs with half and with twice their step, starting with the given step or a thousandth of the end, by
    /// at most 24 runs. The end is a multiple of the step size.
    ///
    /// # Errors
    /// [`SimulationError::Inaccurate`] with the error of the shortest step that was tried, if none of these
    /// steps is accurate enough;
    /// [`SimulationError::UnseenChange`]; those of [`run`](Self::run).
    pub fn step_for(&self, relative: f64) -> Result<f64, SimulationError> {
        self.description.step_for(relative)
    }
}

impl<M: Model> Simulation<M> {
    /// Simulates each of these models in place of the simulation's own, a parameter study, and keeps the
    /// outputs. The runs use all cores, and lanes; see [`Problem::run_each`].
    ///
    /// ```
    /// use costate::Simulation;
    ///
    /// costate::model! {
    ///     pub Oscillator {
    ///         parameters { m: kg = 1, c: N/m = 100, d: N*s/m = 0.5 }
    ///         coordinates { x: m }
    ///         mass { x: m }
    ///         forces { x: -c*x - d*dot(x) }
    ///         initial { x = 0.1[m] }
    ///         outputs { position: m = x }
    ///     }
    /// }
    ///
    /// let start = Oscillator::default();
    /// let models: Vec<_> = (0..10).map(|i| Oscillator { d: 0.5 + 0.1 * f64::from(i), ..start.clone() }).collect();
    /// let study = Simulation::new(&start).step(1e-3).until(1.0).study(&models)?;
    /// for (model, outputs) in models.iter().zip(study) {
    ///     let largest = outputs?.output(Oscillator::POSITION).map(|x| x.fold(0.0, f64::max));
    ///     println!("{} N s/m: {largest:?} m", model.d);
    /// }
    /// # Ok::<(), costate::simulate::SimulationError>(())
    /// ```
    ///
    /// # Errors
    /// As [`problem`](Self::problem); for each model those of [`run`](Self::run).
    pub fn study(&self, models: &[M]) -> Result<Vec<Result<Series<f64>, SimulationError>>, SimulationError> {
        let parameters: Vec<_> = models.iter().map(Model::parameters).collect();
        Ok(self.problem()?.outputs_each(&parameters))
    }
}
