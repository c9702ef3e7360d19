//! Filters and smoothers: published and independent numbers, properties, bad input.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail")]

#[macro_use]
mod data;

mod bad_input;
mod compiled;
mod constrained;
mod convergence;
mod lanes;
mod particles;
mod properties;
mod reference;
mod sensors;
mod transformations;
