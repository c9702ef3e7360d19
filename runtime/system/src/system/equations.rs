//! The functions of a model at points, independent of the type of the model.

use costate_numerics::scalar::{Scalar, array};

use crate::model::{Description, Functions, Group};
use crate::step::State;

/// q, v, a and lambda of any model.
#[derive(Debug, Clone)]
pub struct StateVectors<S> {
    /// q (n).
    pub coordinates: Vec<S>,
    /// v (n).
    pub velocities: Vec<S>,
    /// a (n).
    pub accelerations: Vec<S>,
    /// lambda (m).
    pub multipliers: Vec<S>,
}

impl<S: Scalar> StateVectors<S> {
    /// Zeros for n coordinates and m constraints.
    pub fn zeros(n: usize, m: usize) -> Self {
        let zeros = |length| vec![S::default(); length];
        Self { coordinates: zeros(n), velocities: zeros(n), accelerations: zeros(n), multipliers: zeros(m) }
    }

    /// Splits q, v, a and lambda in sequence (3n + m).
    pub fn of_stored(n: usize, stored: &[S]) -> Self {
        let part = |from: usize, to: usize| stored.get(from..to).unwrap_or_default().to_vec();
        Self {
            coordinates: part(0, n),
            velocities: part(n, 2 * n),
            accelerations: part(2 * n, 3 * n),
            multipliers: part(3 * n, stored.len()),
        }
    }

    /// Returns q, v, a and lambda in sequence (3n + m).
    pub fn stored(&self) -> Vec<S> {
        [&self.coordinates[..], &self.velocities, &self.accelerations, &self.multipliers].concat()
    }

    /// Copies the state from the model's own arrays.
    pub fn of<M: Functions>(state: &State<M, S>) -> Self {
        let [coordinates, velocities, accelerations, multipliers] = state.parts().map(<[S]>::to_vec);
        Self { coordinates, velocities, accelerations, multipliers }
    }

    /// Copies the state to the model's own arrays.
    pub fn typed<M: Functions>(&self) -> State<M, S> {
        State {
            coordinates: array(&self.coordinates),
            velocities: array(&self.velocities),
            accelerations: array(&self.accelerations),
            multipliers: array(&self.multipliers),
        }
    }

    /// Returns the real parts.
    pub fn real(&self) -> StateVectors<f64> {
        let real = |part: &[S]| part.iter().map(|number| number.real()).collect();
        StateVectors {
            coordinates: real(&self.coordinates),
            velocities: real(&self.velocities),
            accelerations: real(&self.accelerations),
            multipliers: real(&self.multipliers),
        }
    }
}

/// The point at which a model's functions are evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Instant<'a, S> {
    /// t in s.
    pub time: f64,
    /// q, v, a and lambda.
    pub state: &'a StateVectors<S>,
    /// All inputs.
    pub inputs: &'a [S],
}

/// The functions of a model with the constants of one set of parameters, for the few evaluations per run
/// outside of its steps, above all at the start.
pub trait Equations<S: Scalar> {
    /// Returns names, units, patterns and sizes.
    fn description(&self) -> &'static Description;

    /// Evaluates the array of a group; empty for groups that only the loops over steps evaluate.
    fn group(&self, group: Group, at: Instant<'_, S>) -> Vec<S>;
}
