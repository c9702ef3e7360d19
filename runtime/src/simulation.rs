//! Running a model: the builder and its result.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::gradient::{Accuracy, accuracy, check_accuracy, measured_accuracy, round_step};
use crate::identifiers::{Constraint, Coordinate, Dynamic, Input, Output};
use crate::input::InputSignal;
use crate::interrupt::Interrupt;
use crate::model::Model;
use crate::problem::{
    Checkpoints, Memory, Problem, RunSizes, Settings, SettingsError, SimulationError, Steps,
};
use crate::record::{AssumedUnit, Record, RecordError};
use crate::run::Trajectory;
use crate::scalar::array;
use crate::series::Series;
use crate::step::{NewtonSettings, Scheme, Statistics};
use crate::stepper::Stepper;
use crate::system::{System, SystemValue};
use crate::table::{Table, TableData, Tables};

/// Number of step sizes that [`Simulation::step_for`] tries, by three runs each.
const MOST_TRIALS: usize = 4;

/// Largest number of steps with which [`Simulation::step_for`] ends: absolute, or relative to the number at
/// its beginning.
const MOST_STEPS: f64 = 1e5;
const MOST_MORE_STEPS: f64 = 64.0;

/// Factor of a larger step that is tried even where the present one is accurate enough.
const WORTH_WHILE: f64 = 1.3;

/// The builder of a simulation of a model.
///
/// ```text
/// let run = Simulation::new(&mount).input(EngineMount::DRIVE, |t| sweep(t)).step(1e-4).until(1.0).run()?;
/// let acceleration = run.output(EngineMount::ACCELERATION);
/// ```
#[derive(Debug)]
pub struct Simulation<M = Dynamic> {
    plan: RunPlan,
    model: PhantomData<fn() -> M>,
}

/// The settings of a [`Simulation`], without the type of its model.
#[derive(Debug, Clone)]
struct RunPlan {
    model: SystemValue,
    settings: Settings,
    step: Option<f64>,
    end: Option<f64>,
    signals: Vec<(Input, InputSignal)>,
    tables: Tables,
    interrupt: Interrupt,
    judged: Option<Vec<Output>>,
}

impl<M> Clone for Simulation<M> {
    fn clone(&self) -> Self {
        Self { plan: self.plan.clone(), model: PhantomData }
    }
}

impl<M: Model> Simulation<M> {
    /// Creates a simulation with the default [`Settings`]; step and end have to be given.
    pub fn new(model: &M) -> Self {
        let parameters = model.parameters().as_ref().to_vec();
        Self { plan: RunPlan::new(SystemValue { system: M::system(), parameters }), model: PhantomData }
    }
}

impl Simulation {
    /// Creates a simulation of a model that is chosen while the program runs, with the values of its
    /// parameters in the order of their declaration. Its inputs and outputs are named by [`System::input`]
    /// and [`System::output`].
    pub fn of(system: &'static dyn System, parameters: impl Into<Vec<f64>>) -> Self {
        let plan = RunPlan::new(SystemValue { system, parameters: parameters.into() });
        Self { plan, model: PhantomData }
    }
}

impl RunPlan {
    fn new(model: SystemValue) -> Self {
        Self {
            settings: Settings::default(),
            step: None,
            end: None,
            signals: Vec::new(),
            tables: model.system.tables(),
            model,
            interrupt: Interrupt::new(),
            judged: None,
        }
    }
}

impl<M> Simulation<M> {
    /// Drives `input` with a function of the time in s.
    #[must_use]
    pub fn input(self, input: Input<M>, signal: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        self.signal(input, InputSignal::function(signal))
    }

    /// Drives `input` with a constant, a [`Sampled`](crate::simulate::Sampled) signal, also from a channel of a record, or a prepared
    /// [`InputSignal`].
    #[must_use]
    pub fn signal(mut self, input: Input<M>, signal: impl Into<InputSignal>) -> Self {
        self.plan.signals.push((input.erased(), signal.into()));
        self
    }

    /// Sets the data of a table, also in place of those that are part of the model.
    #[must_use]
    pub fn table<D: TableData>(mut self, table: Table<M, D>, data: impl Into<Arc<D>>) -> Self {
        self.plan.tables = self.plan.tables.with(table, data);
        self
    }

