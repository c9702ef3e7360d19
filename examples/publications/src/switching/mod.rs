//! Inputs that switch between their bounds: the optimal input of a linear system by its switching times (OB 5.3.1).
//!
//! The state and adjoint equations (5.18) are solved exactly, by exponentials, for any A; the switching conditions
//! (5.22) by Newton's method with their exact Jacobian; and Pontryagin's principle (5.21) is checked at all times.

mod coefficients;
mod error;
mod flow;
mod linearity;
mod model;
mod newton;
mod path;
mod pontryagin;
mod problem;
mod scaled_inverse;
mod search;
#[cfg(test)]
mod tests;

pub use error::{LinearModelError, SwitchingError};
pub use newton::Extremal;
pub use path::PathPoint;
pub use pontryagin::Pontryagin;
pub use problem::{Bound, SwitchingProblem};
