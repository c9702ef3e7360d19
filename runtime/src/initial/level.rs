//! The levels of a state that constraints are on beside that of accelerations.

use crate::model::{Function, Model};
use crate::scalar::Scalar;
use crate::step::State;

use super::system::System;

/// What is projected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Level {
    Positions,
    Velocities,
}

impl Level {
    /// c(x): C of positions, C_q v + C_t of velocities (m).
    pub fn constraint<M: Model, S: Scalar>(self, system: &System<M, S>, state: &State<M, S>) -> Vec<S> {
        match self {
            Self::Positions => system.constraint(state),
            Self::Velocities => system.kinematics(Function::ConstraintVelocity, state),
        }
    }

    /// The positions or velocities of a state (n).
    pub fn unknowns<M: Model, S: Scalar>(self, state: &mut State<M, S>) -> &mut [S] {
        match self {
            Self::Positions => state.coordinates.as_mut(),
            Self::Velocities => state.velocities.as_mut(),
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
