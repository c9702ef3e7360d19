//! Dimensional analysis: what expressions are measured in, and what to write where that does not fit.

mod derived;
mod measure;
mod remedy;

#[cfg(test)]
mod tests;

pub use derived::DerivedUnit;
pub use measure::{Measure, Measured};
pub use remedy::{as_unit, remedy};
