//! Compiled models for the command, until models are interpreted.
#![allow(missing_docs, clippy::all)]

mod mount;
mod osc;
mod pend;

use costate::filter::{FilterError, Gaussian, ImplicitModel, StateSpace};
use costate::model::Vector;
use costate::simulate::Problem;
use costate::{Model, Output, Parameter};
use costate_system::model::UnknownName;
use costate_system::system::{Differentiable, SecondOrder};

pub fn runnable(name: &str) -> (&'static dyn Differentiable, &'static dyn SecondOrder) {
    match name {
        "Oscillator" => (osc::Oscillator::differentiable(), osc::Oscillator::second_order()),
        "Pendulum" => (pend::Pendulum::differentiable(), pend::Pendulum::second_order()),
        _ => (mount::EngineMount::differentiable(), mount::EngineMount::second_order()),
    }
}

/// A process, its inputs, its start, and the places of the estimated parameters among its states.
pub type Process = (Box<dyn StateSpace>, Vec<f64>, Gaussian, Vec<usize>);

#[derive(Debug)]
pub enum ProcessError {
    Name(UnknownName),
    Filter(FilterError),
}

/// Returns a process of the model with this name; `None` for models that are not compiled into the command.
pub fn process(
    name: &str,
    of: (&Problem, &[f64]),
    estimated: &[(&str, f64)],
    outputs: &[&str],
) -> Option<Result<Process, ProcessError>> {
    match name {
        "Oscillator" => Some(of_compiled::<osc::Oscillator>(of, estimated, outputs)),
        "Pendulum" => Some(of_compiled::<pend::Pendulum>(of, estimated, outputs)),
        "EngineMount" => Some(of_compiled::<mount::EngineMount>(of, estimated, outputs)),
        _ => None,
    }
}

fn of_compiled<M: Model>(
    (problem, values): (&Problem, &[f64]),
    estimated: &[(&str, f64)],
    outputs: &[&str],
) -> Result<Process, ProcessError> {
    let mut parameters = M::Parameters::<f64>::zeros();
    parameters.as_mut().copy_from_slice(values);
    let model = M::from_parameters(&parameters);
    let estimated_parameters: Result<Vec<_>, _> =
        estimated.iter().map(|(name, _)| Parameter::<M>::named(name)).collect();
    let estimated_parameters = estimated_parameters.map_err(ProcessError::Name)?;
    let outputs: Result<Vec<_>, _> = outputs.iter().map(|name| Output::<M>::named(name)).collect();
    let process = ImplicitModel::new(problem, &model)
        .estimate(estimated_parameters.iter().copied())
        .outputs(outputs.map_err(ProcessError::Name)?);
    let deviations: Vec<f64> = estimated.iter().map(|(_, deviation)| *deviation).collect();
    let initial = process.initial(&[], &[], &deviations).map_err(ProcessError::Filter)?;
    let places = estimated_parameters.iter().filter_map(|parameter| process.place(*parameter)).collect();
    let inputs = process.input_rows();
    Ok((Box::new(process), inputs, initial, places))
}
