//! A prepared run: checked settings and sampled inputs, ready for any parameters and any number type.

use std::fmt;
use std::sync::Arc;

use costate_measure::record::{AssumedUnit, note};

use crate::identifiers::Input;
use crate::input::{InputError, InputSignal};
use crate::interrupt::{Interrupt, Interrupted, InterruptedWork};
use crate::model::{Description, Model};
use crate::step::{Moment, Scheme};
use crate::system::System;
use crate::table::{AnyTable, Table, TableData, Tables};

mod buffers;
mod checkpoints;
mod conditions;
mod error;
mod given_start;
mod impulses;
mod input_samples;
mod inputs;
mod jumps;
mod levels;
mod memory;
mod other_steps;
mod plan;
mod schedule;
mod settings;
mod step_plan;
#[cfg(test)]
mod tests;

pub use checkpoints::Checkpoints;
pub use error::{
    Changing, CostDerivativeError, EquilibriumError, Inaccuracy, InitialStateError, Involved, NegativeMass,
    OtherProblem, PredictionError, ProblemDifference, Remedy, SimulationError, UndefinedOutput, UnseenChange,
};
pub use given_start::GivenStart;
pub use input_samples::InputSamples;
pub use memory::Memory;
pub use settings::{Settings, SettingsError, Steps};

pub use buffers::{Buffer, Buffers};
pub(crate) use conditions::Conditions;
pub use levels::Level;
pub use memory::RunSizes;
pub use plan::Plan;
pub use schedule::{Action, Schedule};
pub use step_plan::{FINEST, StepPlan};

use inputs::{InputSource, checked_samples, unseen};

pub use jumps::InputJump;

type Progress = Arc<dyn Fn(f64) + Send + Sync>;

/// A simulation that is ready to run: validated settings and the inputs u_i at t_i = i h, i = 0..=N.
///
/// It does not hold parameters, so that one problem is enough for all evaluations of an identification, and keeps the
/// memory of the states of runs that are no longer needed, up to 64 MiB, for the next ones.
#[derive(Clone)]
pub struct Problem {
    system: &'static dyn System,
    settings: Settings,
    /// The inputs at the ends of all steps, and at the start.
    inputs: Arc<InputSamples>,
    /// du_i for runs in numbers that carry derivatives; `None` for zeros.
    input_changes: Option<Arc<InputSamples>>,
    source: Arc<InputSource>,
    steps: Option<Arc<StepPlan>>,
    tables: Tables,
    plan: Option<Plan>,
    memory: Memory,
    interrupt: Interrupt,
    progress: Option<Progress>,
    buffers: Buffers,
    assumed_units: Arc<[AssumedUnit]>,
    /// Number of steps of the whole run before the first one of this part.
    first: usize,
    /// The start of a part of a run; `None` for that of the model.
    start: Option<Arc<GivenStart>>,
    /// The outputs that `error_limit` judges; `None` if all are judged.
    judged: Option<Arc<[usize]>>,
    /// The inputs, and their derivatives, of the runs that are combined; none for a run of order 2.
    level_inputs: Vec<Arc<InputSamples>>,
    level_changes: Vec<Option<Arc<InputSamples>>>,
}

impl Problem {
    /// Checks the settings and samples the inputs of a run of `M`; where an input is given twice, the last signal
    /// counts.
    ///
    /// # Errors
    /// [`SimulationError::Settings`], [`SimulationError::Memory`], [`SimulationError::Checkpoints`] or
    /// [`SimulationError::OutOfMemory`], and [`SimulationError::Input`], also for an input without signal;
    /// [`SimulationError::Table`] for a table without data, [`SimulationError::TableUnit`] for one in units that do not
    /// fit.
    pub fn new<M: Model>(settings: Settings, signals: &[(Input<M>, InputSignal)]) -> Result<Self, SimulationError> {
        let signals: Vec<_> = signals.iter().map(|(input, signal)| (input.erased(), signal.clone())).collect();
        Self::of(M::system(), settings, &signals, M::tables())
    }

