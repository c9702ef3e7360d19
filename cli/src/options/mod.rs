//! Options that several commands share: parameters, inputs, steps, and files to write.

mod assignment;
mod inputs;
mod parameters;
mod time;

pub use assignment::{Amount, name_and_text};
pub use inputs::{InputOptions, SignalText, input};
pub use parameters::{ParameterOptions, parameter};
pub use time::TimeOptions;