    /// Sets the step size h in s.
    #[must_use]
    pub fn step(mut self, step: f64) -> Self {
        self.plan.step = Some(step);
        self
    }

    /// Sets the end time T in s, a whole number of steps.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.plan.end = Some(end);
        self
    }

    /// Sets the scheme of time integration, see [`Scheme`].
    #[must_use]
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.plan.settings.scheme = scheme;
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
        self.plan.settings.error_limit = limit.into();
        self
    }

    /// Sets the outputs by whose errors [`error_limit`](Self::error_limit) and [`step_for`](Self::step_for)
    /// judge a run, in place of all coordinates and outputs: the errors of others do not matter, for example
    /// those of a reaction near a singular position.
    #[must_use]
    pub fn judge(mut self, outputs: impl IntoIterator<Item = Output<M>>) -> Self {
        self.plan.judged = Some(outputs.into_iter().map(Output::erased).collect());
        self
    }

    /// Sets the settings of the Newton iteration.
    #[must_use]
    pub fn newton(mut self, newton: NewtonSettings) -> Self {
        self.plan.settings.newton = newton;
        self
    }

    /// Sets the largest amount of memory in bytes that the run may need.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.plan.settings.memory_limit = Some(bytes);
        self
    }

    /// Sets whether gradients of the prepared run, from [`Problem::run`], need all states at once;
    /// [`run`](Self::run) itself stores all states.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.plan.settings.checkpoints = checkpoints;
        self
    }

    /// Sets all settings at once, step and end included.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        (self.plan.step, self.plan.end) = (Some(settings.step), Some(settings.end));
        self.plan.settings = settings;
        self
    }

    /// Sets the flag that stops the run.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.plan.interrupt = interrupt;
        self
    }

    /// Sets steps of different lengths, each of which leaves an error of at most `tolerance` in the position
    /// of a coordinate, relative to the coordinate's range; [`step`](Self::step) is the longest, at which
    /// outputs are sampled. See [`Steps::Adaptive`].
    #[must_use]
    pub fn adaptive(mut self, tolerance: f64) -> Self {
        self.plan.settings.steps = Steps::Adaptive { tolerance };
        self
    }

    /// Prepares the run, for other parameters or other number types; adaptive steps are found with the
    /// simulation's own parameters.
    ///
    /// # Errors
    /// [`SimulationError::Settings`], [`SimulationError::Memory`], [`SimulationError::Input`] and
    /// [`SimulationError::Table`].
    pub fn problem(&self) -> Result<Problem, SimulationError> {
        self.plan.problem()
    }

    /// Simulates, and checks whether the step is small enough, by a run with much longer steps or, where that
    /// does not decide, by one with half the step.
    ///
    /// # Errors
    /// [`SimulationError`]; [`SimulationError::Inaccurate`] for a run whose estimated error is beyond the
    /// [`error_limit`](Self::error_limit).
    pub fn run(&self) -> Result<Run<M>, SimulationError> {
        Ok(Run { result: self.plan.run()?, model: PhantomData })
    }

    /// Finds a step size in s with which all errors are at most this fraction of their
    /// [scale](crate::simulate::ErrorEstimate::scale), but hardly smaller: the errors of runs are measured by
    /// runs with half and with twice their step, starting with the given step or a thousandth of the end, by
    /// at most twelve runs. The end is a multiple of the step size.
    ///
    /// # Errors
    /// [`SimulationError::Inaccurate`] with the error of the shortest step that was tried, if none of these
    /// steps is accurate enough;
    /// [`SimulationError::UnseenInput`]; those of [`run`](Self::run).
    pub fn step_for(&self, relative: f64) -> Result<f64, SimulationError> {
        self.plan.step_for(relative)
    }
}