    /// Creates a problem whose inputs are a table of samples u_i, i = 0..=N, a row of all inputs for each.
    ///
    /// # Errors
    /// As [`Problem::new`]; [`InputError::Samples`] if there are not N + 1 rows, [`InputError::Width`] for a row of
    /// another length.
    pub fn sampled<M: Model>(
        settings: Settings,
        inputs: impl IntoIterator<Item = impl AsRef<[f64]>>,
    ) -> Result<Self, SimulationError> {
        let system = M::system();
        let description = system.description();
        check_version(description)?;
        settings.validate_for(description)?;
        let tables = M::tables();
        tables.check()?;
        let (plan, memory) = Memory::planned(&settings, settings.steps(), &RunSizes::of(system))?;
        let inputs = Arc::new(checked_samples(description, &settings, settings.steps(), inputs)?);
        let source = InputSource::Samples(Arc::clone(&inputs), 1);
        Self::prepared(system, settings, source, inputs, tables, plan, memory).with_order()
    }

    /// Creates a problem of `system` whose inputs follow these signals, with these tables.
    #[doc(hidden)]
    pub fn of(
        system: &'static dyn System,
        settings: Settings,
        signals: &[(Input, InputSignal)],
        tables: Tables,
    ) -> Result<Self, SimulationError> {
        let description = system.description();
        check_version(description)?;
        settings.validate_for(description)?;
        for (input, _) in signals {
            input.check_model(description)?;
        }
        let (tables, mut assumed_units) = tables.in_declared_units()?;
        let (plan, memory) = Memory::planned(&settings, settings.steps(), &RunSizes::of(system))?;
        memory.check_least(settings.steps())?;
        let mut own = Vec::new();
        for input in Input::each_of(description) {
            let signal = signals.iter().rev().find(|(given, _)| *given == input);
            let (_, signal) = signal.ok_or(InputError::Missing { name: input.name() })?;
            let (signal, assumed) = signal.in_unit_of(&input.into())?;
            note(&mut assumed_units, assumed);
            own.push(signal);
        }
        let source = InputSource::Signals(description, own);
        let inputs = source.sampled(settings.steps(), settings.steps.is_adaptive(), settings.step, |i| i as f64)?;
        let prepared = Self::prepared(system, settings, source, Arc::new(inputs), tables, plan, memory);
        Self { assumed_units: assumed_units.into(), ..prepared }.with_order()
    }

    /// Creates a problem of what was checked.
    fn prepared(
        system: &'static dyn System,
        settings: Settings,
        source: InputSource,
        inputs: Arc<InputSamples>,
        tables: Tables,
        plan: Option<Plan>,
        memory: Memory,
    ) -> Self {
        Self {
            system,
            settings,
            inputs,
            input_changes: None,
            source: Arc::new(source),
            steps: None,
            tables,
            plan,
            memory,
            interrupt: Interrupt::new(),
            progress: None,
            buffers: Buffers::default(),
            assumed_units: Arc::default(),
            first: 0,
            start: None,
            judged: None,
            level_inputs: Vec::new(),
            level_changes: Vec::new(),
        }
    }

