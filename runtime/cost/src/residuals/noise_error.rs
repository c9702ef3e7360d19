//! Errors of models of noise.

use serde::Serialize;

use crate::residuals::absent::Absent;
use crate::residuals::error::ResidualError;

/// Reason why there is no model of noise, why it does not fit some samples, or why samples cannot be resampled.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum NoiseError {
    /// Samples or settings are wrong.
    #[error(transparent)]
    Samples(#[from] ResidualError),
    /// The samples do not suffice.
    #[error(transparent)]
    Absent(#[from] Absent),
    /// No stationary noise has these coefficients.
    #[error(
        "the {order} coefficients are not those of stationary noise: the partial autocorrelation at lag {lag} would be \
         {partial}, and its magnitude has to be below 1"
    )]
    Unstable { order: usize, lag: usize, partial: f64 },
    /// The order is too large for the samples.
    #[error("the order {order} is too large for {samples} samples with these gaps; it must not exceed {limit}")]
    Order { order: usize, samples: usize, limit: usize },
    /// The sampling intervals of the samples and of the noise differ.
    #[error(
        "the sampling interval is {interval} s, that of the noise {expected} s; use the noise model with its own \
         interval only, or fit it again"
    )]
    Interval { interval: f64, expected: f64 },
}
