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

/// Steps that [`Simulation::step_for`] tries, by three runs each.
const MOST_TRIALS: usize = 4;

/// Where [`Simulation::step_for`] ends: so many steps, or so many times those that it begins with.
const MOST_STEPS: f64 = 1e5;
const MOST_MORE_STEPS: f64 = 64.0;

/// A step that is so much larger is tried even where the present one will do.
const WORTH_WHILE: f64 = 1.3;

/// A simulation of `model` in the making.
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

/// What a [`Simulation`] has been told, without the type of its model.
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
    /// A simulation with the default [`Settings`]; step and end have to be given.
    pub fn new(model: &M) -> Self {
        let parameters = model.parameters().as_ref().to_vec();
        Self { plan: RunPlan::new(SystemValue { system: M::system(), parameters }), model: PhantomData }
    }
}

impl Simulation {
    /// A simulation of a model that is chosen while the program runs, with these values of its parameters in the order of their
    /// declaration. Its inputs and outputs are named by [`System::input`] and [`System::output`].
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

    /// Gives a table its data, or other data than the model has for it.
    #[must_use]
    pub fn table<D: TableData>(mut self, table: Table<M, D>, data: impl Into<Arc<D>>) -> Self {
        self.plan.tables = self.plan.tables.with(table, data);
        self
    }

    /// Step size h in s.
    #[must_use]
    pub fn step(mut self, step: f64) -> Self {
        self.plan.step = Some(step);
        self
    }

    /// End time T in s, a whole number of steps.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.plan.end = Some(end);
        self
    }

    /// How a step leads from one state to the next one, see [`Scheme`].
    #[must_use]
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.plan.settings.scheme = scheme;
        self
    }

    /// The scheme [`Scheme::Hht`] with this alpha in [-1/3, 0].
    #[must_use]
    pub fn alpha(self, alpha: f64) -> Self {
        self.scheme(Scheme::Hht { alpha })
    }

    /// The largest estimated error of coordinates and outputs, relative to their ranges, that is no error of
    /// [`run`](Self::run); 0.05 by default. With `None` it is not looked at. See [`Run::accuracy`].
    #[must_use]
    pub fn error_limit(mut self, limit: impl Into<Option<f64>>) -> Self {
        self.plan.settings.error_limit = limit.into();
        self
    }

    /// The outputs by whose errors [`error_limit`](Self::error_limit) and [`step_for`](Self::step_for) judge a run, in place of all
    /// coordinates and outputs: others do not matter, a reaction near a singular position say.
    #[must_use]
    pub fn judge(mut self, outputs: impl IntoIterator<Item = Output<M>>) -> Self {
        self.plan.judged = Some(outputs.into_iter().map(Output::erased).collect());
        self
    }

    /// Settings of the Newton iteration.
    #[must_use]
    pub fn newton(mut self, newton: NewtonSettings) -> Self {
        self.plan.settings.newton = newton;
        self
    }

    /// Largest amount of memory in bytes that the run may need.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.plan.settings.memory_limit = Some(bytes);
        self
    }

    /// Whether gradients of the prepared run, from [`Problem::run`], need all states at once; [`run`](Self::run) itself
    /// stores them all.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.plan.settings.checkpoints = checkpoints;
        self
    }

    /// All settings at once, step and end included.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        (self.plan.step, self.plan.end) = (Some(settings.step), Some(settings.end));
        self.plan.settings = settings;
        self
    }

    /// The flag that stops the run.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.plan.interrupt = interrupt;
        self
    }

    /// Steps of different lengths, as long as each of them leaves an error of at most `tolerance` in the position of a
    /// coordinate, relative to its range;
    /// [`step`](Self::step) is the longest, at which outputs are sampled. See [`Steps::Adaptive`].
    #[must_use]
    pub fn adaptive(mut self, tolerance: f64) -> Self {
        self.plan.settings.steps = Steps::Adaptive { tolerance };
        self
    }

    /// The prepared run, for other parameters or other number types; adaptive steps are those of the simulation's own.
    ///
    /// # Errors
    /// [`SimulationError::Settings`], [`SimulationError::Memory`], [`SimulationError::Input`] and
    /// [`SimulationError::Table`].
    pub fn problem(&self) -> Result<Problem, SimulationError> {
        self.plan.problem()
    }

    /// Simulates, and looks whether the step is small enough, by a run with steps that are much longer; where that does not tell, by one
    /// with half the step.
    ///
    /// # Errors
    /// [`SimulationError`]; [`SimulationError::Inaccurate`] for a run whose estimated error is beyond the
    /// [`error_limit`](Self::error_limit).
    pub fn run(&self) -> Result<Run<M>, SimulationError> {
        Ok(Run { result: self.plan.run()?, model: PhantomData })
    }

    /// A step size in s with which all errors are at most this part of their [scale](crate::simulate::ErrorEstimate::scale), and hardly
    /// smaller: the errors of runs are measured by runs with half and with twice their step, from the step that is given or a
    /// thousandth of the end on, twelve runs at most. The end is a multiple of it.
    ///
    /// # Errors
    /// [`SimulationError::Inaccurate`] with the error of the shortest step that was tried, where none of these steps will do;
    /// [`SimulationError::UnseenInput`]; those of [`run`](Self::run).
    pub fn step_for(&self, relative: f64) -> Result<f64, SimulationError> {
        self.plan.step_for(relative)
    }
}

