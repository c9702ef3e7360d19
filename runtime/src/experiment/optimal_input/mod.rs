//! Optimal inputs: the experiment that tells most about its parameters (OB 5.1).

mod bounding;
mod condition;
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
use std::path::PathBuf;
use std::sync::Arc;

use crate::ensemble::Ensemble;
use crate::identification::UnknownParameter;
use crate::identifiers::Input;
use crate::input::InputSignal;
use crate::interrupt::Interrupt;
use crate::model::Model;
use crate::optimize::OptimizerSettings;
use crate::problem::Checkpoints;
use crate::step::{NewtonSettings, Scheme};
use crate::table::{Table, TableData};

use super::criterion::Criterion;
use super::information::Information;
use super::noise::Noise;

pub use bounding::Bounding;
pub use condition::{EndCondition, InputLimit};
pub use designed_input::DesignedInput;
pub use error::OptimalInputError;
pub use multistart::DesignMember;
pub use result::{DesignIteration, EndDeviation, OptimalExperiment};
pub use waveform::{SineLine, Sweep};

use setup::Setup;

type Observer<'a> = Box<dyn FnMut(&DesignIteration) + Send + 'a>;

/// A search for the inputs with which an experiment tells most about unknown parameters.
///
/// It minimises a [`Criterion`] of the information (OB 5.6) over the samples, or other variables, of some inputs, with
/// exact gradients by the second-order adjoint, limited-memory BFGS, and an augmented Lagrangian for end conditions
/// and limits.
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
pub struct OptimalInput<'a, M: Model> {
    setup: Setup<M>,
    state_file: Option<PathBuf>,
    observer: Option<Observer<'a>>,
    progress: bool,
    ensemble: Ensemble<'a>,
}

impl<M: Model> fmt::Debug for OptimalInput<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OptimalInput")
            .field("model", &M::DESCRIPTION.name)
            .field("state_file", &self.state_file)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

impl<'a, M: Model> OptimalInput<'a, M> {
    /// An experiment with `model`, whose parameters are the values to be expected.
    pub fn new(model: M) -> Self {
        Self {
            setup: Setup::new(model),
            state_file: None,
            observer: None,
            progress: false,
            ensemble: Ensemble::new(),
        }
    }

    /// Adds parameters that the experiment is to tell about: [`Parameter`](crate::Parameter)s, or [`UnknownParameter`]s
    /// whose scaling says what a relative change is.
    #[must_use]
    pub fn unknown(mut self, unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>) -> Self {
        self.setup.unknowns.extend(unknowns.into_iter().map(Into::into));
        self
    }

    /// The measured outputs with their noise.
    #[must_use]
    pub fn sensors(mut self, noise: Noise<M>) -> Self {
        self.setup.noise = Some(noise);
        self
    }

    /// What is minimised, of the information about relative changes; [`Criterion::TraceOfInverse`] by default.
    #[must_use]
    pub fn criterion(mut self, criterion: Criterion) -> Self {
        self.setup.criterion = criterion;
        self
    }

    /// Information of other experiments with the same unknown parameters, which counts too.
    #[must_use]
    pub fn known(mut self, information: Information<M>) -> Self {
        self.setup.known = Some(information);
        self
    }

    /// Adds an input that is to be found.
    #[must_use]
    pub fn design(mut self, input: DesignedInput<M>) -> Self {
        self.setup.designs.push(input);
        self
    }

    /// Drives another `input` with a given function of the time in s.
    #[must_use]
    pub fn input(self, input: Input<M>, signal: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        self.signal(input, InputSignal::function(signal))
    }

    /// Drives another `input` with a constant, a [`Sampled`](crate::simulate::Sampled) record or a prepared [`InputSignal`].
    #[must_use]
    pub fn signal(mut self, input: Input<M>, signal: impl Into<InputSignal>) -> Self {
        self.setup.signals.push((input, signal.into()));
        self
    }

    /// Gives a table its data, or other data than the model has for it.
    #[must_use]
    pub fn table<D: TableData>(mut self, table: Table<M, D>, data: impl Into<Arc<D>>) -> Self {
        self.setup.tables = self.setup.tables.with(table, data);
        self
    }

    /// Adds something that shall be reached at the end.
    #[must_use]
    pub fn end_condition(mut self, condition: EndCondition<M>) -> Self {
        self.setup.conditions.push(condition);
        self
    }

    /// Adds a limit of a designed input.
    #[must_use]
    pub fn limit(mut self, limit: InputLimit<M>) -> Self {
        self.setup.limits.push(limit);
        self
    }

    /// How far end conditions may be missed, as a part of their scales, and limits exceeded, as a part of them. Default
    /// 1e-6.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.setup.tolerance = tolerance;
        self
    }

    /// Step size h in s, also the sampling interval of the sensors.
    #[must_use]
    pub fn step(mut self, step: f64) -> Self {
        self.setup.step = Some(step);
        self
    }

    /// End time T in s.
    #[must_use]
    pub fn until(mut self, end: f64) -> Self {
        self.setup.end = Some(end);
        self
    }

    /// How a step leads from one state to the next one, see [`Scheme`].
    #[must_use]
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.setup.settings.scheme = scheme;
        self
    }

    /// The scheme [`Scheme::Hht`] with this alpha in [-1/3, 0].
    #[must_use]
    pub fn alpha(self, alpha: f64) -> Self {
        self.scheme(Scheme::Hht { alpha })
    }

    /// Settings of the Newton iteration.
    #[must_use]
    pub fn newton(mut self, newton: NewtonSettings) -> Self {
        self.setup.settings.newton = newton;
        self
    }

    /// Refuses runs that would need more bytes of memory.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.setup.settings.memory_limit = Some(bytes);
        self
    }

    /// Whether runs store all states for their gradients, or checkpoints; results do not depend on it. The budget is that
    /// of one run; a gradient has one for each unknown parameter.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.setup.settings.checkpoints = checkpoints;
        self
    }

    /// Method, stopping rules and step limits of each round; limited-memory BFGS by default. `maximum_iterations` are those
    /// of all rounds together.
    #[must_use]
    pub fn optimizer(mut self, settings: OptimizerSettings) -> Self {
        self.setup.optimizer = settings;
        self
    }

    /// Stores the state after every iteration in this file, and continues from it if it is there; as
    /// [`Identification::state_file`](crate::Identification::state_file).
    #[must_use]
    pub fn state_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.state_file = Some(path.into());
        self
    }

    /// The flag that stops the search.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.setup.interrupt = interrupt;
        self
    }

    /// How [`multistart`](Self::multistart) does its searches: in shards or by several processes, with logs in a folder from which they
    /// continue, with a limit of time for each, which is looked at between iterations.
    #[must_use]
    pub fn ensemble(mut self, ensemble: Ensemble<'a>) -> Self {
        self.ensemble = ensemble;
        self
    }

    /// Calls `observer` after every iteration, the start included.
    #[must_use]
    pub fn observer(mut self, observer: impl FnMut(&DesignIteration) + Send + 'a) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Shows a line of progress on the terminal.
    #[must_use]
    pub fn progress(mut self, show: bool) -> Self {
        self.progress = show;
        self
    }
}
