//! Minimisations one after the other.

use serde::{Deserialize, Serialize};

use crate::optimize::OptimizerState;

use crate::identification::said::noise::ChannelErrors;

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

    /// Iterations of the minimisations before.
    pub fn earlier_iterations(&self) -> usize {
        self.earlier.iter().map(OptimizerState::iterations).sum()
    }
}
