//! The errors of a run.

use costate_contract::machine::{Bytes, OutOfMemory};
use costate_contract::shown::{Exact, Shown};
use costate_contract::units::UnitError;

use crate::input::InputError;
use crate::interrupt::Interrupted;
use crate::model::{OtherModel, SelectionError};
use crate::step::StepError;
use crate::table::{MissingTable, TableFault};

use super::settings::SettingsError;

mod cost;
mod equilibrium;
mod inaccuracy;
mod initial_state;
mod other_problem;
mod prediction;
mod undefined_output;
mod unseen_change;

pub use cost::CostDerivativeError;
pub use equilibrium::EquilibriumError;
pub use inaccuracy::{Inaccuracy, NegativeMass, Remedy};
pub use initial_state::{InitialStateError, Involved};
pub use other_problem::{OtherProblem, ProblemDifference};
pub use prediction::PredictionError;
pub use undefined_output::UndefinedOutput;
pub use unseen_change::{Changing, UnseenChange};

/// The reason why a simulation cannot start or continue.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum SimulationError {
    /// A setting cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An input is missing or not finite.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A table has no data.
    #[error(transparent)]
    Table(#[from] MissingTable),
    /// A gradient with respect to parameters that the model does not have, or that are named twice.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A gradient of a run of another problem.
    #[error(transparent)]
    OtherProblem(#[from] OtherProblem),
    /// A gradient of a cost whose derivatives do not belong to the run.
    #[error(transparent)]
    CostDerivatives(#[from] CostDerivativeError),
    /// A table from a file in a unit that the model's table does not have.
    #[error(transparent)]
    TableUnit(#[from] Box<UnitError>),
    /// Values that a table cannot have.
    #[error("the table `{table}`: {reason}")]
    TableValues { table: &'static str, reason: String },
    /// An input or output of another model.
    #[error(transparent)]
    OtherModel(#[from] OtherModel),
    /// Another number of parameters than the model has.
    #[error(
        "the model `{model}` has {expected} parameters, {given} values are given: give one for each, in their order"
    )]
    ParameterCount { model: &'static str, expected: usize, given: usize },
    /// A model that another version of the compiler has written.
    #[error(
        "the model `{model}` was compiled for version {given} of the runtime's tables, this runtime has version \
         {expected}: take `costate`, `costate-macros` and `costate-compiler` of one version, and expand the model again"
    )]
    Version { model: &'static str, expected: u32, given: u32 },
    /// There is no consistent initial state.
    #[error(transparent)]
    InitialState(#[from] InitialStateError),
    /// The run would need more memory than the settings allow.
    #[error(
        "the run of {steps} steps needs {}, `memory_limit` is {}: take a larger step or an earlier end, raise \
         `memory_limit`, or set `checkpoints`",
        Bytes(*needed), Bytes(*limit)
    )]
    Memory { steps: usize, needed: u64, limit: u64 },
    /// A budget that is too small for a gradient with a few snapshots.
    #[error(
        "setting `{field}` is {bytes} bytes, it must be at least {needed} bytes: inputs, outputs, two checkpoints and \
         a step in between take as much. Raise it or take fewer steps"
    )]
    Checkpoints {
        /// The setting, `checkpoints` or `memory_limit`.
        field: &'static str,
        bytes: u64,
        needed: u64,
    },
    /// The machine does not have the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// Stopped by the `Interrupt`.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A simulation of another process has failed, with the message of that process.
    #[error("in another process: {message}")]
    Elsewhere {
        message: String,
        /// True if the simulation would fail with any parameters.
        anywhere: bool,
    },
    /// A step has no solution.
    #[error(transparent)]
    Step(#[from] StepError),
    /// Adaptive steps that would have to be shorter than the finest ones.
    #[error(
        "at {time} s steps of {step} s still leave more than the tolerance of `Steps::Adaptive` allows: a force may \
         jump by very much there, or grow without bound; look at the model at this time, or take a larger tolerance",
        time = Exact(*time), step = Exact(*step)
    )]
    StepTooSmall { time: f64, step: f64 },
    /// The step is too large for the accuracy that the settings require.
    #[error(transparent)]
    Inaccurate(#[from] Box<Inaccuracy>),
    /// An input, or a force, changes between two samples in a way that the run does not resolve.
    #[error(
        "{0}, which a run with these steps does not resolve: take steps that are shorter than this change, \
         or smooth it"
    )]
    UnseenChange(UnseenChange),
    /// A motion has a negative mass, with which no result means anything.
    #[error("{0}, with which no result means anything: make it positive wherever the motion goes")]
    NegativeMass(NegativeMass),
    /// An output is infinite or not a number, while the motion goes on.
    #[error(
        "the output `{}` is {} at {} s, though the motion is well: look in its expression for a division by zero, or \
         a root or logarithm of a negative number, or `judge` the run by the outputs that matter",
        .0.output, Shown(.0.value), Shown(.0.time)
    )]
    UndefinedOutput(UndefinedOutput),
    /// A prediction that takes the place of a run has failed.
    #[error("the prediction `{prediction}` fails at these parameters")]
    Prediction { prediction: String, source: PredictionError },
}

impl From<TableFault> for SimulationError {
    fn from(fault: TableFault) -> Self {
        match fault {
            TableFault::Missing(missing) => missing.into(),
            TableFault::Unit(unit) => unit.into(),
            TableFault::OtherModel(other) => other.into(),
        }
    }
}

impl SimulationError {
    /// Returns true if the simulation would fail with any values of parameters and inputs, or was stopped.
    #[doc(hidden)]
    pub fn fails_anywhere(&self) -> bool {
        if let Self::Prediction { source, .. } = self {
            return source.fails_anywhere();
        }
        matches!(
            self,
            Self::Settings(_)
                | Self::Input(_)
                | Self::Selection(_)
                | Self::OtherProblem(_)
                | Self::CostDerivatives(_)
                | Self::Memory { .. }
                | Self::Checkpoints { .. }
                | Self::OutOfMemory(_)
                | Self::Interrupted(_)
                | Self::Elsewhere { anywhere: true, .. }
        )
    }
}
