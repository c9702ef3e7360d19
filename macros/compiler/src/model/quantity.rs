//! Quantities of a model.

use proc_macro2::Ident;

use crate::units::{Dimension, Scale};

/// A declared quantity.
#[derive(Debug, Clone)]
pub struct Quantity {
    /// Name as the user writes it, `x[2]`; for a member of a component with its path, `cylinder[2].x`.
    pub name: String,
    /// Name as a Rust field or variable, `x_2`, at the user's token.
    pub field: Ident,
    /// Name as a Rust constant, `X_2`, at the user's token.
    pub constant: Ident,
    /// Unit as declared; empty for a constraint.
    pub unit: String,
    /// Documentation that the user wrote above the declaration.
    pub documentation: String,
    /// Dimension of the unit, or of the expression of a constraint; `None` if it is unknown.
    pub(crate) dimension: Option<Dimension>,
    /// Factor from a number in the unit to SI.
    pub(crate) scale: Scale,
    /// Name after the names of the components or bodies that contain the quantity, all without indices: `rod.x`.
    pub(crate) family: String,
}

impl Quantity {
    /// Returns the dimension of the unit, or of the expression of a constraint; `None` if it is unknown.
    pub fn dimension(&self) -> Option<Dimension> {
        self.dimension
    }

    /// Returns the factor from a number in the declared unit to SI.
    pub fn scale(&self) -> Scale {
        self.scale
    }
}
