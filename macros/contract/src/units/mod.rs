//! Units: their dimensions, scales and names, and how the text of a data heading or a declaration is read and compared.
//!
//! The compiler reads the units of the language from tokens, over the same names.

mod conversion;
mod dimension;
mod exponent;
mod names;
mod readable;
mod scale;
mod text;

#[cfg(test)]
mod tests;

pub use conversion::{Purpose, UnitError, UnitFault, conversion, is_unit};
pub use dimension::{Dimension, LARGEST_EXPONENT};
pub use exponent::Exponent;
pub use names::{find, is_known, remedy};
pub use scale::Scale;
