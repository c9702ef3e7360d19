//! The unit of an expression, as far as it is known.

use crate::symbolic::Id;
use crate::units::{Dimension, Exponent};

/// An expression in SI units, with its unit as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    pub id: Id,
    pub unit: Measure,
}

/// The unit of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// A unit of this dimension.
    Known(Dimension),
    /// Any unit: a literal zero.
    Any,
    /// Unknown, because of a mistake that has been reported.
    Unclear,
}

impl Measure {
    /// The unit of a pure number.
    pub const NUMBER: Measure = Measure::Known(Dimension::NONE);

    pub fn known_or_unclear(dimension: Option<Dimension>) -> Measure {
        dimension.map_or(Measure::Unclear, Measure::Known)
    }

    pub fn known(self) -> Option<Dimension> {
        match self {
            Measure::Known(dimension) => Some(dimension),
            Measure::Any | Measure::Unclear => None,
        }
    }

    /// Returns both dimensions if they are known and differ.
    pub fn conflict(self, wanted: Measure) -> Option<(Dimension, Dimension)> {
        let (found, wanted) = (self.known()?, wanted.known()?);
        (found != wanted).then_some((found, wanted))
    }

    /// Returns the unit of a sum, or of several branches.
    pub fn or(self, other: Measure) -> Measure {
        match (self, other) {
            (Measure::Any, other) => other,
            (unit, Measure::Any) => unit,
            (unit, other) if unit == other => unit,
            _ => Measure::Unclear,
        }
    }

    /// Returns the unit of a product; `Unclear` where exponents exceed the bounds.
    pub fn times(self, other: Measure) -> Measure {
        self.combined(other, Dimension::times)
    }

    /// Returns the unit of a quotient; `Unclear` where exponents exceed the bounds.
    pub fn over(self, other: Measure) -> Measure {
        self.combined(other, Dimension::over)
    }

    /// Combines two units; a literal zero makes the result a zero of any unit.
    fn combined(self, other: Measure, operation: fn(Dimension, Dimension) -> Option<Dimension>) -> Measure {
        match (self, other) {
            (Measure::Unclear, _) | (_, Measure::Unclear) => Measure::Unclear,
            (Measure::Any, _) | (_, Measure::Any) => Measure::Any,
            (Measure::Known(left), Measure::Known(right)) => Measure::known_or_unclear(operation(left, right)),
        }
    }

    /// Returns the unit of a power.
    pub fn power(self, exponent: Exponent) -> Measure {
        match self {
            Measure::Known(dimension) => Measure::known_or_unclear(dimension.power(exponent)),
            other => other,
        }
    }
}
