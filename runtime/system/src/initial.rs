//! The initial state of a problem, and its derivatives.

use nalgebra::DMatrix;

use costate_numerics::scalar::Scalar;

use crate::identifiers::Parameter;
use crate::model::Description;
use crate::problem::{InitialStateError, Problem, SimulationError};

impl Problem {
    /// Computes the consistent initial state q0, v0, a0, lambda0 (3n + m) of these parameters.
    ///
    /// # Errors
    /// [`SimulationError::InitialState`] if the model's initial values contradict its constraints or do not determine
    /// the motion; [`SimulationError::ParameterCount`].
    pub fn initial_state(&self, parameters: &[f64]) -> Result<Vec<f64>, SimulationError> {
        self.check_count(parameters.len())?;
        Ok(self.system().initial_state(self, parameters)?)
    }

    /// Computes the derivatives dx_0/dp of the initial state, rows q0, v0, a0, lambda0 (3n + m), with one
    /// column for each of the parameters `unknown`.
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

/// Checks that parameters are finite: infinities and NaN would only be seen by their effects.
///
/// # Errors
/// [`InitialStateError::Parameter`].
pub fn check_parameters<S: Scalar>(model: &Description, parameters: &[S]) -> Result<(), InitialStateError> {
    for (quantity, value) in model.parameters.iter().zip(parameters) {
        let mut components = (0..S::COMPONENTS).map(|component| value.component(component));
        if let Some(value) = components.find(|value| !value.is_finite()) {
            return Err(InitialStateError::Parameter { name: quantity.name, value });
        }
    }
    Ok(())
}
