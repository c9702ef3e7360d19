//! Exact derivatives of a computed run: the discrete adjoint, and direct differentiation.
//!
//! Both differentiate the discrete scheme itself, DA (12) to (15), so that the gradient is that of the computed
//! number and agrees with dual numbers to rounding.

mod adjoint;
mod sensitivity;
mod step;

pub use adjoint::gradient;
pub use sensitivity::sensitivities;
