//! A model as the process of a filter.

use costate::filter::{Gaussian, StateSpace};
use costate::model::Output;
use costate::simulate::Problem;

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

/// Makes a process of a loaded model, whose steps are those of a run.
///
/// # Errors
/// Those of the initial state.
pub fn of(
    loaded: &Loaded,
    (problem, values): (&Problem, &[f64]),
    following: &[Following],
    outputs: &[Output],
) -> Result<Process, CommandError> {
    let parameters: Vec<_> = following.iter().map(|one| one.parameter).collect();
    let process =
        loaded.model.process(problem, values)?.estimate(parameters.iter().copied()).outputs(outputs.iter().copied());
    let deviations: Vec<f64> = following.iter().map(|one| one.start.1).collect();
    let initial = process.initial_by_parameters(&deviations)?;
    let places = parameters.iter().filter_map(|parameter| process.place(*parameter)).collect();
    let inputs = process.input_rows();
    Ok(Process { space: Box::new(process), inputs, initial, places })
}
