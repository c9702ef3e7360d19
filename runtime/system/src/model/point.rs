//! The points at which emitted functions are evaluated, and the data that adjoint steps exchange.

use costate_numerics::scalar::{Scalar, Vector};

use crate::step::State;

use super::functions::Functions;

/// The arguments of an emitted function.
#[derive(Debug)]
pub struct Point<'a, M: Functions, S: Scalar> {
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

impl<'a, M: Functions, S: Scalar> Point<'a, M, S> {
    /// Takes a state in its stored form: q, v, a, lambda in sequence (3n + m); `None` if it is shorter. A loaded model
    /// copies the state into `copy`.
    #[inline(always)]
    #[doc(hidden)]
    pub fn of_stored(
        time: f64,
        stored: &'a [S],
        inputs: &'a M::Inputs<S>,
        constants: &'a M::Constants<S>,
        copy: &'a mut State<M, S>,
    ) -> Option<Self> {
        let n = copy.coordinates.as_ref().len();
        let State { coordinates, velocities, accelerations, multipliers } = copy;
        Some(Self {
            time: S::constant(time),
            coordinates: Vector::first(stored, coordinates)?,
            velocities: Vector::first(stored.get(n..)?, velocities)?,
            accelerations: Vector::first(stored.get(2 * n..)?, accelerations)?,
            multipliers: Vector::first(stored.get(3 * n..)?, multipliers)?,
            inputs,
            constants,
        })
    }
}

/// The contributions of the step after to a step of the discrete adjoint (DA 9 to 20), in the equations
/// `K^T (w, mu) = right - J`.
#[derive(Debug, Clone)]
pub struct AdjointCarry<M: Functions, S: Scalar> {
    /// The right-hand side so far (n + m), which an adjoint step in one piece leaves as it is.
    pub right: M::Unknowns<S>,
    /// k' w of the step after (n), where that step contains the forces of this one with the weight k';
    /// else 0.
    pub carried: M::Coordinates<S>,
    /// True if the step after contains the forces of this one.
    pub has_history: bool,
}

/// The results of a step of the discrete adjoint.
#[derive(Debug, Clone)]
pub struct AdjointUpdate<M: Functions, S: Scalar> {
    /// Difference of the adjoint variables y of the coordinates to those of the step after (n).
    pub coordinates: M::Coordinates<S>,
    /// Difference of the adjoint variables z of the velocities to z + h y of the step after (n).
    pub velocities: M::Coordinates<S>,
    /// w of the equations of motion (n), then mu of the constraints, divided by w_q (m).
    pub unknowns: M::Unknowns<S>,
}

impl<M: Functions, S: Scalar> AdjointCarry<M, S> {
    /// Creates zero contributions.
    pub fn zeros(program: M::Program) -> Self {
        let lengths = M::lengths(program);
        Self { right: Vector::zeros(lengths.unknowns), carried: Vector::zeros(lengths.coordinates), has_history: false }
    }
}

impl<M: Functions, S: Scalar> AdjointUpdate<M, S> {
    /// Creates zero results.
    pub fn zeros(program: M::Program) -> Self {
        let lengths = M::lengths(program);
        Self {
            coordinates: Vector::zeros(lengths.coordinates),
            velocities: Vector::zeros(lengths.coordinates),
            unknowns: Vector::zeros(lengths.unknowns),
        }
    }
}
