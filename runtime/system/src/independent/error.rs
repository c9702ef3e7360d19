//! The reasons why a model has no equation in independent coordinates, or none at a state.

use costate_contract::shown::Shown;

/// The reason why motion cannot be described by independent coordinates. Changes are in the unit of the coordinate or
/// its velocity.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum IndependentError {
    /// A constraint that others imply.
    #[error("the constraint `{constraint}` depends on others, so that its multiplier is not determined; remove it")]
    Redundant { constraint: &'static str },
    /// A choice of coordinates for another model.
    #[error("{given} independent coordinates are given, the model has {expected}; choose them anew for this model")]
    Number { given: usize, expected: usize },
    /// An output that needs an acceleration which the equations do not have.
    #[error(
        "the output `{output}` has an acceleration of `{coordinate}`, whose motion moves no mass, so that it follows \
         from the slopes of inputs; give the coordinate a mass, or remove the output"
    )]
    Acceleration { output: &'static str, coordinate: &'static str },
    /// A coordinate whose motion nothing determines.
    #[error(
        "nothing determines the {level} of `{coordinate}` at {time} s; give the coordinate a {remedy}",
        time = Shown(*time)
    )]
    Undetermined { level: &'static str, coordinate: &'static str, time: f64, remedy: &'static str },
    /// A position in which the independent coordinates do not determine the others.
    #[error(
        "at {time} s the coordinates {coordinates} do not determine the others any more (pivot {pivot:.1e}): they were \
         chosen for the initial position; stop before, begin nearer to this position, or let the model make its own \
         steps (co-simulation)",
        time = Shown(*time)
    )]
    Singular {
        time: f64,
        coordinates: Box<str>,
        /// The smallest pivot, relative to the largest.
        pivot: f64,
    },
    /// Positions that satisfy no constraints, or velocities without balance.
    #[error(
        "no {level} satisfy the equations of `{name}` at {time} s: after {iterations} iterations they still change by \
         {change:.1e}; begin nearer to a possible position",
        time = Shown(*time)
    )]
    NotClosed { level: &'static str, name: &'static str, time: f64, iterations: usize, change: f64 },
    /// An equation without a finite value.
    #[error(
        "the equations of motion give {value} for `{name}` at {time} s: look for a division by zero, a root or \
         logarithm of a negative number, or motion that has grown without bound",
        value = Shown(*value), time = Shown(*time)
    )]
    NotFinite { name: &'static str, value: f64, time: f64 },
}
