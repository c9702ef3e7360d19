//! The levels of a state that constraints are on beside that of accelerations.

use crate::model::Function;
use crate::scalar::Scalar;
use crate::system::StateVectors;

use super::system::StartSystem;

/// What is projected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Level {
    Positions,
    Velocities,
}

impl Level {
    /// c(x): C of positions, C_q v + C_t of velocities (m).
    pub fn constraint<S: Scalar>(self, system: &StartSystem<'_, S>, state: &StateVectors<S>) -> Vec<S> {
        match self {
            Self::Positions => system.constraint(state),
            Self::Velocities => system.kinematics(Function::ConstraintVelocity, state),
        }
    }

    /// The positions or velocities of a state (n).
    pub fn unknowns<S: Scalar>(self, state: &mut StateVectors<S>) -> &mut [S] {
        match self {
            Self::Positions => &mut state.coordinates,
            Self::Velocities => &mut state.velocities,
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Velocities => "velocities",
        }
    }
}
