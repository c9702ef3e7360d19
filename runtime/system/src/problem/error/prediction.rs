//! The error of a prediction that takes the place of a run.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::interrupt::Interrupted;

use super::SimulationError;

/// The reason why a model does not predict numbers at some parameters, or at any.
///
/// In a search, the parameters are a failed trial, from which it takes a shorter step, unless the prediction fails
/// [anywhere](Self::anywhere).
#[derive(Debug, Clone)]
pub struct PredictionError {
    source: Arc<dyn Error + Send + Sync>,
    anywhere: bool,
}

impl PredictionError {
    /// Creates the error of a prediction that fails at these parameters, such as one without an equilibrium.
    pub fn here(source: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Arc::new(source), anywhere: false }
    }

    /// Creates the error of a prediction that fails at any parameters, or that was interrupted.
    pub fn anywhere(source: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Arc::new(source), anywhere: true }
    }

    /// Returns the interruption that has ended the prediction, if one has.
    pub fn interruption(&self) -> Option<&Interrupted> {
        match self.source.downcast_ref::<SimulationError>() {
            Some(SimulationError::Interrupted(interrupted)) => Some(interrupted),
            _ => self.source.downcast_ref::<Interrupted>(),
        }
    }

    /// Returns true if the prediction would fail at any parameters, or was interrupted.
    pub fn fails_anywhere(&self) -> bool {
        self.anywhere
    }
}

impl From<SimulationError> for PredictionError {
    fn from(error: SimulationError) -> Self {
        if error.fails_anywhere() { Self::anywhere(error) } else { Self::here(error) }
    }
}

impl fmt::Display for PredictionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl Error for PredictionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.source()
    }
}

impl PartialEq for PredictionError {
    fn eq(&self, other: &Self) -> bool {
        self.anywhere == other.anywhere && self.to_string() == other.to_string()
    }
}
