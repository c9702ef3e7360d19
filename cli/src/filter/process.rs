//! A model as the process of a filter.

use costate::filter::ImplicitModel;
use costate::model::Model;
use costate_filter::{Gaussian, StateSpace};
use costate_scalar::array;
use costate_system::identifiers::Output;
use costate_system::problem::Problem;

use super::Following;
use crate::error::CommandError;
use crate::loaded::Loaded;
use crate::loaded::engine_mount::EngineMount;

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

/// Makes a process of a loaded model: of the compiled engine mount, until models that are known when they are loaded can be state spaces.
///
/// # Errors
/// [`CommandError::NoStateSpace`] for other models, and those of the initial state.
pub fn of(
    loaded: &Loaded,
    problem: &Problem,
    values: &[f64],
    following: &[Following],
    outputs: &[Output],
) -> Result<Process, CommandError> {
    match loaded.compiled.model.name == "EngineMount" {
        true => of_compiled::<EngineMount>(problem, values, following, outputs),
        false => Err(CommandError::NoStateSpace(loaded.compiled.model.name.to_string())),
    }
}

/// Makes a process of a model that was compiled with this program.
fn of_compiled<M: Model>(
    problem: &Problem,
    values: &[f64],
    following: &[Following],
    outputs: &[Output],
) -> Result<Process, CommandError> {
    let model = M::from_parameters(&array(values));
    let parameters = following.iter().map(|one| costate::Parameter::<M>::named(one.parameter.name()));
    let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
    let outputs = outputs.iter().map(|output| costate::Output::<M>::named(output.name()));
    let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
    let process = ImplicitModel::new(problem, &model).estimate(parameters.iter().copied()).outputs(outputs);
    let deviations: Vec<f64> = following.iter().map(|one| one.start.1).collect();
    let initial = process.initial(&[], &[], &deviations)?;
    let places = parameters.iter().filter_map(|parameter| process.place(*parameter)).collect();
    Ok(Process { inputs: process.input_rows(), space: Box::new(process), initial, places })
}
