//! The errors of prior knowledge of a table.

use super::breaks::BreakKind;
use super::shape::Shape;
use costate_contract::shown::{Exact, Shown};

/// The reason why prior knowledge of a table cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum PriorError {
    /// A number that is infinite or not a number, or a range without width.
    #[error("`{shape}`: {field} is {value}, and must be {limit}", value = Shown(*value))]
    OutOfRange { shape: Shape, field: &'static str, value: f64, limit: &'static str },
    /// A curve that is odd about 0 has to have its knots on both sides.
    #[error(
        "`odd`: the knot {knot} has no counterpart at {counterpart}; place the knots symmetrically about 0",
        knot = Exact(*knot), counterpart = Exact(*counterpart)
    )]
    NoCounterpart { knot: f64, counterpart: f64 },
    /// A point that the knots do not reach.
    #[error(
        "`{shape}`: {x} is outside of the knots, from {first} to {last}; place knots around it",
        x = Exact(*x), first = Exact(*first), last = Exact(*last)
    )]
    Outside { shape: Shape, x: f64, first: f64, last: f64 },
    /// A point between the knots of a monotone curve, whose value there is no linear function of those at the knots.
    #[error("`{shape}`: a monotone curve needs a knot at {x}; place one there, or use a spline", x = Exact(*x))]
    NoKnot { shape: Shape, x: f64 },
    /// A break that the knots do not surround.
    #[error(
        "a break at {at} is not possible: the curve's knots, from {first} to {last}, need one there and others close \
         to it on both sides; place them with `knots_with_breaks`",
        at = Exact(*at), first = Exact(*first), last = Exact(*last)
    )]
    Break { at: f64, first: f64, last: f64 },
    /// Places between which no break can be looked for.
    #[error(
        "the range from {from} to {to} in which a {kind} is to be found is not possible; give two finite, increasing \
         numbers with knots of the curve between them: the knots go from {first} to {last}",
        from = Exact(*from), to = Exact(*to), first = Exact(*first), last = Exact(*last)
    )]
    Sought { kind: BreakKind, from: f64, to: f64, first: f64, last: f64 },
    /// The data do not determine the place of a break.
    #[error(
        "the data do not determine where between {from} and {to} the curve has a {kind}; give its place with \
         `break_at`",
        from = Exact(*from), to = Exact(*to)
    )]
    Untold { kind: BreakKind, from: f64, to: f64 },
    /// Conditions that no values satisfy.
    #[error("no values satisfy {} together; leave out one of them", list(.shapes))]
    Contradiction {
        /// The shapes that contradict each other; without one of them the others can be satisfied.
        shapes: Vec<Shape>,
    },
    /// A scale of an argument that is no positive length.
    #[error(
        "the scale of the {axis} argument is {value}; it is a positive number, a length in the argument's unit",
        value = Shown(*value)
    )]
    Scale { axis: &'static str, value: f64 },
    /// More conditions than can be compared with each other.
    #[error(
        "the {count} conditions could not be compared with each other: rounding is too large; leave out some of them"
    )]
    Undecided { count: usize },
}

fn list(shapes: &[Shape]) -> String {
    let shapes: Vec<String> = shapes.iter().map(|shape| format!("`{shape}`")).collect();
    match shapes.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => shapes.join(""),
    }
}
