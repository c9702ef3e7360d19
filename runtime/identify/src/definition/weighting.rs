//! Weights of the residuals of different channels.

use serde::{Deserialize, Serialize};

/// The weights of measured samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Weighting {
    /// [`Likelihood`](Self::Likelihood) where outputs of different units are measured and none has a weight, or where a
    /// prior or a loss needs it; else [`Given`](Self::Given).
    #[default]
    Automatic,
    /// Weights of the measurements, 1 unless given, times the interval of time that a sample stands for.
    Given,
    /// 1/sigma^2 for every sample, where sigma is the standard deviation that the measurement gives, or else that of
    /// the residuals, by iteration: the fit of maximum likelihood under independent normal errors. Weights of samples
    /// multiply these precisions; the quadrature does not count.
    Likelihood,
}

/// Relative change of deviations, and change of coefficients of coloured noise, from one minimisation to the next
/// below which they are settled.
pub(crate) const SETTLED_CHANGE: f64 = 1e-3;

/// The change, as for [`SETTLED_CHANGE`], below which the next minimisation converges fully.
pub(crate) const NEAR_CHANGE: f64 = 0.03;

/// Largest number of minimisations with new deviations.
pub(crate) const MAX_ROUNDS: usize = 30;
