//! Runs of a problem: the loops over steps, of one run or of several in lanes, and what they keep.

mod adaptive;
mod checkpoints;
mod constants;
mod forward;
mod lanes;
mod outputs;
mod scales;
mod states;
mod stored;
mod stored_run;
mod trajectory;

use crate::model::Model;
use crate::problem::{Memory, Plan, Problem, RunSizes, SimulationError};
use crate::scalar::Scalar;
use crate::series::Series;
use crate::step::{Snapshot, State};

pub use scales::Scales;
pub use stored_run::{RunStates, StoredRun};
pub use trajectory::Trajectory;

pub(crate) use adaptive::plan_steps;
pub(crate) use constants::{RunConstants, constants_of};
pub(crate) use forward::{integrator, run_forward};
pub(crate) use lanes::run_lanes;
pub(crate) use outputs::run_outputs;
pub(crate) use states::{Backward, Forward};
pub(crate) use trajectory::{RunBasis, outputs_of};

impl Problem {
    /// Runs the simulation with these parameters and keeps what a gradient needs, all states or checkpoints as
    /// [`Settings::checkpoints`](crate::simulate::Settings::checkpoints) say.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn run(&self, parameters: &[f64]) -> Result<StoredRun, SimulationError> {
        self.check_count(parameters.len())?;
        self.system().run(self, parameters)
    }

    /// The outputs s_i at all steps of a run with these parameters, of which nothing else is kept.
    ///
    /// # Errors
    /// As [`forward`](Self::forward), but no [`SimulationError::Memory`]: `memory_limit` is of all states.
    pub fn outputs(&self, parameters: &[f64]) -> Result<Series<f64>, SimulationError> {
        self.check_count(parameters.len())?;
        self.system().outputs(self, parameters)
    }

    /// Runs the simulation with these parameters, DA (12) to (15), and stores all states whatever
    /// [`Settings::checkpoints`](crate::simulate::Settings::checkpoints) say.
    ///
    /// # Errors
    /// Every [`SimulationError`] except those of settings and inputs, which are checked already;
    /// [`SimulationError::ParameterCount`] for another number of parameters than the model has.
    pub fn forward(&self, parameters: &[f64]) -> Result<Trajectory, SimulationError> {
        self.check_count(parameters.len())?;
        self.check_room_for_all(&RunSizes::of(self.system()))?;
        self.system().forward(self, parameters)
    }

    /// Whether what the model gives for the start, and its masses, are such that a motion begins.
    pub(crate) fn check_start(&self, parameters: &[f64]) -> Result<(), SimulationError> {
        self.check_count(parameters.len())?;
        Ok(self.system().check_start(self, parameters)?)
    }

    fn check_room_for_all(&self, sizes: &RunSizes) -> Result<(), SimulationError> {
        let memory = Memory::of_all(self.steps(), sizes);
        memory.check(self.settings(), self.steps())?;
        Ok(memory.check_runs(self.steps(), 1)?)
    }

    /// # Errors
    /// [`SimulationError::ParameterCount`].
    pub(crate) fn check_count(&self, given: usize) -> Result<(), SimulationError> {
        let model = self.description();
        let expected = model.parameters.len();
        match given == expected {
            true => Ok(()),
            false => Err(SimulationError::ParameterCount { model: model.name, expected, given }),
        }
    }
}

/// Runs of the model `M` in numbers of any type. They are generic over the model because so is the type of the numbers that the
/// model's functions are compiled for.
impl Problem {
    /// As [`run`](Self::run); with [`Dual`](crate::model::Dual) numbers what a derivative of the gradient needs.
    ///
    /// # Errors
    /// As [`forward`](Self::forward); [`SimulationError::OtherProblem`] for a problem of another model;
    /// [`SimulationError::Memory`] and [`SimulationError::Checkpoints`], as such numbers need more than plain ones.
    pub fn run_in<M: Model, S: Scalar>(
        &self,
        parameters: &M::Parameters<S>,
    ) -> Result<StoredRun<S>, SimulationError> {
        self.check_model::<M>()?;
        let (plan, _) = Memory::planned(self.settings(), self.steps(), &sizes::<M, S>())?;
        run_planned::<M, S>(self, plan, parameters)
    }

    /// As [`outputs`](Self::outputs); with [`Dual`](crate::model::Dual) numbers the outputs carry their exact derivatives.
    ///
    /// # Errors
    /// As [`outputs`](Self::outputs); [`SimulationError::OtherProblem`] for a problem of another model.
    pub fn outputs_in<M: Model, S: Scalar>(
        &self,
        parameters: &M::Parameters<S>,
    ) -> Result<Series<S>, SimulationError> {
        self.check_model::<M>()?;
        run_outputs::<M, S>(self, parameters)
    }

    /// As [`forward`](Self::forward); with [`Dual`](crate::model::Dual) numbers the result carries the exact derivative of the
    /// computed numbers.
    ///
    /// # Errors
    /// As [`forward`](Self::forward); [`SimulationError::OtherProblem`] for a problem of another model.
    pub fn forward_in<M: Model, S: Scalar>(
        &self,
        parameters: &M::Parameters<S>,
    ) -> Result<Trajectory<S>, SimulationError> {
        self.check_model::<M>()?;
        self.check_room_for_all(&sizes::<M, S>())?;
        forward::run_forward::<M, S>(self, parameters)
    }

    /// The consistent initial state x_0 = (q0, v0, a0, lambda0) of these parameters.
    ///
    /// # Errors
    /// [`SimulationError::InitialState`] if the model's initial values contradict its constraints or do not determine the motion;
    /// [`SimulationError::OtherProblem`] for a problem of another model.
    pub fn initial_state_in<M: Model, S: Scalar>(
        &self,
        parameters: &M::Parameters<S>,
    ) -> Result<State<M, S>, SimulationError> {
        self.check_model::<M>()?;
        Ok(crate::initial::consistent_state::<M, S>(self, parameters)?.state.typed())
    }

    /// # Errors
    /// [`SimulationError::OtherProblem`] for a problem of another model than `M`.
    pub(crate) fn check_model<M: Model>(&self) -> Result<(), SimulationError> {
        match self.description().is_same(const { &M::DESCRIPTION }) {
            true => Ok(()),
            false => Err(self.conditions().of_other_model(M::DESCRIPTION.name).into()),
        }
    }
}

impl<S: Scalar> Trajectory<S> {
    /// The outputs at all samples of a run of the model `M` in numbers of any type; none of a run of another model.
    pub fn outputs_in<M: Model>(&self) -> Series<S> {
        outputs_of::<M, S>(self)
    }
}

/// What memory depends on, of runs of the model `M` in numbers of the type `S`.
fn sizes<M: Model, S: Scalar>() -> RunSizes {
    let snapshot = Snapshot::<M, S>::bytes();
    RunSizes { model: const { &M::DESCRIPTION }, number: size_of::<S>(), snapshot }
}

/// A run that keeps all states, or checkpoints as the plan says.
pub(crate) fn run_planned<M: Model, S: Scalar>(
    problem: &Problem,
    plan: Option<Plan>,
    parameters: &M::Parameters<S>,
) -> Result<StoredRun<S>, SimulationError> {
    if let Some(plan) = plan {
        return checkpoints::run::<M, S>(problem, plan, parameters);
    }
    problem.check_room_for_all(&sizes::<M, S>())?;
    let trajectory = forward::run_forward::<M, S>(problem, parameters)?;
    Ok(StoredRun::all(outputs_of::<M, S>(&trajectory), trajectory))
}
