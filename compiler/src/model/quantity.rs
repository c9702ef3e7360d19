//! Quantities of a model.

use proc_macro2::Ident;

use crate::units::{Dimension, Scale};

/// A declared quantity.
#[derive(Debug, Clone)]
pub struct Quantity {
    /// As the user writes it, `x[2]`; a member of a component with its path, `cylinder[2].x`.
    pub name: String,
    /// As a Rust field or variable, `x_2`, at the user's token.
    pub field: Ident,
    /// As a Rust constant, `X_2`, at the user's token.
    pub constant: Ident,
    /// As declared; empty for a constraint.
    pub unit: String,
    /// What the user wrote above the declaration.
    pub documentation: String,
    /// Of the unit; of a constraint, that of its expression.
    pub(crate) dimension: Option<Dimension>,
    /// From a number in the unit to SI.
    pub(crate) scale: Scale,
    /// Its name behind those of the components or bodies that it is a member of, all without indices: `rod.x`.
    pub(crate) family: String,
}

impl Quantity {
    /// From a number in the declared unit to SI.
    pub fn scale(&self) -> Scale {
        self.scale
    }
}
