//! What the examples share: figures, noise, files, results and how a program ends.

mod decimate;
mod files;
mod noise;
mod outcome;
mod summary;

pub mod figure;

pub use files::{create_folder_of, write_json};
pub use noise::{add_noise, rms};
pub use outcome::{INTERRUPTED, exit, explain, say};
pub use summary::{Summary, true_value};
