//! Equilibria, and small vibrations about them: linear models, modes, frequency responses, and their derivatives.
//!
//! [`Equilibrium`] is where everything begins; [`LinearModel`] has the matrices about it, [`Modes`] and
//! [`FrequencyResponse`] what follows from these. The type of the model is only a tag: everything is computed from the
//! functions of a model at points.

mod animation;
mod derivatives;
mod eigenpairs;
mod equilibrium;
mod error;
mod frequency_response;
pub mod harmonic;
mod kinks;
mod linear_model;
mod modal_prediction;
mod mode;
mod mode_table;
mod outputs;
mod participation;
mod place;
mod poles;
mod response_prediction;
mod search;
mod shares;
mod sparse;
mod state_space;
pub mod stiffness;

pub use costate_system::equilibrium::{EquilibriumError, SteadyMotion};
pub use derivatives::{LinearDerivatives, ModeDerivatives, ResponseDerivatives};
pub use equilibrium::Equilibrium;
pub use error::VibrationError;
pub use frequency_response::FrequencyResponse;
pub use linear_model::LinearModel;
pub use modal_prediction::ModalPrediction;
pub use mode::{Mode, ModeKind, Modes, modal_assurance};
pub use nalgebra::Complex;
pub use participation::ElementShares;
pub use poles::{PoleBranch, Poles};
pub use response_prediction::ResponsePrediction;
pub use search::EquilibriumSearch;
pub use shares::EnergyShares;
pub use state_space::{DiscreteStateSpace, StateSpace};
