//! Errors of base parameters.

use costate_system::model::{OtherModel, SelectionError};
use costate_system::problem::SimulationError;

/// The reason why there are no base parameters.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BaseParameterError {
    /// No unknown parameter.
    #[error("no parameter of `{model}` is unknown; name at least one")]
    NoUnknowns {
        /// The model's name.
        model: &'static str,
    },
    /// A parameter that is unknown twice, or that the model does not have.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A parameter of another model.
    #[error(transparent)]
    OtherModel(#[from] OtherModel),
    /// The simulation cannot be prepared, or has no initial state.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// No position near the initial one satisfies the constraints.
    #[error(
        "no positions of `{model}` beside the initial ones satisfy the constraints; begin away from dead centres and \
             from the ends of what the mechanism can reach"
    )]
    NoState {
        /// The model's name.
        model: &'static str,
    },
    /// A derivative that is infinite or not a number.
    #[error(
        "the derivative of the forces of `{model}` by `{parameter}` is not finite at random states; leave the \
             parameter out, or write the force so that it is finite everywhere"
    )]
    NotFinite {
        /// The model's name.
        model: &'static str,
        /// The parameter's name.
        parameter: &'static str,
    },
}
