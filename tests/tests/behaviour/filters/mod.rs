//! Filters and smoothers: published and independent numbers, properties, bad input.

#[macro_use]
mod data;

mod bad_input;
mod compiled;
mod constrained;
mod convergence;
mod elements;
mod lanes;
mod particles;
mod properties;
mod reference;
mod response;
mod schemes;
mod sensors;
mod transformations;
