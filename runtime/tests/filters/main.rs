//! Filters and smoothers: published and independent numbers, properties, bad input.

#[macro_use]
mod data;

mod bad_input;
mod compiled;
mod properties;
mod reference;
mod transformations;
