//! Optimal inputs: experiments with the most information about parameters (OB 5.1).
//!
//! The builder collects a `setup`. `waveform` and `bounding` make inputs of variables; `condition` has end conditions and
//! limits, `lagrangian` their multipliers, `run` the rounds over `costate-optimize`.

mod bounding;
mod condition;
mod definition;
mod designed_input;
mod error;
mod evaluation;
mod lagrangian;
mod multistart;
mod result;
mod run;
mod setup;
mod state;
mod waveform;

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

use crate::ensemble::Ensemble;
use crate::identification::UnknownParameter;
use crate::identifiers::{Dynamic, Input};
use crate::input::InputSignal;
use crate::interrupt::Interrupt;
use crate::model::Model;
use crate::optimize::{MultistartProgress, OptimizerSettings};
use crate::problem::Checkpoints;
use crate::step::{NewtonSettings, Scheme};
use crate::table::{Table, TableData};

use super::criterion::Criterion;
use super::information::Information;
use super::information_gradient::SecondOrderModel;
use super::noise::Noise;
use super::parameters::erased;

pub use bounding::Bounding;
pub use condition::{EndCondition, InputLimit};
pub use designed_input::DesignedInput;
pub use error::OptimalInputError;
pub use multistart::DesignMember;
pub use result::{DesignIteration, EndDeviation, OptimalExperiment};
pub use waveform::{SineLine, Sweep};

use definition::Definition;

/// A search for the inputs with which an experiment has the most information about unknown parameters.
///
/// The search minimises a [`Criterion`] of the information (OB 5.6) over the samples, or other variables, of some
/// inputs, with exact gradients by the second-order adjoint, limited-memory BFGS, and an augmented Lagrangian for end
/// conditions and limits.
///
/// ```text
/// let found = OptimalInput::new(cart)
///     .unknown([Cart::S_P, Cart::D_P])
///     .sensors(Noise::independent([(Cart::ANGLE, 1e-3)])?)
///     .design(DesignedInput::samples(Cart::FORCE, 1.0).within(-5.0, 5.0))
///     .end_condition(EndCondition::velocity(Cart::PHI, 0.0))
///     .step(0.01)
///     .until(4.0)
///     .run()?;
/// println!("{found}");
/// ```
pub struct OptimalInput<'a, M = Dynamic> {
    definition: Definition<'a>,
    model: PhantomData<fn() -> M>,
}

impl<M> fmt::Debug for OptimalInput<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.definition.fmt(f)
    }
}

impl<M: Model> OptimalInput<'_, M> {
    /// Creates a search for an experiment with `model`, whose parameters are the expected values.
    pub fn new(model: M) -> Self {
        Self { definition: Definition::new(SecondOrderModel::of(&model)), model: PhantomData }
    }
}

/// Unknown parameters, sensors, inputs, conditions, and settings of the search.
impl<'a, M> OptimalInput<'a, M> {
    /// Adds parameters about which the experiment shall have information: `Parameter`s, or [`UnknownParameter`]s
    /// whose scaling defines a relative change.
    #[must_use]
    pub fn unknown(mut self, unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>) -> Self {
        self.definition.setup.unknowns.extend(erased(unknowns));
        self
    }

    /// Sets the measured outputs with their noise.
    #[must_use]
    pub fn sensors(mut self, noise: Noise<M>) -> Self {
        self.definition.setup.sensors = Some(noise.sensors().clone());
        self
    }

    /// Sets the criterion to be minimised, of the information about relative changes; [`Criterion::TraceOfInverse`]
    /// by default.
    #[must_use]
    pub fn criterion(mut self, criterion: Criterion) -> Self {
        self.definition.setup.criterion = criterion;
        self
    }

    /// Adds the information of other experiments with the same unknown parameters.
    #[must_use]
    pub fn known(mut self, information: Information<M>) -> Self {
        self.definition.setup.known = Some(information.into_fisher());
        self
    }

    /// Adds an input that is to be found.
    #[must_use]
    pub fn design(mut self, input: DesignedInput<M>) -> Self {
        self.definition.setup.designs.push(input.erased());
        self
    }

    /// Drives another `input` with a given function of the time in s.
    #[must_use]
    pub fn input(self, input: Input<M>, signal: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        self.signal(input, InputSignal::function(signal))
    }

    /// Drives another `input` with a constant, a [`Sampled`](costate_system::input::Sampled) record or a prepared [`InputSignal`].
    #[must_use]
    pub fn signal(mut self, input: Input<M>, signal: impl Into<InputSignal>) -> Self {
        self.definition.setup.signals.push((input.erased(), signal.into()));
        self
    }

    /// Sets the data of a table, in place of those of the model if it has any.
    #[must_use]
    pub fn table<D: TableData>(mut self, table: Table<M, D>, data: impl Into<Arc<D>>) -> Self {
        self.definition.setup.tables = self.definition.setup.tables.with(table, data);
        self
    }

