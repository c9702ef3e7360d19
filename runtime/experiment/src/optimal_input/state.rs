//! The state from which a search continues.

use serde::{Deserialize, Serialize};

use super::lagrangian::Lagrangian;
use super::result::DesignIteration;
use costate_optimize::OptimizerState;

/// The state of a search after an iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SearchState {
    /// Number of rounds of the Lagrangian that have ended.
    pub rounds: usize,
    pub lagrangian: Lagrangian,
    pub optimizer: OptimizerState,
    pub history: Vec<DesignIteration>,
    pub evaluations: usize,
}

impl SearchState {
    pub fn new(lagrangian: Lagrangian, optimizer: OptimizerState) -> Self {
        Self { rounds: 0, lagrangian, optimizer, history: Vec::new(), evaluations: 0 }
    }

    /// Returns the number of iterations of all rounds.
    pub fn iterations(&self) -> usize {
        self.history.len().saturating_sub(1)
    }

    /// Returns the number of iterations of the rounds that have ended.
    pub fn earlier_iterations(&self) -> usize {
        self.iterations().saturating_sub(self.optimizer.iterations())
    }

    /// Returns true if the parts of the state fit together, and to the search that begins with `given`.
    pub fn fits(&self, given: &Self) -> bool {
        self.optimizer.is_consistent()
            && self.optimizer.variables().len() == given.optimizer.variables().len()
            && self.lagrangian.fits(&given.lagrangian)
    }
}
