//! A linear condition on the values of a table.

use super::form::LinearForm;
use super::shape::Shape;

/// A linear condition on the values of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The left side.
    pub form: LinearForm,
    /// What it equals, or the least that it may be.
    pub bound: f64,
    /// What is known by it.
    pub shape: Shape,
}