impl<M: Model> Simulation<M> {
    /// Creates a stepper with the model at its initial state, whose inputs are set from step to step; those
    /// at the start, and the slope of the first step, are the simulation's. A stepper has no end.
    ///
    /// # Errors
    /// As [`problem`](Self::problem), and [`SimulationError::InitialState`].
    pub fn stepper(&self) -> Result<Stepper<M>, SimulationError> {
        let problem = self.plan.problem_of_stepper()?;
        Stepper::new(&problem, array(&self.plan.model.parameters))
    }

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

impl RunPlan {
    /// Implements [`Simulation::problem`].
    fn problem(&self) -> Result<Problem, SimulationError> {
        let step = self.step.ok_or(SettingsError::Missing { field: "step" })?;
        let end = self.end.ok_or(SettingsError::Missing { field: "end" })?;
        let settings = self.settings.clone().with_step_and_end(step, end);
        let SystemValue { system, parameters } = &self.model;
        let problem = Problem::of(*system, settings, &self.signals, self.tables.clone())?;
        problem.check_count(parameters.len())?;
        for output in self.judged.iter().flatten() {
            output.check_model(problem.description())?;
        }
        let judged =
            self.judged.as_ref().map(|outputs| outputs.iter().map(|output| output.index()).collect());
        let problem = problem.with_interrupt(self.interrupt.clone()).with_judged(judged);
        problem.with_steps_for(parameters)
    }

    /// Prepares the problem at whose start a stepper begins.
    fn problem_of_stepper(&self) -> Result<Problem, SimulationError> {
        let step = self.step.ok_or(SettingsError::Missing { field: "step" })?;
        if self.settings.steps.is_adaptive() {
            return Err(SettingsError::Adaptive { what: "a stepper" }.into());
        }
        let problem = Self { end: Some(step), ..self.clone() }.problem()?;
        problem.check_start(&self.model.parameters)?;
        Ok(problem)
    }

    /// Sets another step.
    fn with_step(&self, step: f64) -> Self {
        Self { step: Some(step), ..self.clone() }
    }

    /// Implements [`Simulation::run`].
    fn run(&self) -> Result<RunResult, SimulationError> {
        let problem = self.problem()?;
        let trajectory = problem.forward(&self.model.parameters);
        // such values may be the reason for a run that fails
        problem.check_start(&self.model.parameters)?;
        let trajectory = trajectory?;
        let outputs = trajectory.outputs();
        let finer = || match problem.step_plan() {
            Some(_) => problem.refined(),
            None => self.with_step(0.5 * problem.settings().step).problem(),
        };
        check_accuracy(&problem, &trajectory, &outputs, finer)?;
        let memory = Memory::of_all(problem.steps(), &RunSizes::of(problem.system()));
        Ok(RunResult { trajectory, outputs, memory, problem })
    }

    /// Implements [`Simulation::step_for`].
    fn step_for(&self, relative: f64) -> Result<f64, SimulationError> {
        let end = self.end.ok_or(SettingsError::Missing { field: "end" })?;
        if self.settings.steps.is_adaptive() {
            return Err(SettingsError::Adaptive { what: "`step_for`" }.into());
        }
        let measure = |step: f64| {
            let mut plan = self.with_step(step);
            plan.settings.error_limit = Some(relative);
            let (problem, finer) = (plan.problem()?, plan.with_step(0.5 * step).problem()?);
            let run = problem.forward(&self.model.parameters)?;
            measured_accuracy(&problem, &run, &run.outputs(), &finer)
        };
        let mut step = self.step.unwrap_or(1e-3 * end);
        let least = end / (MOST_STEPS.max(MOST_MORE_STEPS * end / step));
        let (mut found, mut refused, mut failed) = (None, None, None);
        for _ in 0..MOST_TRIALS {
            let accuracy = match measure(step) {
                Ok(accuracy) => accuracy,
                // the step is too long for the iteration
                Err(error @ SimulationError::Step(_)) if found.is_none() => {
                    failed = Some(error);
                    step = round_step(end, 0.25 * step);
                    continue;
                }
                Err(error) => return found.ok_or(error),
            };
            let next = accuracy.step_for(relative);
            match accuracy.within(relative) {
                Ok(()) if next < WORTH_WHILE * step || refused.is_some() => return Ok(step),
                Ok(()) => found = Some(step),
                Err(_) if let Some(found) = found => return Ok(found),
                Err(error @ SimulationError::UnseenInput(_)) => return Err(error),
                Err(error) => refused = Some(error),
            }
            if next < least || next == step {
                break;
            }
            step = next;
        }
        found.ok_or(refused.or(failed).unwrap_or(SimulationError::StepTooSmall { time: 0.0, step }))
    }
}

/// The result of a simulation: N + 1 samples of everything at t_i = i h, which are the ends of the steps
/// where these are constant.
#[derive(Debug)]
pub struct Run<M = Dynamic> {
    result: RunResult,
    model: PhantomData<fn() -> M>,
}

/// A [`Run`] without the type of its model.
#[derive(Debug, Clone)]
struct RunResult {
    trajectory: Trajectory,
    outputs: Series<f64>,
    memory: Memory,
    problem: Problem,
}

impl<M> Clone for Run<M> {
    fn clone(&self) -> Self {
        Self { result: self.result.clone(), model: PhantomData }
    }
}

/// Converts all outputs to channels with their names and units: a simulation in place of a measurement.
///
/// # Errors
/// [`RecordError::ChannelName`] for an output whose name a file cannot have, such as `time`, and
/// [`RecordError::Value`] for one that becomes infinite.
impl<M> TryFrom<&Run<M>> for Record {
    type Error = RecordError;

