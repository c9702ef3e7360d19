//! Filters and restoring forces of systems that no model describes: convergence, sensors, bad input.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail")]

#[macro_use]
mod matrices;

mod additive;
mod bad_input;
mod convergence;
mod fixed_lag;
mod likelihood;
mod lost_track;
mod noisy_inputs;
mod sensors;
mod uncertainty;
