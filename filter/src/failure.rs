//! Why a state space could not be advanced.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why a [`StateSpace`](crate::StateSpace) could not be advanced, or its outputs not be evaluated: any error, with its message.
#[derive(Clone)]
pub struct ModelFailure(Arc<dyn Error + Send + Sync>);

impl ModelFailure {
    /// Of this error.
    pub fn new(error: impl Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(error))
    }

    /// The error, if it is one of this type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl Error for ModelFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Failures with the same message are the same.
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
