//! Prior knowledge of a table, before any measurement: its smoothness and its shape, as sums of squares and
//! linear conditions on its values.
//!
//! ```
//! use costate::table::prior::{Shape, conditions, roughness};
//! use costate::table::{Curve, Extension};
//!
//! # fn main() -> anyhow::Result<()> {
//! let spring = Curve::new(vec![-2.0, -1.0, 0.0, 1.0, 2.0], vec![-3.0, -1.2, 0.1, 0.9, 3.1], Extension::Linear)?;
//!
//! // The integral of the squared second derivative, exactly that of the spline.
//! let rough = roughness(&spring);
//! assert!(rough.value(&spring.values()) > 0.0);
//! assert!(rough.value(&spring.knots()) < 1e-20);
//!
//! let shape = conditions(&spring, &[Shape::Odd, Shape::Increasing], &[])?;
//! shape.check()?;
//! assert!(shape.violation(&spring.values()) > 0.0);
//! # Ok(())
//! # }
//! ```

mod break_knots;
mod breaks;
mod condition;
mod conditions;
mod error;
mod form;
mod least_distance;
mod roughness;
mod shape;
#[cfg(test)]
mod tests;

pub use break_knots::{knots_with_breaks, weights_beside};
pub use breaks::{Break, BreakKind};
pub use condition::Condition;
pub use conditions::{Conditions, conditions};
pub use error::PriorError;
pub use form::LinearForm;
pub use least_distance::nonnegative;
pub use roughness::{Roughness, roughness, surface_roughness};
pub use shape::Shape;
