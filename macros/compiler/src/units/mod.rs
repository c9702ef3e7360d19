//! Physical units, after the colon of a declaration or in brackets after a number.

mod parse;

#[cfg(test)]
mod tests;

pub use costate_contract::units::{Dimension, Exponent, Scale, is_known};

use crate::diagnostic::Place;

/// A unit, e.g. `N*s/m`.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Text as written, without spaces.
    pub text: String,
    pub place: Place,
    /// The dimension; `None` in place of a unit that could not be read.
    pub dimension: Option<Dimension>,
    /// Factor from a number with this unit to the same quantity in SI base units.
    pub scale: Scale,
}

impl Unit {
    /// Creates a unit in place of one that could not be read.
    pub fn unreadable(place: Place) -> Unit {
        Unit { text: "1".to_owned(), place, dimension: None, scale: Scale::ONE }
    }
}
