//! The unit of an expression, as far as it is known.

use crate::symbolic::Id;
use crate::units::{Dimension, Exponent};

/// An expression, in SI units, and what it is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    pub id: Id,
    pub unit: Measure,
}

/// What an expression is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// A unit of this dimension.
    Known(Dimension),
    /// Any unit: a literal zero.
    Any,
    /// Not known: there is a mistake in it, which has been reported.
    Unclear,
}

impl Measure {
    /// Of a pure number.
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

    /// Both dimensions if they are known and differ.
    pub fn conflict(self, wanted: Measure) -> Option<(Dimension, Dimension)> {
        let (found, wanted) = (self.known()?, wanted.known()?);
        (found != wanted).then_some((found, wanted))
    }

    /// Of a sum, or of one of several branches.
    pub fn or(self, other: Measure) -> Measure {
        match (self, other) {
            (Measure::Any, other) => other,
            (unit, Measure::Any) => unit,
            (unit, other) if unit == other => unit,
            _ => Measure::Unclear,
        }
    }

    /// Of a product; unclear where exponents exceed all bounds.
    pub fn times(self, other: Measure) -> Measure {
        self.combined(other, Dimension::times)
    }

    /// Of a quotient.
    pub fn over(self, other: Measure) -> Measure {
        self.combined(other, Dimension::over)
    }

    /// Zero times anything is zero.
    fn combined(self, other: Measure, operation: fn(Dimension, Dimension) -> Option<Dimension>) -> Measure {
        match (self, other) {
            (Measure::Unclear, _) | (_, Measure::Unclear) => Measure::Unclear,
            (Measure::Any, _) | (_, Measure::Any) => Measure::Any,
            (Measure::Known(left), Measure::Known(right)) => {
                Measure::known_or_unclear(operation(left, right))
            }
        }
    }

    /// Of a power.
    pub fn power(self, exponent: Exponent) -> Measure {
        match self {
            Measure::Known(dimension) => Measure::known_or_unclear(dimension.power(exponent)),
            other => other,
        }
    }
}
