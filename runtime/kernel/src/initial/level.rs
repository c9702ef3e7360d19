//! The levels of constraints, other than that of accelerations, to which a state is projected.

use costate_numerics::scalar::Scalar;
use costate_system::model::Function;
use costate_system::system::StateVectors;

use super::system::StartSystem;

/// The level of a projection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Level {
    Positions,
    Velocities,
}

impl Level {
    /// Evaluates c(x): C for positions, C_q v + C_t for velocities (m).
    pub fn constraint<S: Scalar>(self, system: &StartSystem<'_, S>, state: &StateVectors<S>) -> Vec<S> {
        match self {
            Self::Positions => system.constraint(state),
            Self::Velocities => system.kinematics(Function::ConstraintVelocity, state),
        }
    }

    /// Returns the positions or velocities of a state (n).
    pub fn unknowns<S: Scalar>(self, state: &mut StateVectors<S>) -> &mut [S] {
        match self {
            Self::Positions => &mut state.coordinates,
            Self::Velocities => &mut state.velocities,
        }
    }

    /// Returns the positions or velocities of a state (n), which stay as they are.
    pub fn values<S>(self, state: &StateVectors<S>) -> &[S] {
        match self {
            Self::Positions => &state.coordinates,
            Self::Velocities => &state.velocities,
        }
    }

    /// Returns the name of the level.
    pub fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Velocities => "velocities",
        }
    }
}