    fn try_from(run: &Run<M>) -> Result<Self, RecordError> {
        let model = run.trajectory().description();
        let mut outputs = model.outputs.iter().enumerate();
        outputs.try_fold(Self::new(run.times())?.named(model.name), |record, (k, output)| {
            let values = run.outputs().channel(k).into_iter().flatten().collect();
            record.with_channel(output.name, Some(output.unit), values)
        })
    }
}

impl<M> Run<M> {
    /// Returns the lengths of all steps in s.
    pub fn step_lengths(&self) -> Vec<f64> {
        let time = |i: usize| self.result.trajectory.time(i);
        (1..=self.result.trajectory.steps()).map(|i| time(i) - time(i - 1)).collect()
    }

    /// Returns the times of the samples in s.
    pub fn times(&self) -> Vec<f64> {
        (0..self.result.trajectory.samples())
            .map(|k| self.result.trajectory.time(self.result.trajectory.step_of_sample(k)))
            .collect()
    }

    /// Returns one output at all times, in its unit.
    pub fn output(&self, output: Output<M>) -> Vec<f64> {
        self.result.outputs.output(output).into_iter().flatten().collect()
    }

    /// Returns all outputs.
    pub fn outputs(&self) -> &Series<f64> {
        &self.result.outputs
    }

    /// Returns a coordinate at all times.
    pub fn coordinate(&self, coordinate: Coordinate<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.coordinates(i).get(coordinate.index()))
    }

    /// Returns a coordinate's velocity at all times.
    pub fn velocity(&self, coordinate: Coordinate<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.velocities(i).get(coordinate.index()))
    }

    /// Returns a coordinate's acceleration at all times.
    pub fn acceleration(&self, coordinate: Coordinate<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.accelerations(i).get(coordinate.index()))
    }

    /// Returns a constraint's Lagrange multiplier at all times.
    pub fn multiplier(&self, constraint: Constraint<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.multipliers(i).get(constraint.index()))
    }

    /// Returns all states.
    pub fn trajectory(&self) -> &Trajectory {
        &self.result.trajectory
    }

    /// Returns the work counters of the run.
    pub fn statistics(&self) -> Statistics {
        self.result.trajectory.statistics()
    }

    /// Estimates the errors that the step size leaves in coordinates and outputs, by runs with half and with
    /// twice the step, which keep no states and take two and a half times as long as the run.
    ///
    /// # Errors
    /// Those of [`sensitivities`](crate::differentiate::sensitivities).
    pub fn accuracy(&self) -> Result<Accuracy, SimulationError> {
        accuracy(&self.result.problem, &self.result.trajectory, &self.result.outputs)
    }

    /// Returns the memory that the run needed.
    pub fn memory(&self) -> Memory {
        self.result.memory
    }

    /// Returns the channels that drove inputs, and the columns of tables, that have no unit and were taken in
    /// the model's.
    pub fn assumed_units(&self) -> &[AssumedUnit] {
        self.result.problem.assumed_units()
    }

    /// Returns the data of the tables.
    pub(crate) fn tables(&self) -> &Tables {
        self.result.problem.tables()
    }

    fn collect<'a>(&'a self, value: impl Fn(usize) -> Option<&'a f64>) -> Vec<f64> {
        let steps = (0..self.result.trajectory.samples()).map(|k| self.result.trajectory.step_of_sample(k));
        steps.filter_map(value).copied().collect()
    }
}
