//! Filters and smoothers: published and independent numbers, properties, compiled models.

#[macro_use]
mod data;

mod compiled;
mod constrained;
mod elements;
mod lanes;
mod particles;
mod properties;
mod reference;
mod response;
mod schemes;
mod transformations;
