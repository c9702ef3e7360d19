//! The auxiliary acceleration s_0 that a scheme begins with, of second order.
//!
//! s is an acceleration at a time d h before that of the state. With the accelerations a(d h) of the motion shortly after the
//! start, s_0 = 2 a_0 - a(d h): no input and no time before the start is needed.

use super::accelerations::accelerate;
use super::system::System;
use crate::linalg::LuFactors;
use crate::model::Model;
use crate::problem::{InitialStateError, Problem};
use crate::scalar::Scalar;
use crate::step::State;

/// s_0, and what its derivatives need.
pub(super) struct Auxiliary<M: Model, S: Scalar> {
    /// s_0.
    pub acceleration: M::Coordinates<S>,
    /// Shortly after the start; nothing where s_0 is a_0.
    pub later: Option<Later<M, S>>,
}

/// The motion shortly after the start, to second degree.
pub(super) struct Later<M: Model, S: Scalar> {
    /// How long after it, in s.
    pub ahead: f64,
    pub system: System<M, S>,
    pub state: State<M, S>,
    /// Factors of the equations for accelerations and multipliers there.
    pub factors: LuFactors,
}

impl<M: Model, S: Scalar> Auxiliary<M, S> {
    /// Of the consistent state `initial`.
    pub fn new(
        problem: &Problem<M>,
        parameters: &M::Parameters<S>,
        free: &[bool],
        initial: &State<M, S>,
    ) -> Result<Self, InitialStateError> {
        let delay = problem.settings().scheme.auxiliary_delay();
        if delay == 0.0 {
            return Ok(Self { acceleration: initial.accelerations.clone(), later: None });
        }
        let ahead = delay * problem.first_step();
        let system = System::<M, S>::later(problem, parameters, delay);
        let mut state = initial.clone();
        for j in 0..System::<M, S>::N {
            let (v, a) = (initial.velocities.as_ref()[j], initial.accelerations.as_ref()[j]);
            state.coordinates.as_mut()[j] += v * ahead + a * (0.5 * ahead * ahead);
            state.velocities.as_mut()[j] += a * ahead;
        }
        let factors = accelerate(&system, free, &mut state)?;
        let mut acceleration = initial.accelerations.clone();
        for (own, later) in acceleration.as_mut().iter_mut().zip(state.accelerations.as_ref()) {
            *own = *own * 2.0 - *later;
        }
        Ok(Self { acceleration, later: Some(Later { ahead, system, state, factors }) })
    }
}
