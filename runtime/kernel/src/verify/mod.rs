//! Checks of the derivatives that the compiler wrote against dual numbers, which know nothing of it.

mod derivatives;
mod lookups;
mod points;
mod report;
mod scales;
mod solution;

pub use derivatives::check_derivatives;
#[doc(hidden)]
pub use points::random_points_of;
pub use points::{CheckPoint, random_points};
pub use report::{DerivativeReport, Mismatch};
