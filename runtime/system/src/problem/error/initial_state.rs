//! The errors of an initial state.

use crate::model::SelectionError;
use crate::step::Unknown;
use costate_contract::shown::{Exact, Shown};

use super::equilibrium::{self, EquilibriumError};

/// The reason why the model's initial values do not give a consistent initial state.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum InitialStateError {
    /// A parameter is infinite or not a number.
    #[error("parameter `{name}` is {value}: parameters must be finite", value = Shown(*value))]
    Parameter { name: &'static str, value: f64 },
    /// A given state has a number that is infinite or not a number.
    #[error("the {part} of `{name}` in the given state is {value}: states must be finite", value = Shown(*value))]
    Given { part: &'static str, name: &'static str, value: f64 },
    /// No positions were found that satisfy the constraints with the specified positions.
    #[error(
        "no initial positions were found that satisfy {}: `{constraint}` is violated by {value:e} (limit {limit:e}). \
         {}",
        quoted_constraints(&.involved.violated), .involved.remedy()
    )]
    Positions { constraint: &'static str, value: f64, limit: f64, involved: Box<Involved> },
    /// The specified velocities contradict a constraint.
    #[error(
        "the initial velocities violate the derivative of constraint `{constraint}` by {value:e} (limit {limit:e}), \
         and the velocities left open cannot make up for it: correct the `initial` block or leave more velocities open"
    )]
    Velocities { constraint: &'static str, value: f64, limit: f64 },
    /// No velocities satisfy the constraints, since the positions are near to a singular one.
    #[error(
        "the initial positions are close to a dead point, where the constraints {} nearly repeat each other: no \
         initial velocities satisfy the derivative of `{constraint}`, {value:e} is left (limit {limit:e}). Start from \
         positions further away from the dead point, or without a velocity that would be without bound there",
        quoted(.names)
    )]
    NearlySingular { names: Vec<&'static str>, constraint: &'static str, value: f64, limit: f64 },
    /// The specified initial values cannot follow a constraint that changes with the parameters.
    #[error(
        "constraint `{constraint}` changes with the parameters{parameter}, at the rate {value:e}, but the initial \
         values specified do not: let them depend on the parameters or leave them open"
    )]
    Derivative {
        constraint: &'static str,
        /// ` (name)` of the parameter, empty where the direction is not a single one.
        parameter: String,
        value: f64,
    },
    /// Derivatives with respect to parameters that the model does not have, or that are named twice.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A coordinate without mass and constraint whose velocity its force does not determine.
    #[error(
        "nothing determines the velocity of {}: neither mass nor constraint nor damping. Give it one of them",
        list(.coordinates)
    )]
    NoDamping { coordinates: Vec<Unknown> },
    /// The velocity of a coordinate without mass and constraint is specified, but its force gives another.
    #[error(
        "coordinate `{coordinate}` has neither mass nor constraint, its force balance gives the initial velocity \
         {computed}, not {specified}: leave its velocity open",
        computed = Exact(*computed), specified = Exact(*specified)
    )]
    FreeVelocity { coordinate: &'static str, specified: f64, computed: f64 },
    /// No velocity was found at which the force of a coordinate without mass and constraint vanishes.
    #[error(
        "found no initial velocity of coordinate `{coordinate}`, which has neither mass nor constraint, that makes its \
         force vanish: it is still {force:e}"
    )]
    NoBalance { coordinate: &'static str, force: f64 },
    /// Constraints repeat each other at the initial positions.
    #[error(
        "the constraints {} repeat each other at the initial positions: remove one, or start from positions where the \
         mechanism is not at a dead point",
        quoted(.names)
    )]
    RedundantConstraints { names: Vec<&'static str> },
    /// The equations of motion do not determine the accelerations and multipliers.
    #[error(
        "the equations of motion at the initial state do not determine {}: a mass is missing, or masses are negative",
        list(.unknowns)
    )]
    Singular { unknowns: Vec<Unknown> },
    /// A mass that is not positive, by parameters that have to be.
    #[error(
        "the mass of `{coordinate}` is {mass} at the start: {} has to be positive",
        values(.parameters), mass = Shown(*mass)
    )]
    Mass { coordinate: &'static str, mass: f64, parameters: Vec<(&'static str, f64)> },
    /// A motion with a negative mass, by entries of the mass matrix beside its diagonal.
    #[error(
        "the mass matrix is not positive at the start: a motion that the constraints allow, most of it in \
         `{coordinate}`, has a negative mass, so that no result means anything; make the masses beside the diagonal \
         smaller than those on it"
    )]
    NegativeMass { coordinate: &'static str },
    /// A mechanism that is closed on the other side of the value that the model gives as a hint for a
    /// coordinate.
    #[error(
        "the initial position of `{coordinate}` is {found}, in another assembly configuration than the approximate \
         value {near}: give approximate values of other open positions too, or write `{coordinate} ~ {found}` if this \
         configuration is intended",
        found = Shown(*found), near = Shown(*near)
    )]
    OtherSide {
        coordinate: &'static str,
        /// The hint, after the `~` of the coordinate.
        near: f64,
        found: f64,
    },
    /// A model that begins in equilibrium has none, or none at which it can begin.
    #[error("the model begins in equilibrium, but {}", in_language(.0))]
    Equilibrium(EquilibriumError),
    /// Coordinates of a model that begins in equilibrium are kept where forces act on them.
    #[error(
        "the model begins in equilibrium, but {}: let the equilibrium determine what a force acts on, with `~` in \
         place of `=` in the `initial` block, and without `held`",
        acting(.coordinates)
    )]
    Held { coordinates: Vec<(&'static str, f64, f64)> },
    /// A coordinate of a model that begins in equilibrium is kept where a force begins to act on it when something
    /// changes.
    #[error(
        "the model begins in equilibrium, but the force on `{coordinate}`, which keeps its initial value, changes with \
         {by}, at the rate {value:e}: let the equilibrium determine it, with `~` in place of `=` and without `held`"
    )]
    HeldDerivative { coordinate: &'static str, by: String, value: f64 },
    /// A constraint of a model that begins in equilibrium moves at the start.
    #[error(
        "the model begins in equilibrium, but the constraint `{constraint}` moves at t = 0, with the {level} \
         {value:e}: remove `equilibrium` from the `initial` block, or let the constraint begin at rest"
    )]
    Moving {
        constraint: &'static str,
        /// `velocity` or `acceleration`.
        level: &'static str,
        value: f64,
    },
    /// The model's equations are infinite or not a number at the initial state.
    #[error(
        "the equation of {equation} is {value} at the initial {level}: correct the `initial` block or parameters",
        value = Shown(*value)
    )]
    NotFinite {
        equation: Unknown,
        value: f64,
        /// `positions`, `velocities` or `accelerations`.
        level: &'static str,
    },
}

