//! What an expression may depend on, by the place where it stands.

use crate::symbolic::Symbol;

/// Where an expression stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// The value of a `let`, checked where its name is used.
    Let,
    Default,
    /// The condition that chooses a default.
    Choice,
    /// The condition that chooses between entries, and the value of a structural argument that is on or off.
    Feature,
    Mass,
    Force,
    Constraint,
    Output,
    Initial,
    /// Twice the mass matrix and more: `kinetic`.
    Kinetic,
    Potential,
    Dissipation,
    /// Masses of bodies, points and frames that are fixed in them, lengths of joints.
    Fixed,
    /// What a parameter of a component is bound to.
    BoundParameter,
    /// What an input of a component is bound to.
    BoundInput,
}

impl Context {
    /// Whether numbers alone may stand here: the names of the model are not known yet.
    pub fn is_default(self) -> bool {
        matches!(self, Context::Default | Context::Choice | Context::Feature)
    }

    /// Why an expression here must not depend on `symbol`, if it must not; with what to write instead.
    pub fn refusal(self, symbol: Symbol) -> Option<&'static str> {
        match (self, symbol) {
            (_, Symbol::Integrator(_) | Symbol::Given(..)) => None,
            (Context::Let | Context::Output, _) => None,
            (Context::Default, _) => {
                Some("a default is a number; use `let` for a quantity that depends on others")
            }
            (Context::Choice, _) => Some(
                "a default is chosen at compile time; write numbers, loop variables and structural arguments",
            ),
            (Context::Feature, _) => Some(
                "what a model is made of is chosen at compile time; \
                 write numbers, loop variables and structural arguments",
            ),
            (Context::Initial | Context::BoundParameter, Symbol::Parameter(_)) => None,
            (Context::BoundParameter, _) => Some(
                "a parameter does not change during a run; bind numbers and parameters to it, \
                 or make it an input of the component",
            ),
            (Context::BoundInput, Symbol::Acceleration(_) | Symbol::Multiplier(_)) => Some(
                "an input can't depend on accelerations or multipliers; \
                 bind coordinates, velocities, parameters, inputs and `t` to it",
            ),
            (Context::BoundInput, _) => None,
            (Context::Fixed, Symbol::Parameter(_)) => None,
            (Context::Fixed, _) => {
                Some("what belongs to a body does not change during a run; write numbers and parameters")
            }
            (
                Context::Kinetic,
                Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Parameter(_) | Symbol::Time,
            ) => None,
            (Context::Kinetic, _) => {
                Some("a kinetic energy depends on coordinates, velocities, parameters and `t` only")
            }
            (Context::Potential, Symbol::Velocity(_)) => Some(
                "a potential depends on positions; what depends on velocities belongs into `dissipation` or `forces`",
            ),
            (Context::Potential | Context::Dissipation, Symbol::Acceleration(_) | Symbol::Multiplier(_)) => {
                Some("an energy can't depend on accelerations or multipliers")
            }
            (Context::Potential | Context::Dissipation, _) => None,
            (Context::Initial, _) => {
                Some("initial values depend on parameters only; write a number or parameters")
            }
            (Context::Mass, Symbol::Coordinate(_) | Symbol::Parameter(_)) => None,
            (Context::Mass, _) => Some(
                "masses depend on coordinates and parameters only; \
                 what depends on time, velocities or inputs belongs into `forces`",
            ),
            (Context::Force, Symbol::Acceleration(_)) => {
                Some("a force can't depend on accelerations; put the inertia into the `mass` block")
            }
            (Context::Force, Symbol::Multiplier(_)) => Some(
                "a force can't depend on multipliers; constraint forces enter the equations by themselves",
            ),
            (Context::Force, _) => None,
            (Context::Constraint, Symbol::Coordinate(_) | Symbol::Parameter(_) | Symbol::Time) => None,
            (Context::Constraint, Symbol::Velocity(_) | Symbol::Acceleration(_)) => {
                Some("a constraint is between positions; write it with coordinates, `t` and parameters")
            }
            (Context::Constraint, Symbol::Multiplier(_)) => {
                Some("a constraint is between positions; write it with coordinates, `t` and parameters")
            }
            (Context::Constraint, Symbol::Input(_)) => Some(
                "the time derivatives of an input are not known; write the motion as a function of `t` and parameters, \
                 or let the input act by a force, e.g. that of a stiff spring",
            ),
        }
    }
}
