//! Consistent initial state.
use nalgebra::DMatrix;

use crate::integrator::state::State;
use crate::model::{Model, Weights};
use crate::scalar::Scalar;

/// Why there is no consistent initial state.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InitialStateError {
    /// placeholder
    #[error("placeholder")]
    Placeholder,
}

pub(crate) fn initial_state<M: Model, S: Scalar>(
    _weights: &Weights,
    _inputs: &M::Inputs<f64>,
    _parameters: &M::Parameters<S>,
) -> Result<State<M, S>, InitialStateError> {
    Err(InitialStateError::Placeholder)
}

pub(crate) fn initial_derivatives<M: Model>(
    _weights: &Weights,
    _inputs: &M::Inputs<f64>,
    _parameters: &M::Parameters<f64>,
    _unknown: &[usize],
) -> Result<DMatrix<f64>, InitialStateError> {
    Err(InitialStateError::Placeholder)
}
