//! The shapes that a curve may be known to have.

use std::fmt;

/// A known property of the shape of a curve; [`Display`](fmt::Display) names it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// f(0) = 0; a curve that may [jump](super::Break::Jump) at 0 jumps from one value to its negative. This
    /// decides to which of two curves a constant force belongs, for example to that of a spring or to that of
    /// its friction.
    ThroughOrigin,
    /// f(x) = value.
    Through {
        /// The argument.
        x: f64,
        /// The value there.
        value: f64,
    },
    /// f(-x) = -f(x) at the knots, which lie symmetrically about 0.
    Odd,
    /// Values at the knots do not fall.
    Increasing,
    /// Values at the knots do not rise.
    Decreasing,
    /// Chords between the knots become steeper, or not less steep.
    Convex,
    /// Chords between the knots become less steep, or not steeper.
    Concave,
    /// Zero at the knots outside of this range.
    ZeroOutside {
        /// Beginning of the range.
        from: f64,
        /// End of the range.
        to: f64,
    },
    /// Values at the knots lie between these bounds, each of which may be infinite.
    Between {
        /// The smallest value.
        least: f64,
        /// The largest value.
        most: f64,
    },
    /// One value at both ends of the period: a property of every periodic curve.
    Closed,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ThroughOrigin => f.write_str("through the origin"),
            Self::Through { x, value } => write!(f, "through ({x}, {value})"),
            Self::Odd => f.write_str("odd"),
            Self::Increasing => f.write_str("increasing"),
            Self::Decreasing => f.write_str("decreasing"),
            Self::Convex => f.write_str("convex"),
            Self::Concave => f.write_str("concave"),
            Self::ZeroOutside { from, to } => write!(f, "zero outside of {from} to {to}"),
            Self::Between { least, most } => write!(f, "between {least} and {most}"),
            Self::Closed => f.write_str("periodic"),
        }
    }
}
