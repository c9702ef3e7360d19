//! What is wrong with a model of noise.

use serde::Serialize;

use crate::absent::Absent;
use crate::error::ResidualError;

/// Why there is no model of noise, why it does not belong to some samples, or why samples cannot be drawn again.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[non_exhaustive]
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
    Unstable {
        /// How many coefficients there are.
        order: usize,
        /// The lag, in sampling intervals.
        lag: usize,
        /// The partial autocorrelation at that lag.
        partial: f64,
    },
    /// The order is too large for the samples.
    #[error(
        "the order {order} is too large for {samples} samples with these gaps; it must not exceed {limit}"
    )]
    Order {
        /// The order that is asked for.
        order: usize,
        /// How many samples there are.
        samples: usize,
        /// The largest order that the samples can tell.
        limit: usize,
    },
    /// Samples are taken at another rate than the noise's.
    #[error(
        "the sampling interval is {interval} s, that of the noise {expected} s; a model of noise is one for its interval"
    )]
    Interval {
        /// The interval in s.
        interval: f64,
        /// The interval of the noise in s.
        expected: f64,
    },
}
