//! Lookup tables of one and two arguments: cubic splines, twice continuously differentiable everywhere.

mod axis;
mod curve;
mod set;
mod spline;
mod surface;
#[cfg(test)]
mod tests;
mod units;

pub use costate_contract::tables::{Axis, Extension, GridError};
pub use curve::Curve;
pub(crate) use set::TableFault;
pub use set::{MissingTable, Table, TableData, Tables};
pub use surface::Surface;
