//! Simulations that failed on the way.

use serde::Serialize;

/// Simulations that failed at trial unknowns.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FailedTrials {
    /// How many trials failed.
    pub count: usize,
    /// Why the last one did, with the experiment's name where there are several.
    pub last: String,
}
