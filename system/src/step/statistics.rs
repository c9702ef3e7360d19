//! The work counters of a run.

use serde::{Deserialize, Serialize};

/// Counts of a run's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Number of time steps.
    pub steps: usize,
    /// Number of Newton iterations, each with one evaluation of the residual and one solution per component
    /// of the scalars.
    pub iterations: usize,
    /// Largest number of iterations in one step.
    pub worst_iterations: usize,
    /// Number of evaluations of the Newton matrix, each with a factorisation.
    pub factorizations: usize,
    /// Number of factorisations that had to choose new pivots, the first included.
    pub analyses: usize,
    /// Number of factorisations for which the pivot order that was fixed when the model was compiled failed;
    /// all of them for a model that is too large to have such an order.
    #[serde(default)]
    pub pivoted: usize,
}
