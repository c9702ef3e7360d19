//! Dimensional analysis: the unit of every expression, while it is read.

mod derived;
mod functions;
mod measure;
mod remedy;

#[cfg(test)]
mod tests;

pub use derived::DerivedUnit;
pub use functions::{Arguments, arguments, value};
pub use measure::{Measure, Measured};
pub use remedy::{as_unit, remedy};
