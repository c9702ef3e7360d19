//! Dimensional analysis: the unit of every expression, while it is read.

mod functions;
mod measure;
mod remedy;

#[cfg(test)]
mod tests;

pub use functions::{Arguments, arguments, value};
pub use measure::{Measure, Measured};
pub use remedy::{as_unit, remedy};
