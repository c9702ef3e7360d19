//! How residuals of different channels are weighed against each other.

use serde::{Deserialize, Serialize};

/// What the weights of measured samples are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Weighting {
    /// [`Likelihood`](Self::Likelihood) where outputs of different units are measured and none has a weight, or where a
    /// prior or a loss needs it; else [`Given`](Self::Given).
    #[default]
    Automatic,
    /// Those of the measurements, 1 unless given, times the interval of time that a sample stands for.
    Given,
    /// 1/sigma^2 for every sample, where sigma is the standard deviation that the measurement gives, or else that of the
    /// residuals, by iterating: the fit of maximum likelihood under independent normal errors. Weights of samples multiply
    /// these; the quadrature does not count.
    Likelihood,
}

/// Change of deviations, relative, and of coefficients of coloured noise from one minimisation to the next below which they are settled.
pub(crate) const SETTLED: f64 = 1e-3;

/// As [`SETTLED`], below which a minimisation with them goes to its end.
pub(crate) const NEAR: f64 = 0.03;

/// Most minimisations with new deviations.
pub(crate) const MOST_ROUNDS: usize = 30;
