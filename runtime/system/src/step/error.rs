//! The errors of a step.

use costate_contract::shown::Shown;

use crate::model::{Description, Quantity};

/// The reason why there is no next state. Updates are in the unit of the unknown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum StepError {
    /// Derivatives of a step before one was made.
    #[error("there is no step to differentiate: make one first, with the intended parameters, length and state")]
    NoStep,
    /// The Newton iteration of a step does not converge.
    #[error(
        "no convergence at {time} s (step {step}): after {iterations} iterations {unknown} still changes by \
         {update:.1e}, {allowed:.1e} is allowed. {cause}",
        time = Shown(*time)
    )]
    Newton { time: f64, step: usize, iterations: usize, update: f64, allowed: f64, unknown: Unknown, cause: Stall },
    /// The Newton iteration of a step converges, but the iteration of the derivatives that its numbers carry
    /// does not.
    #[error(
        "the derivative{} does not converge at {time} s (step {step}), the values do: after {iterations} iterations \
         that of {unknown} still changes by {update:.1e}, {allowed:.1e} is allowed. A smaller step or a larger \
         `newton.tolerance` may help; where a force jumps or has a kink there is no derivative",
        with_respect_to(.parameters), time = Shown(*time)
    )]
    NewtonDerivative {
        time: f64,
        step: usize,
        iterations: usize,
        update: f64,
        allowed: f64,
        unknown: Unknown,
        parameters: Vec<&'static str>,
    },
    /// An equation evaluates to infinity or NaN.
    #[error(
        "the equation of {equation} gives {value} at {time} s (step {step}): look for a division by zero, a root or \
         logarithm of a negative number, or motion that has grown without bound",
        value = Shown(*value), time = Shown(*time)
    )]
    NotFinite { time: f64, step: usize, equation: Unknown, value: f64 },
    /// The Newton matrix is singular.
    #[error(
        "the Newton matrix is singular at {time} s (step {step}): nothing determines {unknown} (pivot {pivot:.1e}, \
         limit {limit:.1e}). Give the coordinate a mass, stiffness or damping, or remove the redundant constraint",
        time = Shown(*time)
    )]
    Singular { time: f64, step: usize, unknown: Unknown, pivot: f64, limit: f64 },
}

/// The reason why Newton's iteration does not converge; [`Display`](std::fmt::Display) says what helps.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Stall {
    /// Updates are small and stay as they are with the matrix of the iterate itself: they are rounding.
    Rounding {
        /// The tolerance with which the updates would have been accepted.
        tolerance: f64,
    },
    /// Updates are too large for rounding.
    Divergence,
    /// Updates are too large for rounding, and forces depend on functions of velocities that jump.
    Jump {
        /// The functions that jump, `sign` and `if`.
        functions: &'static [&'static str],
    },
}

impl Stall {
    /// Adds the possible reason in a model whose forces depend on these functions.
    #[doc(hidden)]
    pub fn with_jumps(self, functions: &'static [&'static str]) -> Self {
        if self == Self::Divergence && !functions.is_empty() { Self::Jump { functions } } else { self }
    }
}

impl std::fmt::Display for Stall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rounding { tolerance } => write!(
                f,
                "This is rounding, which a nearly singular position, or stiffnesses and masses of very different size, \
                 make larger; a smaller step makes it worse: take a larger step or `newton.tolerance` {tolerance:.0e}. \
                 If a force jumps there, smooth it"
            ),
            Self::Divergence => f.write_str(
                "A smaller step may help; if it fails at the same time whatever the step, the model has no solution \
                 there (a dead point, a mass that falls to 0, or forces that jump)",
            ),
            Self::Jump { functions } => {
                let named = |function: &&str| format!("`{function}`");
                let jumping = functions.iter().map(named).collect::<Vec<_>>().join(" and ");
                let smooth = |function: &&str| match *function {
                    "sign" => "`tanh(v/small)` for `sign(v)`",
                    _ => "`smooth_step` for `if`",
                };
                let smooth = functions.iter().map(smooth).collect::<Vec<_>>().join(", ");
                write!(
                    f,
                    "The forces depend on {jumping} of velocities, and where a force jumps motion that sticks has no \
                     solution: write {smooth}; if that is not the reason, a smaller step may help"
                )
            }
        }
    }
}

fn with_respect_to(parameters: &[&str]) -> String {
    if parameters.is_empty() { String::new() } else { format!(" with respect to {}", parameters.join(", ")) }
}

/// An unknown of a step, or the equation that belongs to it, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// A coordinate (its acceleration, its equation of motion).
    Coordinate(&'static str),
    /// A constraint (its multiplier).
    Constraint(&'static str),
}

impl Unknown {
    /// Returns the unknown with index `index` in (a, lambda).
    #[doc(hidden)]
    pub fn at(description: &Description, index: usize) -> Self {
        let n = description.coordinates.len();
        let name =
            |quantities: &'static [Quantity], at: usize| quantities.get(at).map_or("?", |quantity| quantity.name);
        if index < n {
            Self::Coordinate(name(description.coordinates, index))
        } else {
            Self::Constraint(name(description.constraints, index - n))
        }
    }
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Coordinate(name) => write!(f, "coordinate `{name}`"),
            Self::Constraint(name) => write!(f, "constraint `{name}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derivative_that_does_not_converge_is_named() {
        let error = StepError::NewtonDerivative {
            time: 0.5,
            step: 5,
            iterations: 20,
            update: 1e-3,
            allowed: 1e-12,
            unknown: Unknown::Coordinate("x"),
            parameters: vec!["mass", "stiffness"],
        };
        let text = error.to_string();
        assert!(
            text.starts_with("the derivative with respect to mass, stiffness does not converge at 0.5 s"),
            "{text}"
        );
        assert!(text.contains("that of coordinate `x` still changes by 1.0e-3, 1.0e-12 is allowed"), "{text}");
    }
}
