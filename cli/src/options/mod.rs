//! Options that several commands share: parameters, inputs, steps, whole runs, and files to write.

mod equilibrium;
mod error;
mod files;
mod inputs;
mod parameters;
mod records;
mod run;
mod time;

pub use costate::campaign::amount::{Amount, name_and_text};
pub use costate::campaign::course::Course;
pub use costate::campaign::files::extension;
pub use costate::campaign::reading::{RecordOptions, given};
pub use costate::campaign::smoothing::{smoothing, taken_off};
pub use costate::campaign::words::{Word, Words};
pub use equilibrium::{EquilibriumOptions, Resting};
pub use error::OptionError;
pub use files::{Format, check_ending, formats};
pub use inputs::{SignalText, course, input, whole, whole_names};
pub use parameters::{ParameterOptions, parameter};
pub use records::{read_record, since_begin};
pub use run::{LimitOptions, Prepared, RunOptions};
pub use time::{TimeOptions, positive, scheme};
