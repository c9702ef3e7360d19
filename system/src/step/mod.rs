//! What a step is, and what becomes of it: the scheme and its numbers, settings, states, errors. Who makes steps stands above.

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