/// Describes an equilibrium that cannot be used, with what can be written in the model.
fn in_language(error: &EquilibriumError) -> String {
    match error {
        EquilibriumError::Family { model, coordinates } => format!(
            "`{model}` rests anywhere along {}: keep one of these coordinates where it is, as in `initial {{ \
             equilibrium, held({}) }}`, or add the spring or the constraint that determines it",
            equilibrium::quoted(coordinates),
            coordinates.first().unwrap_or(&"x")
        ),
        EquilibriumError::Unstable { coordinate, growth, coordinates } => format!(
            "the equilibrium at {} is unstable: a deviation, most of it in `{coordinate}`, grows as exp({} t); begin \
             nearer to a stable one, or, if this one is meant, keep the coordinate there, with `held({coordinate})` in \
             the `initial` block",
            equilibrium::at(coordinates),
            Shown(*growth)
        ),
        EquilibriumError::Constraints { constraints, .. } => format!(
            "the constraints {} repeat each other, or contain only coordinates that keep their initial values: remove \
             one, or write `~` in place of `=` for one of their coordinates",
            equilibrium::quoted(constraints)
        ),
        other => other.to_string(),
    }
}

fn acting(coordinates: &[(&str, f64, f64)]) -> String {
    let shown = costate_contract::shown::Shown;
    let each = coordinates.iter().map(|(name, value, force)| {
        format!("the force {} acts on `{name}` at its initial value {}", shown(*force), shown(*value))
    });
    some(coordinates.len(), each)
}

fn quoted_constraints(names: &[&str]) -> String {
    match names {
        [name] => format!("the constraint `{name}`"),
        names => {
            format!("the constraints {}", some(names.len(), names.iter().map(|name| format!("`{name}`"))))
        }
    }
}

fn some(count: usize, texts: impl Iterator<Item = String>) -> String {
    /// Largest number of names in a list; further names are counted.
    const MAX_NAMES: usize = 6;
    let mut texts: Vec<_> = texts.take(MAX_NAMES).collect();
    if count > MAX_NAMES {
        texts.push(format!("and {} more", count - MAX_NAMES));
    }
    texts.join(", ")
}

/// The parts of a model that are involved in constraints that no positions satisfy.
#[derive(Debug, Clone, PartialEq)]
pub struct Involved {
    /// The constraints that are violated, the worst one first.
    pub violated: Vec<&'static str>,
    /// The parameters that these constraints depend on, such as lengths, and their values.
    pub parameters: Vec<(&'static str, f64)>,
    /// The coordinates in these constraints whose initial position the model specifies.
    pub specified: Vec<&'static str>,
    /// The coordinates in these constraints whose initial position is left open.
    pub open: Vec<&'static str>,
}

impl Involved {
    fn remedy(&self) -> String {
        let mut text = match &self.parameters[..] {
            [] => "Check whether the constraints can be satisfied".to_owned(),
            [(name, value)] => {
                format!("Check whether they can be satisfied with the parameter `{name}` = {value}")
            }
            many => {
                let values = many.iter().map(|(name, value)| format!("`{name}` = {value}"));
                format!("Check whether they can be satisfied with the parameters {}", some(many.len(), values))
            }
        };
        if !self.specified.is_empty() {
            let names = some(self.specified.len(), self.specified.iter().map(|name| format!("`{name}`")));
            text += &format!("; or change or remove the values of {names} in the `initial` block");
        }
        if let Some(name) = self.open.first() {
            text +=
                &format!("; or give approximate values of the open positions, as in `initial {{ {name} ~ value }}`");
        }
        text
    }
}

/// Formats parameters as `m` = -1, `j` = 0.
fn values(parameters: &[(&str, f64)]) -> String {
    let value = |(name, value): &(&str, f64)| format!("`{name}` = {}", Shown(*value));
    some(parameters.len(), parameters.iter().map(value))
}

fn list(unknowns: &[Unknown]) -> String {
    unknowns.iter().map(Unknown::to_string).collect::<Vec<_>>().join(", ")
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