impl<M: Model> Simulation<M> {
    /// The model at its initial state, to go on step by step with inputs that are set on the way; those at the start, and the slope
    /// of the first step, are the simulation's. It has no end.
    ///
    /// # Errors
    /// As [`problem`](Self::problem), and [`SimulationError::InitialState`].
    pub fn stepper(&self) -> Result<Stepper<M>, SimulationError> {
        let problem = self.plan.problem_of_stepper()?;
        Stepper::new(&problem, array(&self.plan.model.parameters))
    }

    /// Simulates with each of these models in place of the simulation's own, a parameter study, and keeps the outputs.
    /// They run on all cores, and in lanes; see [`Problem::run_each`].
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
    /// See [`Simulation::problem`].
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

    /// The problem whose start a stepper begins at.
    fn problem_of_stepper(&self) -> Result<Problem, SimulationError> {
        let step = self.step.ok_or(SettingsError::Missing { field: "step" })?;
        if self.settings.steps.is_adaptive() {
            return Err(SettingsError::Adaptive { what: "a stepper" }.into());
        }
        let problem = Self { end: Some(step), ..self.clone() }.problem()?;
        problem.check_start(&self.model.parameters)?;
        Ok(problem)
    }

    /// With another step.
    fn with_step(&self, step: f64) -> Self {
        Self { step: Some(step), ..self.clone() }
    }

    /// See [`Simulation::run`].
    fn run(&self) -> Result<RunResult, SimulationError> {
        let problem = self.problem()?;
        let trajectory = problem.forward(&self.model.parameters);
        // a run that fails may do so for this reason
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

    /// See [`Simulation::step_for`].
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
                // too long for the iteration
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

/// The result of a simulation: N + 1 samples of everything at t_i = i h, where steps are constant at the end of each.
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

/// All outputs, as channels with their names and units: a simulation in place of a measurement.
///
/// # Errors
/// [`RecordError::ChannelName`] for an output that no file could name, `time` say, and [`RecordError::Value`] for one
/// that becomes infinite.
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
    /// The lengths of all steps in s.
    pub fn step_lengths(&self) -> Vec<f64> {
        let time = |i: usize| self.result.trajectory.time(i);
        (1..=self.result.trajectory.steps()).map(|i| time(i) - time(i - 1)).collect()
    }

    /// The times of the samples in s.
    pub fn times(&self) -> Vec<f64> {
        (0..self.result.trajectory.samples())
            .map(|k| self.result.trajectory.time(self.result.trajectory.step_of_sample(k)))
            .collect()
    }

    /// One output at all times, in its unit.
    pub fn output(&self, output: Output<M>) -> Vec<f64> {
        self.result.outputs.output(output).into_iter().flatten().collect()
    }

    /// All outputs.
    pub fn outputs(&self) -> &Series<f64> {
        &self.result.outputs
    }

    /// A coordinate at all times.
    pub fn coordinate(&self, coordinate: Coordinate<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.coordinates(i).get(coordinate.index()))
    }

    /// A coordinate's velocity at all times.
    pub fn velocity(&self, coordinate: Coordinate<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.velocities(i).get(coordinate.index()))
    }

    /// A coordinate's acceleration at all times.
    pub fn acceleration(&self, coordinate: Coordinate<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.accelerations(i).get(coordinate.index()))
    }

    /// A constraint's Lagrange multiplier at all times.
    pub fn multiplier(&self, constraint: Constraint<M>) -> Vec<f64> {
        self.collect(|i| self.result.trajectory.multipliers(i).get(constraint.index()))
    }

    /// All states.
    pub fn trajectory(&self) -> &Trajectory {
        &self.result.trajectory
    }

    /// What the run took.
    pub fn statistics(&self) -> Statistics {
        self.result.trajectory.statistics()
    }

    /// The error that the step size leaves in coordinates and outputs, by runs with half and with twice the step, which keep nothing: they take
    /// two and a half times as long as the run.
    ///
    /// # Errors
    /// Those of [`sensitivities`](crate::differentiate::sensitivities).
    pub fn accuracy(&self) -> Result<Accuracy, SimulationError> {
        accuracy(&self.result.problem, &self.result.trajectory, &self.result.outputs)
    }

    /// The memory that the run needed.
    pub fn memory(&self) -> Memory {
        self.result.memory
    }

    /// The channels that drove inputs, and the columns of tables, that have no unit and were taken in the model's.
    pub fn assumed_units(&self) -> &[AssumedUnit] {
        self.result.problem.assumed_units()
    }

    /// The data of the tables.
    pub(crate) fn tables(&self) -> &Tables {
        self.result.problem.tables()
    }

    fn collect<'a>(&'a self, value: impl Fn(usize) -> Option<&'a f64>) -> Vec<f64> {
        let steps = (0..self.result.trajectory.samples()).map(|k| self.result.trajectory.step_of_sample(k));
        steps.filter_map(value).copied().collect()
    }
}
