//! Errors of a search for an optimal input.

use std::path::Path;

use costate_optimize::{MethodError, StartError};
use costate_system::ensemble::EnsembleError;
use costate_system::input::InputError;
use costate_system::interrupt::{Interrupted, InterruptedWork};
use costate_system::problem::SimulationError;
use costate_system::state_file::StateFileError;

use crate::InformationError;

/// A search for an optimal input that ended without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum OptimalInputError {
    /// A search without designed inputs.
    #[error("no input of `{model}` is designed; name one with `.design(DesignedInput::samples(input, start))`")]
    NoInputs { model: &'static str },
    /// An input that is designed twice.
    #[error("the input `{input}` is designed twice; name it once")]
    RepeatedInput { input: &'static str },
    /// No sensors.
    #[error("no output of `{model}` is measured; name sensors with `.sensors(noise)`")]
    NoSensors { model: &'static str },
    /// Bounds without a range between them.
    #[error(
        "the bounds [{lower}, {upper}] of the input `{input}` are not possible; give finite ones, the lower one less \
             than the upper \
             one", lower = costate_contract::shown::Exact(*lower), upper = costate_contract::shown::Exact(*upper)
    )]
    Bounds { input: &'static str, lower: f64, upper: f64 },
    /// A start outside of the bounds.
    #[error(
        "the input `{input}` starts with {value}, outside of its bounds [{lower}, {upper}]; change one of \
             them", value = costate_contract::shown::Exact(*value), lower = costate_contract::shown::Exact(*lower),
             upper = costate_contract::shown::Exact(*upper)
    )]
    Start { input: &'static str, value: f64, lower: f64, upper: f64 },
    /// A shape without values that could be projected.
    #[error(
        "projection keeps bounds of sampled values only, not of {shape}; choose `Bounding::Arctangent` or \
         `Bounding::Logistic` for the input `{input}`"
    )]
    Projection { input: &'static str, shape: &'static str },
    /// Too few knots.
    #[error("the input `{input}` has {given} knots, at least 2 are needed")]
    FewKnots { input: &'static str, given: usize },
    /// Knots that do not increase.
    #[error(
        "knot {index} of the input `{input}`, counted from 0, is at {time} s, the one before at {previous} s: times \
             must be finite and \
             increase", time = costate_contract::shown::Exact(*time),
             previous = costate_contract::shown::Exact(*previous)
    )]
    Knots { input: &'static str, index: usize, time: f64, previous: f64 },
    /// An infinite number or NaN in a shape.
    #[error("{shape} of the input `{input}` has the value {value}; all its numbers must be \
         finite", value = costate_contract::shown::Shown(*value))]
    NotFinite { input: &'static str, shape: &'static str, value: f64 },
    /// A limit that is not positive.
    #[error("the limit of the {limit} is {most}; give a positive, finite \
         number", most = costate_contract::shown::Shown(*most))]
    Limit { limit: String, most: f64 },
    /// A limit of an input that is not designed.
    #[error(
        "the {limit} is limited, but this input is not designed; remove the limit, or add the input with `.design(..)`"
    )]
    LimitedInput { limit: String },
    /// An end condition without size.
    #[error(
        "the end condition of `{condition}`, {target}, has the scale {scale}, as the quantity is constant or not \
             finite with the start input: give a typical size with `.scaled(size)`, and a finite \
             target", target = costate_contract::shown::Exact(*target), scale = costate_contract::shown::Exact(*scale)
    )]
    Scale { condition: String, scale: f64, target: f64 },
    /// A setting that is out of range.
    #[error("`{setting}` is {value}; choose a value from {low} to \
         {high}", value = costate_contract::shown::Exact(*value), low = costate_contract::shown::Exact(*low),
         high = costate_contract::shown::Exact(*high))]
    Setting { setting: &'static str, value: f64, low: f64, high: f64 },
    /// A start input without information.
    #[error(
        "with the start input the outputs do not determine the parameters ({criterion} is {cost}): choose another \
             start input, with which every parameter influences the \
             outputs", cost = costate_contract::shown::Shown(*cost)
    )]
    NoInformation { criterion: crate::Criterion, cost: f64 },
    /// Information that cannot be computed.
    #[error(transparent)]
    Information(InformationError),
    /// An impossible input signal.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A simulation that cannot be set up.
    #[error(transparent)]
    Simulation(SimulationError),
    /// Impossible settings of the optimizer.
    #[error(transparent)]
    Optimizer(#[from] StartError),
    /// A method of the optimizer that cannot be used.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A criterion or gradient that is not finite at the start.
    #[error("the criterion or its gradient is not finite with the start input; choose another one")]
    StartNotFinite,
    /// A multistart without starts.
    #[error("a multistart needs at least one start; give their number")]
    NoStarts,
    /// Searches of a multistart that cannot be done as tasks, or are not all done yet.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
    /// The error of a search of a multistart, as a log or another process reports it.
    #[error("{message}")]
    Task { message: String },
    /// Stopped by the [`Interrupt`](costate_system::interrupt::Interrupt).
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A state file that cannot be used.
    #[error(transparent)]
    StateFile(#[from] StateFileError),
}

impl From<SimulationError> for OptimalInputError {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::Interrupted(run) => Self::Interrupted(run),
            other => Self::Simulation(other),
        }
    }
}

impl From<InformationError> for OptimalInputError {
    fn from(error: InformationError) -> Self {
        match error {
            InformationError::Simulation(SimulationError::Interrupted(run)) => Self::Interrupted(run),
            other => Self::Information(other),
        }
    }
}

impl OptimalInputError {
    /// Replaces a run that was interrupted by the whole work.
    pub(super) fn within(self, work: impl FnOnce() -> Interrupted) -> Self {
        match self {
            Self::Interrupted(_) => Self::Interrupted(work()),
            other => other,
        }
    }
}

/// Returns the error of a search that was interrupted after these iterations.
pub(super) fn interrupted(iterations: usize, file: Option<&Path>) -> Interrupted {
    Interrupted::with_state(InterruptedWork::OptimalInput { iterations }, file)
}
