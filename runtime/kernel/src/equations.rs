//! The functions of a model at points.

use costate_numerics::scalar::{Scalar, Vector, array};
use costate_system::model::{Description, Functions, Group};
use costate_system::system::{Equations, Instant};

use crate::evaluate;

/// The [`Equations`] of the model `M` with these constants.
pub struct ModelEquations<'a, M: Functions, S: Scalar>(pub &'a M::Constants<S>);

impl<M: Functions, S: Scalar> Equations<S> for ModelEquations<'_, M, S> {
    fn description(&self) -> &'static Description {
        M::description(M::program(self.0))
    }

    fn group(&self, group: Group, at: Instant<'_, S>) -> Vec<S> {
        let (state, inputs) = (at.state.typed::<M>(), array(at.inputs));
        let point = state.point(at.time, &inputs, self.0);
        let length = M::lengths(M::program(self.0)).group(group);
        match group {
            Group::Initial => filled(length, |out: &mut M::Initial<S>| M::initial(self.0, out)),
            Group::InitialDerivatives => {
                filled(length, |out: &mut M::InitialDerivatives<S>| M::initial_derivatives(self.0, out))
            }
            Group::Residual => filled(length, |out| evaluate::residual(&point, out)),
            Group::Linearization => filled(length, |out| evaluate::linearization(&point, out)),
            Group::Kinematics => filled(length, |out| evaluate::kinematics(&point, out)),
            Group::KinematicsDerivatives => filled(length, |out| M::kinematics_derivatives(&point, out)),
            Group::Outputs => filled(length, |out| M::outputs(&point, out)),
            Group::OutputDerivatives => filled(length, |out| M::output_derivatives(&point, out)),
            Group::InitialLookups => filled(length, |out: &mut Vec<S>| M::initial_lookups(&point, out)),
            // groups of steps alone, which are not compiled for all numbers
            Group::Newton | Group::Adjoint | Group::InputDerivatives | Group::Lookups => Vec::new(),
        }
    }
}

/// Returns the array that `function` writes.
pub(crate) fn filled<S: Scalar, V: Vector<S>>(length: usize, function: impl FnOnce(&mut V)) -> Vec<S> {
    let mut out = V::zeros(length);
    function(&mut out);
    out.as_ref().to_vec()
}
