//! Runs of small models: what the check of a run sees, sampled inputs, starts in equilibrium.

mod checks;
mod inputs;
mod parts;
mod start;
