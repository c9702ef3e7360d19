//! What a search continues from.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::optimize::OptimizerState;
use crate::state_file::StateFileError;

use super::lagrangian::Lagrangian;
use super::result::DesignIteration;

/// Changes when the content of the file changes.
const FORMAT: u32 = 1;

/// The state after an iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SearchState {
    format: u32,
    /// Of everything that the search depends on.
    fingerprint: String,
    /// Rounds of the Lagrangian that have ended.
    pub rounds: usize,
    pub lagrangian: Lagrangian,
    pub optimizer: OptimizerState,
    pub history: Vec<DesignIteration>,
    pub evaluations: usize,
}

impl SearchState {
    pub fn new(fingerprint: String, lagrangian: Lagrangian, optimizer: OptimizerState) -> Self {
        Self {
            format: FORMAT,
            fingerprint,
            rounds: 0,
            lagrangian,
            optimizer,
            history: Vec::new(),
            evaluations: 0,
        }
    }

    /// Iterations of all rounds.
    pub fn iterations(&self) -> usize {
        self.history.len().saturating_sub(1)
    }

    /// Iterations of the rounds that have ended.
    pub fn earlier_iterations(&self) -> usize {
        self.iterations().saturating_sub(self.optimizer.iterations())
    }

    /// Checks that this state, from `file`, continues the search that begins with `given`.
    pub fn check(&self, given: &Self, file: &Path) -> Result<(), StateFileError> {
        let same = |what, stored: &str, given: &str| match stored == given {
            true => Ok(()),
            false => Err(StateFileError::Differs {
                file: file.to_owned(),
                what,
                stored: stored.to_owned(),
                given: given.to_owned(),
            }),
        };
        same("the formats", &self.format.to_string(), &given.format.to_string())?;
        same("the fingerprints of model, experiment and settings", &self.fingerprint, &given.fingerprint)?;
        let variables = given.optimizer.variables().len();
        let fits = self.optimizer.is_consistent()
            && self.optimizer.variables().len() == variables
            && self.lagrangian.fits(&given.lagrangian);
        if fits { Ok(()) } else { Err(StateFileError::Damaged { file: file.to_owned() }) }
    }
}