    /// Returns the model that is run.
    #[doc(hidden)]
    pub fn system(&self) -> &'static dyn System {
        self.system
    }

    /// Returns names, units and sizes of the model that is run.
    #[doc(hidden)]
    pub fn description(&self) -> &'static Description {
        self.system.description()
    }

    /// Sets the flag that stops runs of this problem.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: Interrupt) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// Sets the function that is called now and then with the fraction of the run that is done.
    #[must_use]
    pub fn with_progress(mut self, report: impl Fn(f64) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(report));
        self
    }

    /// Replaces the scheme.
    ///
    /// # Errors
    /// [`SimulationError::Settings`].
    pub fn with_scheme(mut self, scheme: Scheme) -> Result<Self, SimulationError> {
        self.settings.scheme = scheme;
        self.settings.validate_for(self.description())?;
        self.with_order()
    }

    /// Replaces the data of one table at the cost of these data only: inputs, settings, the lengths of
    /// adaptive steps and the memory of earlier runs are kept.
    ///
    /// # Errors
    /// [`SimulationError::TableUnit`] for a table from a file in units that do not fit.
    pub fn with_table<M, D: TableData>(
        mut self,
        table: Table<M, D>,
        data: impl Into<Arc<D>>,
    ) -> Result<Self, SimulationError> {
        let (tables, assumed) = self.tables.with(table, data).in_declared_units()?;
        self.tables = tables;
        let mut all = self.assumed_units.to_vec();
        note(&mut all, assumed);
        self.assumed_units = all.into();
        Ok(self)
    }

    /// Replaces the data of the table at this position in the order of declaration.
    #[doc(hidden)]
    pub fn with_table_at(mut self, index: usize, data: AnyTable) -> Self {
        self.tables = self.tables.replaced(index, data);
        self
    }

    /// Replaces the samples of the inputs u_i, i = 0..=N, in the inputs' units. A problem of higher order takes them
    /// as [`inputs`](Self::inputs) gives them: at the ends of its shortest steps.
    ///
    /// # Errors
    /// [`InputError::Samples`] if there are not N + 1, [`InputError::Width`] for a row of another length,
    /// [`InputError::NotFinite`].
    pub fn with_inputs(mut self, inputs: impl IntoIterator<Item = impl AsRef<[f64]>>) -> Result<Self, SimulationError> {
        let is_combined = self.settings.order > 2;
        let steps = if is_combined { self.steps() } else { self.settings.steps() };
        self.inputs = Arc::new(checked_samples(self.description(), &self.settings, steps, inputs)?);
        let parts = steps / self.settings.steps();
        self.source = Arc::new(InputSource::Samples(Arc::clone(&self.inputs), parts));
        if is_combined {
            return self.with_levels();
        }
        match self.steps.take() {
            Some(plan) => self.with_step_plan(plan),
            None => Ok(self),
        }
    }

    /// Sets derivatives du_i of the inputs, i = 0..=N, which runs in numbers that carry derivatives take as
    /// the first one.
    #[doc(hidden)]
    pub fn with_input_changes(self, changes: InputSamples) -> Self {
        let changed = Self { input_changes: Some(Arc::new(changes)), ..self };
        changed.clone().with_levels().unwrap_or(changed)
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the channels of records and columns of tables that have no unit and are taken in the model's.
    pub fn assumed_units(&self) -> &[AssumedUnit] {
        &self.assumed_units
    }

    /// Returns the problem without a receiver of progress reports.
    #[doc(hidden)]
    pub fn without_progress(mut self) -> Self {
        self.progress = None;
        self
    }

    /// Loosens the tolerance of Newton's iterations to at least this one.
    pub(crate) fn with_newton_tolerance(mut self, tolerance: f64) -> Self {
        self.settings.newton.tolerance = self.settings.newton.tolerance.max(tolerance);
        self
    }

    /// Sets the outputs that `error_limit` judges; `None` for all.
    #[doc(hidden)]
    pub fn with_judged(self, outputs: Option<Arc<[usize]>>) -> Self {
        Self { judged: outputs, ..self }
    }

    /// Returns the outputs that `error_limit` judges; `None` if all are judged.
    pub(crate) fn judged(&self) -> Option<&[usize]> {
        self.judged.as_deref()
    }

    /// Returns an input that leaves, at one of these places between two samples, which are fractions of a step, the
    /// range of these samples and of the value in the middle between them; or, if `only_at_rest`, that of two samples
    /// alone, in steps whose samples are equal and in a few others.
    pub(crate) fn unseen_input(&self, places: &[f64], only_at_rest: bool) -> Option<UnseenChange> {
        let time = |i: usize| self.steps.as_ref().map_or(i as f64, |plan| plan.time(i));
        unseen(&self.source, &self.inputs, self.settings.step, places, only_at_rest, time)
    }

    /// Returns the lengths of the steps; `None` if they are constant.
    #[doc(hidden)]
    pub fn step_plan(&self) -> Option<&Arc<StepPlan>> {
        self.steps.as_ref()
    }

    /// Refuses runs before the lengths of adaptive steps are known.
    #[doc(hidden)]
    pub fn check_steps(&self) -> Result<(), SettingsError> {
        let unknown = self.settings.steps.is_adaptive() && self.steps.is_none();
        if unknown { Err(SettingsError::StepsUnknown) } else { Ok(()) }
    }

    /// Refuses adaptive steps, and runs that are combinations, for computations that go from one constant step to the
    /// next.
    #[doc(hidden)]
    pub fn require_constant_steps(&self, what: &'static str) -> Result<(), SettingsError> {
        match (self.settings.steps, self.settings.order) {
            (Steps::Constant, 2) => Ok(()),
            (Steps::Constant, order) => Err(SettingsError::HighOrder { what, order }),
            (Steps::Adaptive { .. }, _) => Err(SettingsError::Adaptive { what }),
        }
    }

    /// Evaluates the inputs at a time that is given in sampling intervals.
    #[doc(hidden)]
    pub fn inputs_at(&self, intervals: f64) -> Result<Vec<f64>, InputError> {
        self.source.at(intervals, self.settings.step)
    }

    /// Returns the number of steps N; for adaptive steps, that of the chosen steps, and for a run of higher order that
    /// of the shortest ones.
    pub fn steps(&self) -> usize {
        self.inputs.len() - 1
    }

    /// Returns the number of samples of the outputs: one more than steps, where these are constant.
    pub fn samples(&self) -> usize {
        self.steps.as_ref().map_or(self.inputs.len(), |plan| plan.samples())
    }

    /// Returns the sample at the end of step i, if there is one.
    #[inline(always)]
    #[doc(hidden)]
    pub fn sample(&self, i: usize) -> Option<usize> {
        match &self.steps {
            None => Some(i),
            Some(plan) => plan.sample(i),
        }
    }

    /// Returns the length of the first step in s.
    #[doc(hidden)]
    pub fn first_step(&self) -> f64 {
        let level = self.steps.as_ref().map_or(0, |plan| plan.level(1));
        self.settings.step * StepPlan::length(level)
    }

    /// Returns the inputs u_i at the ends of all steps, and at the start, i = 0..=N.
    pub fn inputs(&self) -> &InputSamples {
        &self.inputs
    }

    /// Returns the tables' data.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the conditions of runs besides their parameters.
    #[doc(hidden)]
    pub fn conditions(&self) -> Conditions {
        let (inputs, tables) = (Arc::clone(&self.inputs), self.tables.clone());
        let (system, weights, order) = (self.system, self.settings.weights(), self.settings.order);
        let (first, start) = (self.first, self.start.clone());
        Conditions { system, weights, order, inputs, tables, steps: self.steps.clone(), first, start }
    }

    /// Returns t_i and u_i.
    #[inline(always)]
    #[doc(hidden)]
    pub fn moment(&self, i: usize) -> Moment<'_> {
        let changes = self.input_changes.as_ref().map(|changes| changes.row(i));
        Moment { step: i, time: self.time(i), inputs: self.inputs.row(i), changes }
    }

    /// Returns t_i in s.
    #[inline(always)]
    #[doc(hidden)]
    pub fn time(&self, i: usize) -> f64 {
        match &self.steps {
            None => (self.first + i) as f64 * self.settings.step,
            Some(plan) => plan.time(i) * self.settings.step,
        }
    }

    /// Returns the flag that stops runs of this problem.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Returns the memory that [`run`](Self::run) needs, and the number of steps that its gradient
    /// recomputes.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// Returns true if the lengths of steps are adaptive.
    #[doc(hidden)]
    pub fn has_adaptive_steps(&self) -> bool {
        self.settings.steps.is_adaptive()
    }

    /// Returns true if [`run`](Self::run) keeps checkpoints instead of all states.
    pub fn has_checkpoints(&self) -> bool {
        self.plan.is_some()
    }

    /// Returns the plan of a run's checkpoints, if it has some.
    #[doc(hidden)]
    pub fn plan(&self) -> Option<Plan> {
        self.plan
    }

    /// Returns the memory for states.
    #[doc(hidden)]
    pub fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// Reports progress and checks for an interruption now and then; called at every step.
    #[inline]
    #[doc(hidden)]
    pub fn poll(&self, step: usize) -> Result<(), SimulationError> {
        self.poll_work(step, self.steps(), step)
    }

    /// Works as `poll` where steps are not all of the work: `done` of `work` is done, at step `step`.
    #[inline]
    #[doc(hidden)]
    pub fn poll_work(&self, done: usize, work: usize, step: usize) -> Result<(), SimulationError> {
        const EVERY: usize = 1000;
        if !done.is_multiple_of(EVERY) && done != work {
            return Ok(());
        }
        self.report(done as f64 / work as f64, step)
    }

    #[cold]
    fn report(&self, done: f64, step: usize) -> Result<(), SimulationError> {
        if let Some(report) = &self.progress {
            report(done);
        }
        if self.interrupt.is_triggered() {
            let work = InterruptedWork::Run { time: self.time(step) };
            return Err(Interrupted::without_trace(work).into());
        }
        Ok(())
    }
}

/// Checks that the model was written by this version of the compiler.
///
/// # Errors
/// [`SimulationError::Version`] for a model that another version of the compiler has written.
fn check_version(model: &'static Description) -> Result<(), SimulationError> {
    match model.version == costate_contract::VERSION {
        true => Ok(()),
        false => {
            let (expected, given) = (costate_contract::VERSION, model.version);
            Err(SimulationError::Version { model: model.name, expected, given })
        }
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("model", &self.description().name)
            .field("settings", &self.settings)
            .field("interrupt", &self.interrupt)
            .finish_non_exhaustive()
    }
}
