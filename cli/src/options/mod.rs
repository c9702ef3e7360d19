//! Options that several commands share: parameters, inputs, steps, whole runs, and files to write.

mod assignment;
mod equilibrium;
mod files;
mod inputs;
mod parameters;
mod records;
mod run;
mod time;

pub use assignment::{Amount, check_size, name_and_text};
pub use equilibrium::{EquilibriumOptions, Resting};
pub use files::{Format, formats};
pub use inputs::{Course, SignalText, course, input};
pub use parameters::{ParameterOptions, parameter};
pub use records::{RecordOptions, given, read_record};
pub use run::{LimitOptions, Prepared, RunOptions};
pub use time::{TimeOptions, positive};
