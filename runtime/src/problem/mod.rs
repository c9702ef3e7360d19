//! A prepared run: checked settings and sampled inputs, ready for any parameters and any number type.

use std::fmt;
use std::sync::Arc;

use crate::evaluate;
use crate::identifiers::Input;
use crate::input::{InputError, InputSignal};
use crate::interrupt::{Interrupt, Interrupted, InterruptedWork};
use crate::machine::Room;
use crate::model::Model;
use crate::record::{AssumedUnit, note};
use crate::scalar::{Scalar, Vector};
use crate::step::{Moment, Scheme, StepConstants};
use crate::table::Tables;

mod buffers;
mod conditions;
mod error;
mod memory;
mod plan;
mod schedule;
mod settings;

pub use conditions::{OtherProblem, ProblemDifference};
pub use error::{CostDerivativeError, InitialStateError, Involved, SimulationError};
pub use memory::{Checkpoints, Memory};
pub use settings::{Settings, SettingsError};

pub(crate) use buffers::{Buffer, Buffers};
pub(crate) use conditions::Conditions;
pub(crate) use plan::Plan;
pub(crate) use schedule::{Action, Schedule};

type Progress = Arc<dyn Fn(f64) + Send + Sync>;

/// A simulation that is ready to run: validated settings and the inputs u_i at t_i = i h, i = 0..=N.
///
/// It does not hold parameters, so that one problem serves all evaluations of an identification, and keeps the memory of
/// the states of runs that are no longer needed, up to 64 MiB, for the next ones.
#[derive(Clone)]
pub struct Problem<M: Model> {
    settings: Settings,
    inputs: Arc<Vec<M::Inputs<f64>>>,
    tables: Tables<M>,
    plan: Option<Plan>,
    memory: Memory,
    interrupt: Interrupt,
    progress: Option<Progress>,
    buffers: Buffers,
    assumed_units: Arc<[AssumedUnit]>,
}

impl<M: Model> Problem<M> {
    /// Checks the settings and samples the inputs; where an input is given twice, the last signal counts.
    ///
    /// # Errors
    /// [`SimulationError::Settings`], [`SimulationError::Memory`], [`SimulationError::Checkpoints`] or
    /// [`SimulationError::OutOfMemory`], and
    /// [`SimulationError::Input`], also for an input without signal; [`SimulationError::Table`] for a table without data,
    /// [`SimulationError::TableUnit`] for one in units that do not fit.
    pub fn new(settings: Settings, signals: &[(Input<M>, InputSignal)]) -> Result<Self, SimulationError> {
        Self::with_tables(settings, signals, M::tables())
    }

