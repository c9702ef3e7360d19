//! The runtime on small models: every part of it, and what it says to wrong input.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail")]

mod campaign;
mod chosen_models;
mod estimate;
mod explanation;
mod filters;
mod gaps;
mod gradient_choice;
mod hht;
mod identification;
mod initial_state;
mod multistart;
mod one_call;
mod pivots;
mod processes;
mod refusals;
mod refused_gradients;
mod spectrum;
mod state_files;
mod trials_in_lanes;
mod units;
mod unknown_inputs;
mod unknown_tables;
mod zero_derivatives;
