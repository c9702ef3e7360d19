//! The runtime on small models: every part of it, and what it says to wrong input.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail")]

mod campaign;
mod chosen_models;
mod estimate;
mod estimated_errors;
mod explanation;
mod filters;
mod gaps;
mod gradient_choice;
mod hht;
mod identification;
mod initial_state;
mod input_noise;
mod measured;
mod multistart;
mod one_call;
mod pieces;
mod pivots;
mod processes;
mod pulses;
mod refusals;
mod refused_gradients;
mod rest;
mod spectrum;
mod state_files;
mod trials_in_lanes;
mod units;
mod unknown_inputs;
mod unknown_tables;
mod zero_derivatives;

use costate_compiler::{Arguments, ModelFile};
use costate_interpreter::LoadedModel;

/// Loads the only model of a text for the interpreter, for what does not depend on emitted code.
fn loaded(text: &str) -> LoadedModel {
    let file = ModelFile::from_text("test.model", text.to_owned()).unwrap();
    LoadedModel::of_file(&file, None, &Arguments::new()).unwrap()
}

/// Returns the path of a file or folder that does not exist yet.
fn file(name: &str) -> std::path::PathBuf {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    let _ = std::fs::remove_dir_all(&path);
    path
}
