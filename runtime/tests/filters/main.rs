//! Filters and smoothers: published and independent numbers, properties, bad input.

mod bad_input;
mod compiled;
mod data;
mod properties;
mod reference;
mod transformations;
