//! Options that several commands share: parameters, inputs, steps, whole runs, and files to write.

mod assignment;
mod files;
mod inputs;
mod parameters;
mod run;
mod time;

pub use assignment::name_and_text;
pub use files::{Format, formats};
pub use run::{LimitOptions, Prepared, RunOptions};
