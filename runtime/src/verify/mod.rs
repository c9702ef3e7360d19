//! Checks of a user's own model and cost: emitted derivatives and adjoint gradients against dual numbers.

mod derivatives;
mod gradient;

pub use derivatives::{CheckPoint, DerivativeReport, Mismatch, check_derivatives, random_points};
pub use gradient::{GradientEntry, GradientReport, check_gradient};
