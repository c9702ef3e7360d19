//! A model as the process of a filter.

use costate_cli_interim::ProcessError;
use costate_filter::{Gaussian, StateSpace};
use costate_system::identifiers::Output;
use costate_system::problem::Problem;

use super::Following;
use crate::error::CommandError;
use crate::loaded::Loaded;

/// A process, and where its states begin.
pub struct Process {
    /// The process.
    pub space: Box<dyn StateSpace>,
    /// One row of inputs for every sample.
    pub inputs: Vec<f64>,
    /// The state at the first sample.
    pub initial: Gaussian,
    /// Places of the followed parameters among the states.
    pub places: Vec<usize>,
}

/// Makes a process of a loaded model: of one that is built into the command, until interpreted models can be state spaces.
///
/// # Errors
/// [`CommandError::NoStateSpace`] for other models, and those of the initial state.
pub fn of(
    loaded: &Loaded,
    (problem, values): (&Problem, &[f64]),
    following: &[Following],
    outputs: &[Output],
) -> Result<Process, CommandError> {
    let name = loaded.compiled.model.name.to_string();
    let estimated: Vec<_> = following.iter().map(|one| (one.parameter.name(), one.start.1)).collect();
    let outputs: Vec<_> = outputs.iter().map(|output| output.name()).collect();
    match costate_cli_interim::process(&name, (problem, values), &estimated, &outputs) {
        None => Err(CommandError::NoStateSpace(name)),
        Some(Ok((space, inputs, initial, places))) => Ok(Process { space, inputs, initial, places }),
        Some(Err(ProcessError::Name(error))) => Err(error.into()),
        Some(Err(ProcessError::Filter(error))) => Err(error.into()),
    }
}
