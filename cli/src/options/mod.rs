//! Options that several commands share: parameters, inputs, steps, and files to write.

mod assignment;
mod inputs;
mod parameters;
mod time;

pub use assignment::Amount;
pub use inputs::InputOptions;
pub use parameters::ParameterOptions;
pub use time::TimeOptions;
