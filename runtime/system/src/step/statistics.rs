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
    /// Number of searches for pivots among all entries of a matrix. A model with a pivot order, which was chosen when
    /// the model was compiled, needs one only where that order fails.
    pub analyses: usize,
    /// Number of factorisations whose pivots are not those of the order that was fixed when the model was compiled: the
    /// searches, and the later matrices for which the pivots that were found are used. Factorisations in the compiled
    /// order do not count, whether emitted functions or the library do them; for a model without such an order, all
    /// count.
    #[serde(default)]
    pub pivoted: usize,
}
