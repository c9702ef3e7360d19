//! Simulations that failed on the way.

use serde::Serialize;

/// Simulations that failed at trial unknowns.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FailedTrials {
    /// The number of failed trials.
    pub count: usize,
    /// The reason for the last failure, with the experiment's name where there are several.
    pub last: String,
}
