//! Optimal inputs: experiments with the most information about parameters (OB 5.1).
//!
//! The builder collects a `definition`. `waveform` and `bounding` make inputs of variables; `condition` has end
//! conditions and limits, `lagrangian` their multipliers, `run` the rounds over `costate-optimize`.

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
mod state;
mod waveform;

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use costate_identify::UnknownParameter;
use costate_optimize::{MultistartProgress, OptimizerSettings};
use costate_system::ensemble::Ensemble;
use costate_system::identifiers::Dynamic;
use costate_system::model::Model;
use costate_system::simulation::Simulation;

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
/// let simulation = Simulation::new(&cart).step(0.01).until(4.0);
/// let found = OptimalInput::new(&simulation)
///     .unknown([Cart::S_P, Cart::D_P])
///     .sensors(Noise::independent([(Cart::ANGLE, 1e-3)])?)
///     .design(DesignedInput::samples(Cart::FORCE, 1.0).within(-5.0, 5.0))
///     .end_condition(EndCondition::velocity(Cart::PHI, 0.0))
///     .run()?;
/// println!("{found}");
/// ```
pub struct OptimalInput<M = Dynamic> {
    definition: Definition,
    model: PhantomData<fn() -> M>,
}

impl<M> fmt::Debug for OptimalInput<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.definition.fmt(f)
    }
}

impl<M: Model> OptimalInput<M> {
    /// Creates a search for an experiment with this simulation, whose parameters are the expected values, and whose
    /// inputs are the known ones. The step is also the sampling interval of the sensors. A gradient has one run for
    /// each unknown parameter, each with the simulation's checkpoints and limit of memory.
    pub fn new(simulation: &Simulation<M>) -> Self {
        let run = simulation.description().clone();
        let model = SecondOrderModel::with::<M>(run.model.parameters.clone());
        Self { definition: Definition::new(model, run), model: PhantomData }
    }
}

/// Unknown parameters, sensors, inputs, conditions, and settings of the search.
impl<M> OptimalInput<M> {
    /// Adds parameters about which the experiment shall have information: `Parameter`s, or [`UnknownParameter`]s
    /// whose scaling defines a relative change.
    #[must_use]
    pub fn unknown(mut self, unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>) -> Self {
        self.definition.unknowns.extend(erased(unknowns));
        self
    }

    /// Sets the measured outputs with their noise.
    #[must_use]
    pub fn sensors(mut self, noise: Noise<M>) -> Self {
        self.definition.sensors = Some(noise.sensors().clone());
        self
    }

    /// Sets the criterion to be minimised, of the information about relative changes; [`Criterion::TraceOfInverse`]
    /// by default.
    #[must_use]
    pub fn criterion(mut self, criterion: Criterion) -> Self {
        self.definition.criterion = criterion;
        self
    }

    /// Adds the information of other experiments with the same unknown parameters.
    #[must_use]
    pub fn known(mut self, information: Information<M>) -> Self {
        self.definition.known = Some(information.into_fisher());
        self
    }

    /// Adds an input that is to be found.
    #[must_use]
    pub fn design(mut self, input: DesignedInput<M>) -> Self {
        self.definition.designs.push(input.erased());
        self
    }

    /// Adds a condition that shall be met at the end.
    #[must_use]
    pub fn end_condition(mut self, condition: EndCondition<M>) -> Self {
        self.definition.conditions.push(condition.erased());
        self
    }

    /// Adds a limit of a designed input.
    #[must_use]
    pub fn limit(mut self, limit: InputLimit<M>) -> Self {
        self.definition.limits.push(limit.erased());
        self
    }

    /// Sets the largest violation of end conditions, relative to their scales, and of limits, relative to the limits.
    /// Default 1e-6.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.definition.tolerance = tolerance;
        self
    }

    /// Sets method, stopping rules and step limits of each round; limited-memory BFGS by default.
    /// `maximum_iterations` are those of all rounds together.
    #[must_use]
    pub fn optimizer(mut self, settings: OptimizerSettings) -> Self {
        self.definition.optimizer = settings;
        self
    }

    /// Stores the state after every iteration in this file, and continues from it if it is there; as
    /// `Identification::state_file`.
    #[must_use]
    pub fn state_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.definition.state_file = Some(path.into());
        self
    }

    /// Shows a line of progress on the terminal.
    #[must_use]
    pub fn progress(mut self, show: bool) -> Self {
        self.definition.progress = show;
        self
    }
}

impl<M> OptimalInput<M> {
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
        Ok(self.definition.run(None)?.tagged())
    }

    /// Runs the search as [`run`](Self::run) does, and calls `observer` after every iteration, the start included.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_observed(
        self,
        mut observer: impl FnMut(&DesignIteration) + Send,
    ) -> Result<OptimalExperiment<M>, OptimalInputError> {
        Ok(self.definition.run(Some(&mut observer))?.tagged())
    }

    /// Searches from `starts` inputs on the threads of rayon's pool: the given ones first, then random sums of sines
    /// within the bounds (or with the size of the given start), which depend on `seed` and not on the number of
    /// threads. `progress` is called when a search has ended, by one thread at a time.
    ///
    /// The result contains every start, lowest cost first and failed ones last: a start that fails is part of the
    /// result. State file and line of progress are those of a single search and not used here.
    ///
    /// # Errors
    /// [`OptimalInputError`] for mistakes that all starts have in common, before anything runs;
    /// [`OptimalInputError::Interrupted`], [`OptimalInputError::Ensemble`].
    pub fn multistart(
        &self,
        starts: usize,
        seed: u64,
        progress: impl FnMut(MultistartProgress) + Send,
    ) -> Result<Vec<DesignMember<M>>, OptimalInputError> {
        self.multistart_in(&Ensemble::new(), starts, seed, progress)
    }

    /// Does as [`multistart`](Self::multistart), in shards or by several processes, with logs in a folder from which
    /// the searches continue, also with a larger number of starts, and with a time limit for each, which is checked
    /// between iterations.
    ///
    /// # Errors
    /// As [`multistart`](Self::multistart).
    pub fn multistart_in(
        &self,
        ensemble: &Ensemble<'_>,
        starts: usize,
        seed: u64,
        mut progress: impl FnMut(MultistartProgress) + Send,
    ) -> Result<Vec<DesignMember<M>>, OptimalInputError> {
        let members = self.definition.multistart(ensemble, (starts, seed), &mut progress)?;
        Ok(members.into_iter().map(DesignMember::tagged).collect())
    }
}
