//! What a run took.

use serde::{Deserialize, Serialize};

/// Counts of a run's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Time steps.
    pub steps: usize,
    /// Newton iterations, each with one evaluation of the residual and one solution per component of the scalars.
    pub iterations: usize,
    /// Largest number of iterations in one step.
    pub worst_iterations: usize,
    /// Evaluations of the Newton matrix, each with a factorisation.
    pub factorizations: usize,
    /// Factorisations that had to choose new pivots, the first included.
    pub analyses: usize,
    /// Factorisations for which the order of pivots that was fixed when the model was compiled did not serve; all of
    /// them for a model that is too large to have such an order.
    #[serde(default)]
    pub pivoted: usize,
}
