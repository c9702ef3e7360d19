//! Runs of a problem: their computation, and the data that a run keeps.

mod adaptive;
mod levels;
mod scales;
mod stored_run;
mod trajectory;

use crate::problem::{Memory, Problem, RunSizes, SimulationError};
use crate::series::Series;

pub use adaptive::check_room;
pub use levels::{
    OfLevels, combined_lanes, combined_outputs, combined_run, combined_states, differences_to, levels_of,
    outputs_of_levels,
};
pub use scales::Scales;
pub use stored_run::{CheckpointedRun, LevelRuns, RunStates, RunStatesStored, StoredCheckpoints, StoredRun};
pub use trajectory::Trajectory;

impl Problem {
    /// Runs the simulation with these parameters and keeps the data that a gradient needs, all states or
    /// checkpoints as `Settings::checkpoints` say.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn run(&self, parameters: &[f64]) -> Result<StoredRun, SimulationError> {
        self.check_count(parameters.len())?;
        self.system().run(self, parameters)
    }

    /// Computes the outputs s_i at all steps of a run with these parameters, and keeps nothing else.
    ///
    /// # Errors
    /// As [`forward`](Self::forward), except [`SimulationError::Memory`]: `memory_limit` concerns the memory
    /// of all states.
    pub fn outputs(&self, parameters: &[f64]) -> Result<Series<f64>, SimulationError> {
        self.check_count(parameters.len())?;
        self.system().outputs(self, parameters)
    }

    /// Runs the simulation with these parameters, DA (12) to (15), and stores all states whatever
    /// `Settings::checkpoints` say.
    ///
    /// # Errors
    /// Every [`SimulationError`] except those of settings and inputs, which are checked already;
    /// [`SimulationError::ParameterCount`] for another number of parameters than the model has.
    pub fn forward(&self, parameters: &[f64]) -> Result<Trajectory, SimulationError> {
        self.check_count(parameters.len())?;
        self.check_room_for_all(&RunSizes::of(self.system()))?;
        self.system().forward(self, parameters)
    }

    /// Checks whether a motion can begin with the model's initial values and masses.
    #[doc(hidden)]
    pub fn check_start(&self, parameters: &[f64]) -> Result<(), SimulationError> {
        self.check_count(parameters.len())?;
        Ok(self.system().check_start(self, parameters)?)
    }

    /// Checks whether the machine and the settings have room for the states of a whole run.
    ///
    /// # Errors
    /// [`SimulationError::Memory`], [`SimulationError::OutOfMemory`].
    #[doc(hidden)]
    pub fn check_room_for_all(&self, sizes: &RunSizes) -> Result<(), SimulationError> {
        let memory = Memory::of_all(self.steps(), sizes);
        memory.check(self.settings(), self.steps())?;
        Ok(memory.check_runs(self.steps(), 1)?)
    }

    /// Checks the number of parameters.
    ///
    /// # Errors
    /// [`SimulationError::ParameterCount`].
    #[doc(hidden)]
    pub fn check_count(&self, given: usize) -> Result<(), SimulationError> {
        let model = self.description();
        let expected = model.parameters.len();
        match given == expected {
            true => Ok(()),
            false => Err(SimulationError::ParameterCount { model: model.name, expected, given }),
        }
    }
}
