//! Options that several commands share: parameters, inputs, steps, whole runs, and files to write.

mod assignment;
mod equilibrium;
mod error;
mod files;
mod inputs;
mod parameters;
mod records;
mod run;
mod smoothing;
mod time;
mod words;

pub use assignment::{Amount, check_size, name_and_text};
pub use equilibrium::{EquilibriumOptions, Resting};
pub use error::OptionError;
pub use files::{Format, check_ending, extension, formats};
pub use inputs::{Course, SignalText, course, input};
pub use parameters::{ParameterOptions, parameter};
pub use records::{RecordOptions, given, read_record, since_begin};
pub use run::{LimitOptions, Prepared, RunOptions};
pub use smoothing::{smooth_input, smoothing, smoothness, taken_off};
pub use time::{TimeOptions, positive, scheme};
pub use words::{Word, Words};
