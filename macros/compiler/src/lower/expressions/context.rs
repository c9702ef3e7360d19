//! The symbols on which an expression may depend, by its position in the model.

use crate::symbolic::Symbol;

/// The position of an expression in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// The value of a `let`, which is checked where the name of the `let` is used.
    Let,
    Default,
    /// The condition that chooses a default.
    Choice,
    /// The condition that chooses between entries, and the value of a structural argument of type `bool`.
    Feature,
    Mass,
    Force,
    Constraint,
    Output,
    Initial,
    /// The block `kinetic`: expressions may also depend on velocities and time.
    Kinetic,
    Potential,
    Dissipation,
    /// Masses of bodies, points and frames fixed in bodies, lengths of joints.
    Fixed,
    /// The value bound to a parameter of a component.
    BoundParameter,
    /// The value bound to an input of a component.
    BoundInput,
}

impl Context {
    /// Checks whether only numbers are allowed, because the names of the model are not known yet.
    pub fn is_default(self) -> bool {
        matches!(self, Context::Default | Context::Choice | Context::Feature)
    }

    /// Returns the reason why an expression must not depend on `symbol`, with what to write instead; `None` if it
    /// may.
    pub fn refusal(self, symbol: Symbol) -> Option<&'static str> {
        (!self.admits(symbol)).then(|| self.reason(symbol))
    }

    /// Checks whether an expression may depend on `symbol`.
    fn admits(self, symbol: Symbol) -> bool {
        use Symbol::{Acceleration, Coordinate, Given, Input, Integrator, Multiplier, Parameter, Time, Velocity};
        match self {
            _ if matches!(symbol, Integrator(_) | Given(..)) => true,
            Context::Let | Context::Output => true,
            Context::Default | Context::Choice | Context::Feature => false,
            Context::Initial => matches!(symbol, Parameter(_) | Coordinate(_) | Velocity(_)),
            Context::BoundParameter | Context::Fixed => matches!(symbol, Parameter(_)),
            Context::Mass => matches!(symbol, Parameter(_) | Coordinate(_)),
            Context::Constraint => matches!(symbol, Parameter(_) | Coordinate(_) | Time),
            Context::Kinetic => matches!(symbol, Parameter(_) | Coordinate(_) | Velocity(_) | Time),
            Context::Potential => matches!(symbol, Parameter(_) | Coordinate(_) | Input(_) | Time),
            Context::Dissipation | Context::Force | Context::BoundInput => {
                !matches!(symbol, Acceleration(_) | Multiplier(_))
            }
        }
    }

    /// Returns the reason against a dependence on `symbol`.
    fn reason(self, symbol: Symbol) -> &'static str {
        match (self, symbol) {
            (Context::Let | Context::Output, _) => "",
            (Context::Default, _) => "a default is a number; use `let` for a quantity that depends on others",
            (Context::Choice, _) => {
                "a default is chosen at compile time; write numbers, loop variables and structural arguments"
            }
            (Context::Feature, _) => {
                "what a model is made of is chosen at compile time; \
                 write numbers, loop variables and structural arguments"
            }
            (Context::Initial, _) => {
                "initial values depend on parameters and on other initial values; write numbers, parameters, \
                     coordinates or \
                 velocities"
            }
            (Context::BoundParameter, _) => {
                "a parameter does not change during a run; bind numbers and parameters to it, \
                 or make it an input of the component"
            }
            (Context::BoundInput, _) => {
                "an input can't depend on accelerations or multipliers; \
                 bind coordinates, velocities, parameters, inputs and `t` to it"
            }
            (Context::Fixed, _) => "what belongs to a body does not change during a run; write numbers and parameters",
            (Context::Kinetic, _) => "a kinetic energy depends on coordinates, velocities, parameters and `t` only",
            (Context::Potential, Symbol::Velocity(_)) => {
                "a potential depends on positions; what depends on velocities belongs into `dissipation` or `forces`"
            }
            (Context::Potential | Context::Dissipation, _) => "an energy can't depend on accelerations or multipliers",
            (Context::Mass, _) => {
                "masses depend on coordinates and parameters only; \
                 what depends on time, velocities or inputs belongs into `forces`"
            }
            (Context::Force, Symbol::Multiplier(_)) => {
                "a force can't depend on multipliers, so that friction does not follow from a reaction; constraint \
                     forces \
                 enter the equations by themselves, and friction takes its normal force from a stiff spring in place \
                 of \
                 the constraint"
            }
            (Context::Force, _) => "a force can't depend on accelerations; put the inertia into the `mass` block",
            (Context::Constraint, Symbol::Input(_)) => {
                "the time derivatives of an input are not known; write the motion as a function of `t` and parameters, \
                 or let the input act by a force, e.g. that of a stiff spring"
            }
            (Context::Constraint, Symbol::Velocity(_)) => {
                "a constraint is between positions, and one between velocities alone (a wheel that is steered, a \
                     knife edge) \
                 is not taken; write its integral where it has one, `x - r*phi` for rolling along a line, or a strong \
                 damping \
                 against the sliding in `forces`"
            }
            (Context::Constraint, Symbol::Acceleration(_)) => {
                "a constraint is between positions, and one between accelerations is not taken; write it with \
                     positions, \
                 or what drives them as a force"
            }
            (Context::Constraint, Symbol::Multiplier(_)) => {
                "a constraint is between positions, and a constraint force can't be given; write the force in `forces` \
                 in place of its constraint"
            }
            (Context::Constraint, _) => {
                "a constraint is between positions; write it with coordinates, `t` and parameters"
            }
        }
    }
}
