//! Tables of one and two arguments: cubic splines that are twice continuously differentiable everywhere, monotone
//! curves and straight lines, what is known of their values beforehand, and formulas that they follow.
//!
//! [`Tables`] are those of a model, with what a run is given for them.
//!
//! An interpolation of tables is a variant of `Interpolation` in `macros/contract/src/tables`, with its slopes by the
//! chords beside a knot in `table/slopes.rs`, or with rows of its own in `table/course.rs`; `macros/language/tables.md`
//! describes it. Weights at a place are those of `table/axis.rs`.

mod adjoint;
mod any;
mod axis;
pub mod basis;
mod course;
mod curve;
pub mod formula;
#[cfg(test)]
mod interpolation_tests;
pub mod prior;
mod set;
mod slopes;
mod surface;
mod surface_nodes;
#[cfg(test)]
mod tests;
mod transposed;
mod units;

pub use adjoint::TableAdjoint;
pub use any::AnyTable;
pub use basis::TableBasis;
pub use costate_contract::tables::{Axis, Extension, GridError, Interpolation};
pub use curve::Curve;
pub use set::{MissingTable, Table, TableData, TableFault, Tables};
pub use surface::Surface;
pub(crate) use units::in_declared_units;
