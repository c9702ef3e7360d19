//! Identification of restoring forces from noisy accelerations: how close curves, surfaces and responses come.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

mod flywheel;
mod measure;
mod oscillators;
mod plate;
mod robustness;
mod synthetic;
mod yardsticks;
