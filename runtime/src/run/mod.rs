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
use crate::problem::{Memory, Plan, Problem, SimulationError};
use crate::scalar::Scalar;
use crate::series::Series;

pub use stored_run::{RunStates, StoredRun};
pub use trajectory::Trajectory;

pub(crate) use constants::RunConstants;
pub(crate) use forward::integrator;
pub(crate) use lanes::run_lanes;
pub(crate) use scales::Scales;
pub(crate) use states::{Backward, Forward, States};

impl<M: Model> Problem<M> {
    /// Runs the simulation with these parameters and keeps what a gradient needs, all states or checkpoints as
    /// [`Settings::checkpoints`](crate::simulate::Settings::checkpoints) say.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    #[inline(never)]
    pub fn run(&self, parameters: &M::Parameters<f64>) -> Result<StoredRun<M>, SimulationError> {
        self.run_planned(self.plan(), parameters)
    }

    /// A run in any number type, as [`run`](Self::run); with [`Dual`](crate::model::Dual) numbers what a derivative of the gradient needs.
    ///
    /// # Errors
    /// As [`forward`](Self::forward); [`SimulationError::Memory`] and [`SimulationError::Checkpoints`], as such numbers
    /// need more than plain ones.
    #[inline(never)]
    pub fn run_in<S: Scalar>(
        &self,
        parameters: &M::Parameters<S>,
    ) -> Result<StoredRun<M, S>, SimulationError> {
        let (plan, _) = Memory::planned::<M, S>(self.settings(), self.steps())?;
        self.run_planned(plan, parameters)
    }

    fn run_planned<S: Scalar>(
        &self,
        plan: Option<Plan>,
        parameters: &M::Parameters<S>,
    ) -> Result<StoredRun<M, S>, SimulationError> {
        let Some(plan) = plan else {
            let trajectory = self.forward(parameters)?;
            return Ok(StoredRun::all(trajectory.outputs(), trajectory));
        };
        let (outputs, run) = checkpoints::run(self, plan, parameters)?;
        Ok(StoredRun::checkpoints(outputs, run))
    }

    /// The outputs s_i at all steps of a run with these parameters, of which nothing else is kept. With
    /// [`Dual`](crate::model::Dual) numbers they carry their exact derivatives.
    ///
    /// # Errors
    /// As [`forward`](Self::forward), but no [`SimulationError::Memory`]: `memory_limit` is of all states.
    #[inline(never)]
    pub fn outputs<S: Scalar>(&self, parameters: &M::Parameters<S>) -> Result<Series<S>, SimulationError> {
        outputs::run_outputs(self, parameters)
    }

    /// Runs the simulation with these parameters, DA (12) to (15), and stores all states whatever
    /// [`Settings::checkpoints`](crate::simulate::Settings::checkpoints) say. With [`Dual`](crate::model::Dual) numbers the result
    /// carries the exact derivative of the computed numbers.
    ///
    /// # Errors
    /// Every [`SimulationError`] except those of settings and inputs, which are checked already.
    #[inline(never)]
    pub fn forward<S: Scalar>(
        &self,
        parameters: &M::Parameters<S>,
    ) -> Result<Trajectory<M, S>, SimulationError> {
        let memory = Memory::of_all::<M, S>(self.steps());
        memory.check(self.settings(), self.steps())?;
        memory.check_runs(self.steps(), 1)?;
        forward::run(self, parameters)
    }
}
