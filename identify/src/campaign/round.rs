//! Minimisations one after the other.

use serde::{Deserialize, Serialize};

use crate::optimize::OptimizerState;

use crate::said::noise::ChannelErrors;

/// A minimisation of several, one after the other: with new deviations, or with new steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    pub state: OptimizerState,
    /// What the errors of all channels are like, where residuals are weighed by them.
    pub errors: Vec<ChannelErrors>,
    /// The minimisations before.
    pub earlier: Vec<OptimizerState>,
    /// How often steps were chosen anew.
    pub renewals: usize,
    /// Whether it ends early, as other weights come behind it.
    pub is_rough: bool,
}

impl Round {
    /// Iterations of all minimisations so far.
    pub fn iterations(&self) -> usize {
        self.earlier_iterations() + self.state.iterations()
    }

    /// Whether it may be what a `fresh` one has come to, of the same unknowns and channels.
    pub fn continues(&self, fresh: &Self) -> bool {
        let names = |state: &OptimizerState| -> Vec<String> {
            state.variables().iter().map(|variable| variable.name().to_owned()).collect()
        };
        let is_whole = |state: &OptimizerState| state.is_consistent() && names(state) == names(&fresh.state);
        let first = self.earlier.first().unwrap_or(&self.state);
        first.variables() == fresh.state.variables()
            && is_whole(&self.state)
            && self.earlier.iter().all(is_whole)
            && self.errors.len() == fresh.errors.len()
    }

    /// Iterations of the minimisations before.
    pub fn earlier_iterations(&self) -> usize {
        self.earlier.iter().map(OptimizerState::iterations).sum()
    }
}
