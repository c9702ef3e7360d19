//! Errors of an identification, in groups by what to do next.

mod curve;
mod data;
mod distributed;
mod numbers;
mod request;
mod specification;
mod start_values;

use costate_cost::CostWeightError;
use costate_cost::residuals::ResidualError;
use costate_measure::record::RecordError;
use costate_optimize::{MultistartError, StartError};
use costate_system::ensemble::EnsembleError;
use costate_system::interrupt::Interrupted;
use costate_system::model::{OtherModel, SelectionError};
use costate_system::problem::SimulationError;
use costate_system::state_file::StateFileError;

use crate::prediction_error::PredictionErrorFault;

pub use self::curve::CurveError;
pub use self::data::DataError;
pub use self::distributed::DistributedError;
pub use self::numbers::NumbersError;
pub use self::request::RequestError;
pub use self::specification::SpecificationError;
pub use self::start_values::StartValuesError;

/// An identification that ended without a result, by what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IdentificationError {
    /// Settings that are impossible or contradict each other: change them in the program.
    #[error(transparent)]
    Specification(#[from] SpecificationError),
    /// A record or channel that cannot be used: look at the data, or choose others.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A run at the start values, or its derivatives, with which no fit can begin: choose other start values.
    #[error(transparent)]
    StartValues(#[from] StartValuesError),
    /// The simulation cannot be set up or run.
    #[error(transparent)]
    Simulation(SimulationError),
    /// A question that the identification or its fit cannot answer: ask another one.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A fit by prediction errors that cannot be made, or has no result.
    #[error(transparent)]
    PredictionError(#[from] PredictionErrorFault),
    /// Processes that disagree, or of which one has failed.
    #[error(transparent)]
    Distributed(#[from] DistributedError),
    /// An error of one of several experiments.
    #[error("experiment `{experiment}`")]
    Experiment {
        /// Name of the experiment.
        experiment: String,
        /// The error.
        #[source]
        source: Box<IdentificationError>,
    },
    /// A multistart in which every start has failed.
    #[error("none of the {starts} starts led to a result; the first one failed")]
    EveryStart {
        /// Number of starts.
        starts: usize,
        /// The error of the given start values.
        #[source]
        source: Box<IdentificationError>,
    },
    /// The tasks of a multistart, a bootstrap or profiles cannot be done, or are not all done yet.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
    /// The error of a task, as a log or another process reports it.
    #[error("{message}")]
    Task {
        /// The error with its causes.
        message: String,
    },
    /// Stopped by the [`Interrupt`](costate_system::interrupt::Interrupt).
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The state file cannot be used.
    #[error(transparent)]
    StateFile(#[from] StateFileError),
}

impl From<SimulationError> for IdentificationError {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::Interrupted(run) => Self::Interrupted(run),
            other => Self::Simulation(other),
        }
    }
}

impl From<OtherModel> for IdentificationError {
    fn from(error: OtherModel) -> Self {
        SpecificationError::from(error).into()
    }
}

impl From<SelectionError> for IdentificationError {
    fn from(error: SelectionError) -> Self {
        SpecificationError::from(error).into()
    }
}

impl From<StartError> for IdentificationError {
    fn from(error: StartError) -> Self {
        SpecificationError::from(error).into()
    }
}

impl From<ResidualError> for IdentificationError {
    fn from(error: ResidualError) -> Self {
        SpecificationError::from(error).into()
    }
}

impl From<CostWeightError> for IdentificationError {
    fn from(error: CostWeightError) -> Self {
        SpecificationError::from(error).into()
    }
}

impl From<MultistartError> for IdentificationError {
    fn from(error: MultistartError) -> Self {
        SpecificationError::from(error).into()
    }
}

impl From<RecordError> for IdentificationError {
    fn from(error: RecordError) -> Self {
        DataError::from(error).into()
    }
}

impl IdentificationError {
    /// Adds the name of the experiment of the error.
    pub(crate) fn in_experiment(self, experiment: &str) -> Self {
        match self {
            // an interruption concerns the whole work
            Self::Interrupted(_) | Self::Experiment { .. } => self,
            source => Self::Experiment { experiment: experiment.to_owned(), source: Box::new(source) },
        }
    }

    /// Replaces the run that was interrupted by the whole work.
    pub(crate) fn within(self, work: impl FnOnce() -> Interrupted) -> Self {
        match self {
            Self::Interrupted(_) => Self::Interrupted(work()),
            other => other,
        }
    }
}
