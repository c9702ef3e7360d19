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
use crate::problem::{Problem, SimulationError};

pub(crate) use auxiliary::initial_displacement;
pub(crate) use consistent::{Consistent, check_finite, check_parameters, consistent_state};
pub(crate) use derivatives::{initial_derivatives, initial_lookups};
pub(crate) use given::check_given;
pub(crate) use inputs::{initial_input_derivatives, initial_state_changes};

impl Problem {
    /// The consistent initial state q0, v0, a0, lambda0 (3n + m) of these parameters.
    ///
    /// # Errors
    /// [`SimulationError::InitialState`] if the model's initial values contradict its constraints or do not determine the motion;
    /// [`SimulationError::ParameterCount`].
    pub fn initial_state(&self, parameters: &[f64]) -> Result<Vec<f64>, SimulationError> {
        self.check_count(parameters.len())?;
        Ok(self.system().initial_state(self, parameters)?)
    }

    /// The derivatives dx_0/dp of the initial state, rows q0, v0, a0, lambda0 (3n + m), with one column for each of
    /// the parameters `unknown`.
    ///
    /// # Errors
    /// As [`initial_state`](Self::initial_state); besides if a parameter changes a constraint that the specified
    /// positions or velocities cannot follow.
    pub fn initial_derivatives<M>(
        &self,
        parameters: &[f64],
        unknown: &[Parameter<M>],
    ) -> Result<DMatrix<f64>, SimulationError> {
        self.check_count(parameters.len())?;
        Ok(self.system().initial_derivatives(self, parameters, &Parameter::indices(unknown))?)
    }
}