    /// Adds a condition that shall be met at the end.
    #[must_use]
    pub fn end_condition(mut self, condition: EndCondition<M>) -> Self {
        self.definition.setup.conditions.push(condition.erased());
        self
    }

    /// Adds a limit of a designed input.
    #[must_use]
    pub fn limit(mut self, limit: InputLimit<M>) -> Self {
        self.definition.setup.limits.push(limit.erased());
        self
    }

    /// Sets the largest violation of end conditions, relative to their scales, and of limits, relative to the limits.
    /// Default 1e-6.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.definition.setup.tolerance = tolerance;
        self
    }

    /// Sets the step size h in s, also the sampling interval of the sensors.
    #[must_use]
    pub fn step(mut self, step: f64) -> Self {
        self.definition.setup.step = Some(step);
        self
    }

    /// Sets the end time T in s.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.definition.setup.end = Some(end);
        self
    }

    /// Sets the integration scheme, see [`Scheme`].
    #[must_use]
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.definition.setup.settings.scheme = scheme;
        self
    }

    /// Sets the scheme [`Scheme::Hht`] with this alpha in [-1/3, 0].
    #[must_use]
    pub fn alpha(self, alpha: f64) -> Self {
        self.scheme(Scheme::Hht { alpha })
    }

    /// Sets the parameters of the Newton iteration.
    #[must_use]
    pub fn newton(mut self, newton: NewtonSettings) -> Self {
        self.definition.setup.settings.newton = newton;
        self
    }

    /// Refuses runs that would need more than `bytes` bytes of memory.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.definition.setup.settings.memory_limit = Some(bytes);
        self
    }

    /// Chooses whether runs store all states for their gradients, or checkpoints; results do not depend on it. The
    /// budget is that of one run; a gradient has one run for each unknown parameter.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.definition.setup.settings.checkpoints = checkpoints;
        self
    }

    /// Sets method, stopping rules and step limits of each round; limited-memory BFGS by default.
    /// `maximum_iterations` are those of all rounds together.
    #[must_use]
    pub fn optimizer(mut self, settings: OptimizerSettings) -> Self {
        self.definition.setup.optimizer = settings;
        self
    }

    /// Stores the state after every iteration in this file, and continues from it if it is there; as
    /// `Identification::state_file`.
    #[must_use]
    pub fn state_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.definition.state_file = Some(path.into());
        self
    }

    /// Sets the flag that stops the search.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.definition.setup.interrupt = interrupt;
        self
    }

    /// Sets how [`multistart`](Self::multistart) does its searches: in shards or by several processes, with logs in a
    /// folder from which they continue, with a time limit for each, which is checked between iterations.
    #[must_use]
    pub fn ensemble(mut self, ensemble: Ensemble<'a>) -> Self {
        self.definition.ensemble = ensemble;
        self
    }

    /// Calls `observer` after every iteration, the start included.
    #[must_use]
    pub fn observer(mut self, observer: impl FnMut(&DesignIteration) + Send + 'a) -> Self {
        self.definition.observer = Some(Box::new(observer));
        self
    }

    /// Shows a line of progress on the terminal.
    #[must_use]
    pub fn progress(mut self, show: bool) -> Self {
        self.definition.progress = show;
        self
    }
}

impl<M> OptimalInput<'_, M> {
    /// Runs the search.
    ///
    /// End conditions and limits take several rounds: each minimises with the multipliers of the previous one, until
    /// conditions and limits are kept to the tolerance. A search that runs out of iterations before returns its state
    /// so far, see [`OptimalExperiment::is_converged`].
    ///
    /// # Errors
    /// [`OptimalInputError`]. A simulation that fails with a trial input is not an error, the line search steps back
    /// from there.
    pub fn run(self) -> Result<OptimalExperiment<M>, OptimalInputError> {
        Ok(self.definition.run()?.tagged())
    }

    /// Searches from `starts` inputs on the threads of rayon's pool: the given ones first, then random sums of sines
    /// within the bounds (or with the size of the given start), which depend on `seed` and not on the number of
    /// threads. `progress` is called when a search has ended, by one thread at a time.
    ///
    /// The result contains every start, lowest cost first and failed ones last: a start that fails is part of the
    /// result. State file, observer and line of progress are those of a single search and not used here.
    ///
    /// With an [`ensemble`](Self::ensemble) the starts are shared with other processes, and continue where they were
    /// stopped, also with a larger number of starts.
    ///
    /// # Errors
    /// [`OptimalInputError`] for mistakes that all starts have in common, before anything runs;
    /// [`OptimalInputError::Interrupted`], [`OptimalInputError::Ensemble`].
    pub fn multistart(
        &self,
        starts: usize,
        seed: u64,
        mut progress: impl FnMut(MultistartProgress) + Send,
    ) -> Result<Vec<DesignMember<M>>, OptimalInputError> {
        let members = self.definition.multistart(starts, seed, &mut progress)?;
        Ok(members.into_iter().map(DesignMember::tagged).collect())
    }
}
