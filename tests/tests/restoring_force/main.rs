//! Identification of restoring forces from noisy accelerations: how close curves, surfaces and responses come.

mod measure;
mod oscillators;
mod plate;
mod robustness;
