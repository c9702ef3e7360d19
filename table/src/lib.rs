//! Tables of one and two arguments: cubic splines that are twice continuously differentiable everywhere, what is known of their
//! values beforehand, and formulas that they follow.
//!
//! Which tables a model has, and what a run is given for them, is not known here.

mod adjoint;
mod any;
mod axis;
pub mod basis;
mod curve;
pub mod formula;
pub mod prior;
mod spline;
mod surface;
#[cfg(test)]
mod tests;
mod transposed;
mod units;

pub use adjoint::TableAdjoint;
pub use any::AnyTable;
pub use basis::TableBasis;
pub use costate_contract::tables::{Axis, Extension, GridError};
pub use curve::Curve;
pub use surface::Surface;
pub use units::in_declared_units;
