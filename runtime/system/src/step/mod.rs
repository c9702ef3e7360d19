//! The data of a step: the scheme and its weights, settings, states, errors. The steps themselves are made by
//! other crates.

mod blocks;
mod error;
mod moment;
mod scheme;
mod settings;
mod state;
mod statistics;
mod table_rates;

pub use blocks::Blocks;
pub use error::{Stall, StepError, Unknown};
pub use moment::Moment;
pub use scheme::Scheme;
pub use settings::NewtonSettings;
pub use state::State;
pub use statistics::Statistics;
pub use table_rates::TableRates;
