//! What the examples share: figures, files and how a program ends.

mod decimate;
mod files;
mod outcome;

pub mod figure;

pub use files::{create_folder_of, write_json};
pub use outcome::{INTERRUPTED, exit, explain, say};
