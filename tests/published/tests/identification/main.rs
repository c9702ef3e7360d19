//! Published identifications and experiments, and what they rest on.

mod continuous_adjoint;
mod engine_tvd;
mod information;
mod mapped_engine;
mod modes;
mod mount;
mod mount_variants;
mod optimal_inputs;
mod oscillator;
mod pendulum_in_time;
mod pressure_map;
mod repetitions;
mod spectrum;
mod switching;
