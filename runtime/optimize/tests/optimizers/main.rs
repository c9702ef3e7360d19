//! Every method with every step size: convergence, bounds, resumption, errors; multistart.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail")]

mod announced;
mod bounds;
mod convergence;
mod faults;
mod levenberg_marquardt;
mod multistart;
mod pendulum;
mod problems;
mod state;