    /// The same with these tables.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn with_tables(
        settings: Settings,
        signals: &[(Input<M>, InputSignal)],
        tables: Tables<M>,
    ) -> Result<Self, SimulationError> {
        settings.validate_for::<M>()?;
        let (tables, mut assumed_units) = tables.in_declared_units()?;
        let (plan, memory) = Memory::planned::<M, f64>(&settings)?;
        memory.check_least(settings.steps())?;
        let mut inputs = Room::of_steps("the inputs", settings.steps()).take(settings.steps() + 1)?;
        inputs.resize(settings.steps() + 1, M::Inputs::<f64>::zeros());
        for input in Input::<M>::all() {
            let signal = signals.iter().rev().find(|(given, _)| *given == input);
            let (_, signal) = signal.ok_or(InputError::Missing { name: input.name() })?;
            let (signal, assumed) = signal.in_unit_of(&input.into())?;
            note(&mut assumed_units, assumed);
            for (i, sample) in inputs.iter_mut().enumerate() {
                sample.as_mut()[input.index()] = signal.at(input.name(), i as f64 * settings.step)?;
            }
        }
        Ok(Self {
            settings,
            inputs: Arc::new(inputs),
            tables,
            plan,
            memory,
            interrupt: Interrupt::new(),
            progress: None,
            buffers: Buffers::default(),
            assumed_units: assumed_units.into(),
        })
    }

    /// The same from a table of samples u_i, i = 0..=N.
    ///
    /// # Errors
    /// As [`Problem::new`]; [`InputError::Samples`] if the table's length is not N + 1.
    pub fn sampled(settings: Settings, inputs: Vec<M::Inputs<f64>>) -> Result<Self, SimulationError> {
        settings.validate_for::<M>()?;
        let tables = M::tables();
        tables.check()?;
        let (plan, memory) = Memory::planned::<M, f64>(&settings)?;
        check_samples::<M>(&settings, &inputs)?;
        Ok(Self {
            settings,
            inputs: Arc::new(inputs),
            tables,
            plan,
            memory,
            interrupt: Interrupt::new(),
            progress: None,
            buffers: Buffers::default(),
            assumed_units: Arc::default(),
        })
    }

    /// The flag that stops runs of this problem.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: Interrupt) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// `report` is called now and then with the fraction of the run that is done.
    #[must_use]
    pub fn with_progress(mut self, report: impl Fn(f64) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(report));
        self
    }

    /// The same with another scheme.
    ///
    /// # Errors
    /// [`SimulationError::Settings`].
    pub fn with_scheme(mut self, scheme: Scheme) -> Result<Self, SimulationError> {
        self.settings.scheme = scheme;
        self.settings.validate_for::<M>()?;
        Ok(self)
    }

    /// The same with other samples of the inputs u_i, i = 0..=N, in the inputs' units.
    ///
    /// # Errors
    /// [`InputError::Samples`] if there are not N + 1, [`InputError::NotFinite`].
    pub fn with_inputs(mut self, inputs: Vec<M::Inputs<f64>>) -> Result<Self, SimulationError> {
        check_samples::<M>(&self.settings, &inputs)?;
        self.inputs = Arc::new(inputs);
        Ok(self)
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The channels of records and columns of tables that have no unit and are taken in the model's.
    pub fn assumed_units(&self) -> &[AssumedUnit] {
        &self.assumed_units
    }

    /// Number of steps N.
    pub fn steps(&self) -> usize {
        self.inputs.len() - 1
    }

    /// The inputs u_i, i = 0..=N.
    pub fn inputs(&self) -> &[M::Inputs<f64>] {
        &self.inputs
    }

    /// The tables' data.
    pub fn tables(&self) -> &Tables<M> {
        &self.tables
    }

    /// What runs depend on besides their parameters.
    pub(crate) fn conditions(&self) -> Conditions<M> {
        let (inputs, tables) = (Arc::clone(&self.inputs), self.tables.clone());
        Conditions { weights: self.settings.weights(), inputs, tables }
    }

    /// What does not change during a run with these parameters.
    pub(crate) fn constants<S: Scalar>(&self, parameters: &M::Parameters<S>) -> M::Constants<S> {
        evaluate::constants(parameters, &self.settings.weights(), &self.tables)
    }

    /// The same with the numbers of a step.
    pub(crate) fn step_constants<S: Scalar>(&self, parameters: &M::Parameters<S>) -> StepConstants<M, S> {
        StepConstants::new(parameters, self.settings.weights(), &self.tables)
    }

    /// t_i and u_i.
    #[inline(always)]
    pub(crate) fn moment(&self, i: usize) -> Moment<'_, M> {
        Moment { step: i, time: i as f64 * self.settings.step, inputs: &self.inputs[i] }
    }

    /// The flag that stops runs of this problem.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Memory that [`run`](Self::run) needs, and the steps that its gradient computes once more.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// Whether [`run`](Self::run) keeps checkpoints instead of all states.
    pub fn has_checkpoints(&self) -> bool {
        self.plan.is_some()
    }

    /// The plan of a run's checkpoints, if it has some.
    pub(crate) fn plan(&self) -> Option<Plan> {
        self.plan
    }

    /// Memory for states.
    pub(crate) fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// Called at every step: reports progress and looks for an interruption now and then.
    #[inline]
    pub(crate) fn poll(&self, step: usize) -> Result<(), SimulationError> {
        self.poll_work(step, self.steps(), step)
    }

    /// The same where the steps are not all of the work; `done` of `work` is, at step `step`.
    #[inline]
    pub(crate) fn poll_work(&self, done: usize, work: usize, step: usize) -> Result<(), SimulationError> {
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
            let work = InterruptedWork::Run { time: step as f64 * self.settings.step };
            return Err(Interrupted::without_trace(work).into());
        }
        Ok(())
    }
}

/// One finite sample for every step.
fn check_samples<M: Model>(settings: &Settings, inputs: &[M::Inputs<f64>]) -> Result<(), InputError> {
    let expected = settings.steps() + 1;
    if inputs.len() != expected {
        return Err(InputError::Samples { expected, given: inputs.len() });
    }
    for (i, sample) in inputs.iter().enumerate() {
        for input in Input::<M>::all() {
            let (value, time) = (sample.as_ref()[input.index()], i as f64 * settings.step);
            if !value.is_finite() {
                return Err(InputError::NotFinite { name: input.name(), time, value });
            }
        }
    }
    Ok(())
}

impl<M: Model> fmt::Debug for Problem<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("model", &M::DESCRIPTION.name)
            .field("settings", &self.settings)
            .field("interrupt", &self.interrupt)
            .finish_non_exhaustive()
    }
}
