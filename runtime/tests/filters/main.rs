//! Filters and smoothers: published and independent numbers, properties, bad input.

mod bad_input;
mod data;
mod properties;
mod reference;
mod transformations;
