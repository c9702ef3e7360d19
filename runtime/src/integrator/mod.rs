//! Time integration with the HHT method, from a consistent initial state.

mod entrywise;
mod error;
mod hht;
mod initial;
mod newton;
mod outputs;
mod rows;
mod settings;
mod sizes;
mod state;
mod statistics;
mod stored;

pub use error::{SimulationError, Unknown};
pub use initial::{InitialStateError, Involved};
pub use settings::{NewtonSettings, Settings, SettingsError};
pub use state::State;
pub use statistics::Statistics;

#[cfg(target_arch = "x86_64")]
pub(crate) use hht::run_lanes;
pub(crate) use hht::{Hht, Snapshot, run};
pub(crate) use initial::{
    Consistent, Start, check_parameters, consistent_state, initial_derivatives, initial_input_derivatives,
    initial_state,
};
pub(crate) use outputs::{OutputSampler, run_outputs};
pub(crate) use rows::Rows;
#[cfg(target_arch = "x86_64")]
pub(crate) use state::gather;
pub(crate) use state::{component_into, lift_into, real_into, real_part};
pub(crate) use stored::{FETCH_AHEAD, fetch_row};
