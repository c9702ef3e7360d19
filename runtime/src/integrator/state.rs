//! The state of a model at one time.

use crate::model::{Model, Point};
use crate::scalar::{Scalar, Vector};

/// Generalized coordinates, velocities, accelerations and Lagrange multipliers at one time: x = (q, v, a, lambda).
#[derive(Debug, Clone)]
pub struct State<M: Model, S: Scalar> {
    /// q (n).
    pub coordinates: M::Coordinates<S>,
    /// v (n).
    pub velocities: M::Coordinates<S>,
    /// a (n).
    pub accelerations: M::Coordinates<S>,
    /// lambda (m).
    pub multipliers: M::Multipliers<S>,
}

impl<M: Model, S: Scalar> State<M, S> {
    /// Everything zero.
    pub fn zeros() -> Self {
        Self {
            coordinates: Vector::zeros(),
            velocities: Vector::zeros(),
            accelerations: Vector::zeros(),
            multipliers: Vector::zeros(),
        }
    }

    /// Takes the state from its stored form: q, v, a, lambda in sequence (3n + m).
    pub(crate) fn load(&mut self, stored: &[S]) {
        let n = <M::Coordinates<S> as Vector<S>>::LENGTH;
        self.coordinates.as_mut().copy_from_slice(&stored[..n]);
        self.velocities.as_mut().copy_from_slice(&stored[n..2 * n]);
        self.accelerations.as_mut().copy_from_slice(&stored[2 * n..3 * n]);
        self.multipliers.as_mut().copy_from_slice(&stored[3 * n..]);
    }

    /// Appends q, v, a, lambda to `stored`.
    pub(crate) fn store(&self, stored: &mut Vec<S>) {
        stored.extend_from_slice(self.coordinates.as_ref());
        stored.extend_from_slice(self.velocities.as_ref());
        stored.extend_from_slice(self.accelerations.as_ref());
        stored.extend_from_slice(self.multipliers.as_ref());
    }

    /// Writes the real parts to `real`.
    pub(crate) fn real_into(&self, real: &mut State<M, f64>) {
        real_into(self.coordinates.as_ref(), real.coordinates.as_mut());
        real_into(self.velocities.as_ref(), real.velocities.as_mut());
        real_into(self.accelerations.as_ref(), real.accelerations.as_mut());
        real_into(self.multipliers.as_ref(), real.multipliers.as_mut());
    }

    /// Where the model's functions are evaluated: this state at `time` in s.
    pub(crate) fn point<'a>(
        &'a self,
        time: f64,
        inputs: &'a M::Inputs<S>,
        constants: &'a M::Constants<S>,
    ) -> Point<'a, M, S> {
        Point {
            time: S::constant(time),
            coordinates: &self.coordinates,
            velocities: &self.velocities,
            accelerations: &self.accelerations,
            multipliers: &self.multipliers,
            inputs,
            constants,
        }
    }
}

/// Copies real parts.
pub(crate) fn real_into<S: Scalar>(from: &[S], to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.real();
    }
}

/// The real parts of a vector as another vector.
pub(crate) fn real_part<S: Scalar, V: Vector<S>, R: Vector<f64>>(from: &V) -> R {
    let mut to = R::zeros();
    real_into(from.as_ref(), to.as_mut());
    to
}

/// Real numbers as constants of another scalar type.
pub(crate) fn lift_into<S: Scalar>(from: &[f64], to: &mut [S]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = S::constant(*from);
    }
}
