//! Time integration with the HHT method, from a consistent initial state.

mod error;
mod hht;
mod initial;
mod newton;
mod outputs;
mod rows;
mod settings;
mod state;
mod statistics;

pub use error::{SimulationError, Unknown};
pub use initial::InitialStateError;
pub use settings::{NewtonSettings, Settings, SettingsError};
pub use state::State;
pub use statistics::Statistics;

pub(crate) use hht::{Hht, Snapshot, run};
pub(crate) use initial::{initial_derivatives, initial_state};
pub(crate) use outputs::{OutputSampler, run_outputs};
pub(crate) use rows::Rows;
pub(crate) use state::{lift_into, real_part};
