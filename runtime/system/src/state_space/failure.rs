//! The error of a state space that could not be advanced.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The reason why a [`StateSpace`](crate::state_space::StateSpace) could not be advanced, or its outputs not be
/// evaluated: any error, with its message.
#[derive(Clone)]
pub struct ModelFailure(Arc<dyn Error + Send + Sync>);

impl ModelFailure {
    /// Wraps an error.
    pub fn new(error: impl Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(error))
    }

    /// Returns the error, if it has this type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl Error for ModelFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Compares failures by their messages.
impl PartialEq for ModelFailure {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl fmt::Debug for ModelFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for ModelFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
