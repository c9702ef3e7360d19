//! Checks of a user's own model and cost: emitted derivatives and adjoint gradients against dual numbers.

mod derivatives;
mod gradient;
mod group;
mod points;
mod report;
mod scales;
mod solution;

pub use derivatives::check_derivatives;
pub(crate) use gradient::check_gradient_by;
pub use gradient::{GradientEntry, GradientReport, check_gradient};
pub use points::{CheckPoint, random_points};
pub use report::{DerivativeReport, Mismatch};
