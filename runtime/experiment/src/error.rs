//! Errors of noise and information.

use costate_contract::machine::OutOfMemory;
use costate_identify::IdentificationError;
use costate_numerics::linalg::MatrixFault;
use costate_optimize::VariableError;
use costate_system::ensemble::EnsembleError;
use costate_system::interrupt::Interrupted;
use costate_system::model::SelectionError;
use costate_system::problem::SimulationError;
use costate_system::state_space::CovarianceFault;

/// Noise that is impossible for sensors.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum NoiseError {
    /// No output is measured.
    #[error("no output of `{model}` is measured; name at least one with its standard deviation")]
    NoSensors { model: &'static str },
    /// An output that is measured twice.
    #[error(
        "the output `{output}` is named twice; name it once (two sensors with the standard deviation s each are one \
             with s/sqrt(2))"
    )]
    RepeatedOutput { output: &'static str },
    /// A standard deviation that is not positive.
    #[error(
        "the standard deviation {deviation} of the output `{output}` is not a positive number; choose one above \
             0", deviation = costate_contract::shown::Shown(*deviation)
    )]
    Deviation { output: &'static str, deviation: f64 },
    /// A matrix that is no covariance of the outputs.
    #[error("the covariance of the noise of {} {fault}", .outputs.join(", "))]
    Covariance { outputs: Vec<&'static str>, fault: CovarianceFault },
}

/// Information that cannot be computed.
///
/// `row` is counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum InformationError {
    /// Impossible sensors.
    #[error(transparent)]
    Noise(#[from] NoiseError),
    /// No unknown parameter.
    #[error("no parameter of `{model}` is unknown; name at least one")]
    NoUnknowns { model: &'static str },
    /// A parameter that is unknown twice, or that the model does not have.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The value or the scaling of an unknown parameter.
    #[error(transparent)]
    Variable(#[from] VariableError),
    /// The experiment cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A sampling interval of no steps.
    #[error(
        "samples every {every} steps are not possible; give a number from 1 to {limit}, the number of steps of the run"
    )]
    Sampling { every: usize, limit: usize },
    /// A sensitivity is infinite or not a number, or too large to be squared.
    #[error(
        "the derivative of `{output}` with respect to `{parameter}`, divided by the standard deviation of the noise, \
             is {value} at {time} s; it must be finite and less than \
             1e150", value = costate_contract::shown::Exact(*value), time = costate_contract::shown::Exact(*time)
    )]
    Sensitivity { output: &'static str, parameter: &'static str, time: f64, value: f64 },
    /// Two experiments with different unknown parameters, or different values of them.
    #[error(
        "information of {first} cannot be added to that of {second}; take the same unknown parameters, values and \
             scaling"
    )]
    DifferentParameters { first: String, second: String },
    /// Knowledge of a parameter that is not unknown.
    #[error("`{name}` is not among the unknown parameters, {}; leave its prior deviation out", .unknown.join(", "))]
    NotUnknown { name: &'static str, unknown: Vec<&'static str> },
    /// A prior standard deviation that is not positive.
    #[error(
        "the prior standard deviation {deviation} of `{name}` is not a positive number; choose one above \
             0", deviation = costate_contract::shown::Shown(*deviation)
    )]
    PriorDeviation { name: &'static str, deviation: f64 },
    /// A prior covariance that is no covariance.
    #[error("the prior covariance of {} {fault}", .unknown.join(", "))]
    PriorCovariance { unknown: Vec<&'static str>, fault: CovarianceFault },
    /// A comparison without sensors.
    #[error("there are no sensors to compare; give at least one set of them")]
    NothingToCompare,
    /// A matrix that is no information matrix: it must have finite numbers, be symmetric, and have as many rows as
    /// columns, at least one.
    #[error("the information matrix {0}")]
    Matrix(MatrixFault),
    /// A criterion that needs every parameter to be determined.
    #[error(
        "the information matrix is singular: with the parameters before it unknown as well, parameter {row}, counted \
             from 0, keeps {pivot:e} of its information, and at least {limit:e} is needed. Measure more outputs, \
             treat the parameter as known, or add prior information"
    )]
    Singular { row: usize, pivot: f64, limit: f64 },
}

/// Repetitions of an identification without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum RepetitionsError {
    /// No repetitions requested.
    #[error("the number of repetitions is 0; give at least 1")]
    NoRepetitions,
    /// The experiment has no information.
    #[error(transparent)]
    Information(#[from] InformationError),
    /// A parameter of the sensitivities that the identification does not have.
    #[error(
        "the parameter `{name}` is not among the unknowns of the repeated identification; add it with `.unknown([..])`"
    )]
    NotIdentified { name: &'static str },
    /// More repetitions than the machine has memory for.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// Repetitions that have all failed.
    #[error("none of the {repetitions} repetitions led to a result; the first one failed")]
    EveryRepetition {
        repetitions: usize,
        #[source]
        source: Box<IdentificationError>,
    },
    /// The repetitions cannot be done, or are not all done yet.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
    /// Stopped by the [`Interrupt`](costate_system::interrupt::Interrupt).
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

// the text of the fault is in the message, so that the fault is not listed as a cause as well
impl From<MatrixFault> for InformationError {
    fn from(fault: MatrixFault) -> Self {
        Self::Matrix(fault)
    }
}
