//! The functions of a model at points.

use costate_numerics::scalar::{Scalar, Vector, array};
use costate_system::model::lookups::array_length;
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
        let lengths = M::lengths(M::program(self.0));
        match group {
            Group::Initial => filled(lengths.initial, |out: &mut M::Initial<S>| M::initial(self.0, out)),
            Group::InitialDerivatives => filled(lengths.initial_derivatives, |out: &mut M::InitialDerivatives<S>| {
                M::initial_derivatives(self.0, out)
            }),
            Group::Residual => filled(lengths.residual, |out: &mut M::Residual<S>| evaluate::residual(&point, out)),
            Group::Linearization => {
                filled(lengths.linearization, |out: &mut M::Linearization<S>| evaluate::linearization(&point, out))
            }
            Group::Kinematics => {
                filled(lengths.kinematics, |out: &mut M::Kinematics<S>| evaluate::kinematics(&point, out))
            }
            Group::KinematicsDerivatives => {
                filled(lengths.kinematics_derivatives, |out: &mut M::KinematicsDerivatives<S>| {
                    M::kinematics_derivatives(&point, out)
                })
            }
            Group::Outputs => filled(lengths.outputs, |out: &mut M::Outputs<S>| M::outputs(&point, out)),
            Group::OutputDerivatives => filled(lengths.output_derivatives, |out: &mut M::OutputDerivatives<S>| {
                M::output_derivatives(&point, out)
            }),
            Group::InitialLookups => {
                let mut out = vec![S::default(); array_length(self.description().groups.initial_lookups)];
                M::initial_lookups(&point, &mut out);
                out
            }
            Group::Newton | Group::Adjoint | Group::InputDerivatives | Group::Lookups => Vec::new(),
        }
    }
}

/// Returns the array that `function` writes.
fn filled<S: Scalar, V: Vector<S>>(length: usize, function: impl FnOnce(&mut V)) -> Vec<S> {
    let mut out = V::zeros(length);
    function(&mut out);
    out.as_ref().to_vec()
}
