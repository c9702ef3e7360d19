//! The library against the runtime: FMUs that the command `costate` exports, driven by the functions of the standard.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod co_simulation;
mod derivatives;
mod export;
mod misuse;
mod states;
mod steps;
mod support;
