//! What functions do to units.

use super::Measure;
use crate::model::NumberFunction;
use crate::symbolic::Function;
use crate::units::Exponent;

/// What the arguments of a function are measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// Pure numbers, angles among them.
    Numbers,
    /// All in the same unit.
    Alike,
}

/// What may stand in the parentheses.
pub fn arguments(function: NumberFunction) -> Arguments {
    match function {
        NumberFunction::Unary(Function::Sqrt | Function::Abs | Function::Sign) => Arguments::Alike,
        NumberFunction::Unary(_) => Arguments::Numbers,
        NumberFunction::Atan2 | NumberFunction::Min | NumberFunction::Max | NumberFunction::SmoothStep => {
            Arguments::Alike
        }
    }
}

/// The unit of the function's value, of arguments that are all in `unit`.
pub fn value(function: NumberFunction, unit: Measure) -> Measure {
    match function {
        NumberFunction::Unary(Function::Sqrt) => unit.power(Exponent::ONE_HALF),
        NumberFunction::Unary(Function::Abs) | NumberFunction::Min | NumberFunction::Max => unit,
        NumberFunction::Unary(_) | NumberFunction::Atan2 | NumberFunction::SmoothStep => Measure::NUMBER,
    }
}
