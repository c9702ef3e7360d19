//! Physical units: what stands behind the colon of a declaration, or in brackets behind a number.

mod parse;

#[cfg(test)]
mod tests;

pub use costate_contract::units::{Dimension, Exponent, Scale, is_known};

use crate::diagnostic::Place;

/// A unit, e.g. `N*s/m`.
#[derive(Debug, Clone)]
pub struct Unit {
    /// As written, without spaces.
    pub text: String,
    pub place: Place,
    /// None for what stands in for a unit that could not be read.
    pub dimension: Option<Dimension>,
    /// From a number with this unit to the same quantity in SI base units.
    pub scale: Scale,
}

impl Unit {
    /// What stands in for a unit that could not be read.
    pub fn unreadable(place: Place) -> Unit {
        Unit { text: "1".to_owned(), place, dimension: None, scale: Scale::ONE }
    }
}
