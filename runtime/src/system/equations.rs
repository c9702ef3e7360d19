//! A model's functions at points, whatever its type.

use crate::evaluate;
use crate::model::lookups::array_length;
use crate::model::{Description, Group, Model};
use crate::scalar::{Scalar, Vector};
use crate::step::State;

use super::compiled::array;

/// q, v, a and lambda of any model.
#[derive(Debug, Clone)]
pub struct StateVectors<S> {
    pub coordinates: Vec<S>,
    pub velocities: Vec<S>,
    pub accelerations: Vec<S>,
    pub multipliers: Vec<S>,
}

impl<S: Scalar> StateVectors<S> {
    /// Zeros for n coordinates and m constraints.
    pub fn zeros(n: usize, m: usize) -> Self {
        let zeros = |length| vec![S::default(); length];
        Self { coordinates: zeros(n), velocities: zeros(n), accelerations: zeros(n), multipliers: zeros(m) }
    }

    /// Of q, v, a and lambda in sequence (3n + m).
    pub fn of_stored(n: usize, stored: &[S]) -> Self {
        let part = |from: usize, to: usize| stored.get(from..to).unwrap_or_default().to_vec();
        Self {
            coordinates: part(0, n),
            velocities: part(n, 2 * n),
            accelerations: part(2 * n, 3 * n),
            multipliers: part(3 * n, stored.len()),
        }
    }

    /// In sequence (3n + m).
    pub fn stored(&self) -> Vec<S> {
        [&self.coordinates[..], &self.velocities, &self.accelerations, &self.multipliers].concat()
    }

    /// Of the model's own arrays.
    pub fn of<M: Model>(state: &State<M, S>) -> Self {
        let [coordinates, velocities, accelerations, multipliers] = state.parts().map(<[S]>::to_vec);
        Self { coordinates, velocities, accelerations, multipliers }
    }

    /// In the model's own arrays.
    pub fn typed<M: Model>(&self) -> State<M, S> {
        State {
            coordinates: array(&self.coordinates),
            velocities: array(&self.velocities),
            accelerations: array(&self.accelerations),
            multipliers: array(&self.multipliers),
        }
    }

    /// The real parts.
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

/// Where a model's functions are evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Instant<'a, S> {
    /// t in s.
    pub time: f64,
    /// q, v, a and lambda.
    pub state: &'a StateVectors<S>,
    /// All inputs.
    pub inputs: &'a [S],
}

/// The functions of a model with the constants of one set of parameters: what is evaluated a few times per run, at its start above all.
pub trait Equations<S: Scalar> {
    /// Names, units, patterns and sizes.
    fn description(&self) -> &'static Description;

    /// The array of a group; empty for those of the steps, which only the loops over steps evaluate.
    fn group(&self, group: Group, at: Instant<'_, S>) -> Vec<S>;
}

/// The [`Equations`] of the model `M` with these constants.
pub(crate) struct ModelEquations<'a, M: Model, S: Scalar>(pub &'a M::Constants<S>);

impl<M: Model, S: Scalar> Equations<S> for ModelEquations<'_, M, S> {
    fn description(&self) -> &'static Description {
        const { &M::DESCRIPTION }
    }

    fn group(&self, group: Group, at: Instant<'_, S>) -> Vec<S> {
        let (state, inputs) = (at.state.typed::<M>(), array(at.inputs));
        let point = state.point(at.time, &inputs, self.0);
        match group {
            Group::Initial => filled(|out: &mut M::Initial<S>| M::initial(self.0, out)),
            Group::InitialDerivatives => {
                filled(|out: &mut M::InitialDerivatives<S>| M::initial_derivatives(self.0, out))
            }
            Group::Residual => filled(|out: &mut M::Residual<S>| evaluate::residual(&point, out)),
            Group::Linearization => {
                filled(|out: &mut M::Linearization<S>| evaluate::linearization(&point, out))
            }
            Group::Kinematics => filled(|out: &mut M::Kinematics<S>| evaluate::kinematics(&point, out)),
            Group::KinematicsDerivatives => {
                filled(|out: &mut M::KinematicsDerivatives<S>| M::kinematics_derivatives(&point, out))
            }
            Group::Outputs => filled(|out: &mut M::Outputs<S>| M::outputs(&point, out)),
            Group::OutputDerivatives => {
                filled(|out: &mut M::OutputDerivatives<S>| M::output_derivatives(&point, out))
            }
            Group::InitialLookups => {
                let mut out = vec![S::default(); array_length(M::DESCRIPTION.groups.initial_lookups)];
                M::initial_lookups(&point, &mut out);
                out
            }
            Group::Newton | Group::Adjoint | Group::InputDerivatives | Group::Lookups => Vec::new(),
        }
    }
}

/// What a function writes.
fn filled<S: Scalar, V: Vector<S>>(function: impl FnOnce(&mut V)) -> Vec<S> {
    let mut out = V::zeros();
    function(&mut out);
    out.as_ref().to_vec()
}
