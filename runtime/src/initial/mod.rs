//! A consistent initial state x_0 = (q0, v0, a0, lambda0), and its derivatives with respect to parameters.
//!
//! What the model specifies is kept. Positions left open are the closest that satisfy the constraints, to zero or to what the
//! model says that they are near to, velocities left open the smallest. A coordinate with neither mass nor constraint, a *free*
//! one, has the velocity at which its force vanishes, and no acceleration. All other accelerations and the multipliers solve
//! the equations of motion with the constraints at acceleration level.

mod accelerations;
mod auxiliary;
mod closing;
mod consistent;
mod derivatives;
mod free;
mod given;
mod inputs;
mod iteration;
mod level;
mod open_loop;
mod project;
mod rounding;
mod system;

use nalgebra::DMatrix;

use crate::identifiers::Parameter;
use crate::model::Model;
use crate::problem::{InitialStateError, Problem};
use crate::scalar::Scalar;
use crate::step::State;

pub(crate) use auxiliary::initial_displacement;
pub(crate) use consistent::{Consistent, check_parameters, consistent_state};
pub(crate) use derivatives::{initial_derivatives, initial_lookups};
pub(crate) use given::check_given;
pub(crate) use inputs::{initial_input_derivatives, initial_state_changes};

impl<M: Model> Problem<M> {
    /// The consistent initial state x_0 = (q0, v0, a0, lambda0) of these parameters.
    ///
    /// # Errors
    /// [`InitialStateError`] if the model's initial values contradict its constraints or do not determine the motion.
    #[inline(never)]
    pub fn initial_state<S: Scalar>(
        &self,
        parameters: &M::Parameters<S>,
    ) -> Result<State<M, S>, InitialStateError> {
        Ok(consistent_state(self, parameters)?.state)
    }

    /// The derivatives dx_0/dp of the initial state, rows q0, v0, a0, lambda0 (3n + m), with one column for each of
    /// the parameters `unknown`.
    ///
    /// # Errors
    /// As [`initial_state`](Self::initial_state); besides if a parameter changes a constraint that the specified
    /// positions or velocities cannot follow.
    #[inline(never)]
    pub fn initial_derivatives(
        &self,
        parameters: &M::Parameters<f64>,
        unknown: &[Parameter<M>],
    ) -> Result<DMatrix<f64>, InitialStateError> {
        let all = initial_derivatives(self, parameters, None, &Parameter::indices(unknown))?;
        Ok(all.rows(0, State::<M, f64>::STRIDE).into_owned())
    }
}
