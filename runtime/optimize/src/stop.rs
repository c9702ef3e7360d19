//! Reasons why a minimisation stops.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Reason why a minimisation stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stop {
    /// [`gradient_tolerance`](super::OptimizerSettings::gradient_tolerance).
    Gradient,
    /// [`cost_tolerance`](super::OptimizerSettings::cost_tolerance).
    CostDecrease,
    /// [`cost_target`](super::OptimizerSettings::cost_target).
    CostTarget,
    /// [`step_tolerance`](super::OptimizerSettings::step_tolerance).
    Step,
    /// [`maximum_iterations`](super::OptimizerSettings::maximum_iterations).
    MaximumIterations,
    /// The residuals do not determine the remaining [directions](super::OptimizerState::flat_directions), along which
    /// nothing has moved.
    Flat,
    /// No lower cost was found, not even along the negative gradient: the rounding errors of the cost are
    /// reached, or the gradient is wrong.
    NoDecrease,
}

impl Stop {
    /// Checks whether a stopping rule was met. Otherwise the minimisation stalled, or had iterations left to do.
    pub fn converged(self) -> bool {
        matches!(self, Self::Gradient | Self::CostDecrease | Self::CostTarget | Self::Step | Self::Flat)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gradient => "the gradient vanished",
            Self::CostDecrease => "the cost no longer decreases noticeably",
            Self::CostTarget => "the cost target was reached",
            Self::Step => "the parameters no longer change",
            Self::MaximumIterations => "the maximum number of iterations was reached",
            Self::Flat => "the cost no longer decreases, and the data do not determine all unknowns",
            Self::NoDecrease => "no lower cost was found along the negative gradient",
        })
    }
}
