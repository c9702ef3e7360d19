//! Why a run fails.

use costate_tables::units::UnitError;

use crate::conditions::OtherProblem;
use crate::gradient::{CostDerivativeError, GradientMethod};
use crate::input::InputError;
use crate::integrator::initial::InitialStateError;
use crate::integrator::settings::SettingsError;
use crate::interrupt::Interrupted;
use crate::machine::OutOfMemory;
use crate::model::{Description, SelectionError};
use crate::table::MissingTable;

/// Why a simulation cannot start or go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A setting cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An input is missing or not finite.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A table has no data.
    #[error(transparent)]
    Table(#[from] MissingTable),
    /// A gradient with respect to parameters that the model does not have, or that are named twice.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A gradient of a run of another problem.
    #[error(transparent)]
    OtherProblem(#[from] OtherProblem),
    /// A gradient of a cost whose derivatives do not belong to the run.
    #[error(transparent)]
    CostDerivatives(#[from] CostDerivativeError),
    /// A table from a file in a unit that the model's table does not have.
    #[error(transparent)]
    TableUnit(#[from] Box<UnitError>),
    /// There is no consistent initial state.
    #[error(transparent)]
    InitialState(#[from] InitialStateError),
    /// The run would need more memory than the settings allow.
    #[error(
        "the run of {steps} steps needs {needed} bytes, `memory_limit` is {limit}: take a larger step or an earlier end, raise \
         `memory_limit`, or set `checkpoints`"
    )]
    Memory {
        /// Number of steps.
        steps: usize,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A budget with which a gradient would take more than a few snapshots allow.
    #[error(
        "setting `{field}` is {bytes} bytes, it must be at least {needed}: inputs, outputs, two checkpoints and a step \
         in between take as much. Raise it or take fewer steps"
    )]
    Checkpoints {
        /// The setting, `checkpoints` or `memory_limit`.
        field: &'static str,
        /// Its value, in bytes.
        bytes: u64,
        /// The smallest value with which the run is possible.
        needed: u64,
    },
    /// The continuous adjoint of a run with checkpoints.
    #[error(
        "{method} needs all states, and the run has checkpoints: take the discrete adjoint, or leave out `checkpoints`"
    )]
    StatesMissing {
        /// The gradient's method.
        method: GradientMethod,
    },
    /// The machine does not have the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// Stopped by the [`Interrupt`](crate::Interrupt).
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A run beside which another one, that went on together with it, has panicked.
    #[error("the run was given up, as one that it went on together with has panicked")]
    GivenUp,
    /// The Newton iteration of a step does not converge.
    #[error(
        "no convergence at {time} s (step {step}): after {iterations} iterations {unknown} still changes by \
         {update:e}, {allowed:e} is allowed. A smaller step may help; if it fails at the same time whatever the \
         step, the model has no solution there (a dead point, or forces that jump)"
    )]
    Newton {
        /// Time t_i in s.
        time: f64,
        /// Step i.
        step: usize,
        /// Iterations made.
        iterations: usize,
        /// The last change of the unknown that converges worst, in its own unit.
        update: f64,
        /// The change that would have been accepted.
        allowed: f64,
        /// That unknown.
        unknown: Unknown,
    },
    /// The Newton iteration of a step converges, but not that of the derivatives that its numbers carry.
    #[error(
        "the derivative{} does not converge at {time} s (step {step}), the values do: after {iterations} iterations \
         that of {unknown} still changes by {update:e}, {allowed:e} is allowed. A smaller step or a larger \
         `newton.tolerance` may help; where a force jumps or has a kink there is no derivative",
        with_respect_to(.parameters)
    )]
    NewtonDerivative {
        /// Time t_i in s.
        time: f64,
        /// Step i.
        step: usize,
        /// Iterations made.
        iterations: usize,
        /// The last change of the derivative that converges worst, in its own unit.
        update: f64,
        /// The change that would have been accepted.
        allowed: f64,
        /// The unknown whose derivative that is.
        unknown: Unknown,
        /// The parameters in whose direction the derivative is taken.
        parameters: Vec<&'static str>,
    },
    /// The step is too large for what the run is asked for.
    #[error(
        "with steps of {step} s the error of `{quantity}` is about {error:.1e}{} at {time:.4} s, {:.0} % of its range or size: take steps of \
         {advised} s, or set `error_limit` (it is {limit}) if less accuracy will do", unit_of(.unit), 100.0 * .relative
    )]
    Inaccurate {
        /// The coordinate or output with the largest relative error.
        quantity: &'static str,
        /// Its unit.
        unit: &'static str,
        /// The estimated error, in its unit.
        error: f64,
        /// When it is that large, in s.
        time: f64,
        /// The error relative to the quantity's range.
        relative: f64,
        /// The largest relative error allowed.
        limit: f64,
        /// Step size h in s.
        step: f64,
        /// A step size in s that is expected to do.
        advised: f64,
    },
    /// The equations give infinity or NaN.
    #[error(
        "the equation of {equation} gives {value} at {time} s (step {step}): look for a division by zero, a root \
         or logarithm of a negative number, or motion that has grown without bound"
    )]
    NotFinite {
        /// Time t_i in s.
        time: f64,
        /// Step i.
        step: usize,
        /// The equation of motion of a coordinate, or a constraint.
        equation: Unknown,
        /// What it gives.
        value: f64,
    },
    /// The continuous adjoint has no accelerations and multipliers.
    #[error(
        "output `{output}` depends on accelerations or multipliers, which the continuous adjoint does not know: take the \
         discrete adjoint or direct differentiation"
    )]
    ContinuousOutput {
        /// The output's name.
        output: &'static str,
    },
    /// The Newton matrix is singular.
    #[error(
        "the Newton matrix is singular at {time} s (step {step}): nothing determines {unknown} (pivot {pivot:e}, \
         limit {limit:e}). Give the coordinate a mass, stiffness or damping, or remove the redundant constraint"
    )]
    Singular {
        /// Time t_i in s.
        time: f64,
        /// Step i.
        step: usize,
        /// The acceleration or multiplier that is not determined.
        unknown: Unknown,
        /// The largest pivot left, of the equilibrated matrix.
        pivot: f64,
        /// The smallest pivot allowed.
        limit: f64,
    },
}

fn unit_of(unit: &str) -> String {
    if unit == "1" { String::new() } else { format!(" {unit}") }
}

fn with_respect_to(parameters: &[&str]) -> String {
    if parameters.is_empty() { String::new() } else { format!(" with respect to {}", parameters.join(", ")) }
}

impl SimulationError {
    /// Whether the simulation would fail with any values of parameters and inputs, or was stopped.
    pub(crate) fn fails_anywhere(&self) -> bool {
        matches!(
            self,
            Self::Settings(_)
                | Self::Input(_)
                | Self::Selection(_)
                | Self::OtherProblem(_)
                | Self::CostDerivatives(_)
                | Self::Memory { .. }
                | Self::Checkpoints { .. }
                | Self::StatesMissing { .. }
                | Self::OutOfMemory(_)
                | Self::Interrupted(_)
                | Self::GivenUp
                | Self::ContinuousOutput { .. }
        )
    }
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
    /// The unknown with index `index` in (a, lambda).
    pub(crate) fn at(description: &Description, index: usize) -> Self {
        let n = description.coordinates.len();
        let name = |quantities: &'static [crate::model::Quantity], at: usize| {
            quantities.get(at).map_or("?", |quantity| quantity.name)
        };
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
        let error = SimulationError::NewtonDerivative {
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
        assert!(text.contains("that of coordinate `x` still changes by 1e-3, 1e-12 is allowed"), "{text}");
    }
}
