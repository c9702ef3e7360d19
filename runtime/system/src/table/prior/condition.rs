//! A linear condition on the values of a table.

use super::form::LinearForm;
use super::shape::Shape;

/// A linear condition on the values of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The left side.
    pub form: LinearForm,
    /// The value that the left side equals, or its lower bound.
    pub bound: f64,
    /// The shape that the condition expresses.
    pub shape: Shape,
}
