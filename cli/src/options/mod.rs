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
pub use files::{Format, extension, formats};
pub use inputs::{Course, SignalText, course, input};
pub use parameters::{ParameterOptions, parameter};
pub use records::{RecordOptions, given, read_record};
pub use run::{LimitOptions, Prepared, RunOptions};
pub use smoothing::{smoothing, smoothness};
pub use time::{TimeOptions, positive};
pub use words::{Word, Words};
