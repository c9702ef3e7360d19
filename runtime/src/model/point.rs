//! Where emitted functions are evaluated, and what those of the adjoint pass on.

use crate::scalar::{Scalar, Vector};

use super::Model;

/// Where an emitted function is evaluated.
#[derive(Debug)]
pub struct Point<'a, M: Model, S: Scalar> {
    /// Time t in s.
    pub time: S,
    /// Generalized coordinates q.
    pub coordinates: &'a M::Coordinates<S>,
    /// Velocities v = q'.
    pub velocities: &'a M::Coordinates<S>,
    /// Accelerations a = q''.
    pub accelerations: &'a M::Coordinates<S>,
    /// Lagrange multipliers lambda.
    pub multipliers: &'a M::Multipliers<S>,
    /// Inputs u(t).
    pub inputs: &'a M::Inputs<S>,
    /// The run's constants.
    pub constants: &'a M::Constants<S>,
}

impl<'a, M: Model, S: Scalar> Point<'a, M, S> {
    /// At a state in its stored form: q, v, a, lambda in sequence (3n + m).
    #[inline(always)]
    pub(crate) fn of_stored(
        time: f64,
        stored: &'a [S],
        inputs: &'a M::Inputs<S>,
        constants: &'a M::Constants<S>,
    ) -> Option<Self> {
        let (coordinates, stored) = Vector::split_first(stored)?;
        let (velocities, stored) = Vector::split_first(stored)?;
        let (accelerations, stored) = Vector::split_first(stored)?;
        let (multipliers, _) = Vector::split_first(stored)?;
        let time = S::constant(time);
        Some(Self { time, coordinates, velocities, accelerations, multipliers, inputs, constants })
    }
}

/// The adjoint variables of a step of the discrete adjoint (DA 9), multipliers of the scheme's equations.
#[derive(Debug, Clone)]
pub struct AdjointVariables<M: Model, S: Scalar> {
    /// Of the formula for q (n).
    pub y: M::Coordinates<S>,
    /// Of the formula for v (n).
    pub z: M::Coordinates<S>,
    /// Of the formula for the auxiliary acceleration (n).
    pub auxiliary: M::Coordinates<S>,
    /// Of the equations of motion (n).
    pub w: M::Coordinates<S>,
    /// Of the constraints, divided by beta h^2 (m).
    pub mu: M::Multipliers<S>,
}

impl<M: Model, S: Scalar> AdjointVariables<M, S> {
    /// Those after the last step.
    pub fn zeros() -> Self {
        Self {
            y: Vector::zeros(),
            z: Vector::zeros(),
            auxiliary: Vector::zeros(),
            w: Vector::zeros(),
            mu: Vector::zeros(),
        }
    }
}
