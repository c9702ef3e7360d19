//! Correlations at one lag, and the default number of lags.

use serde::Serialize;

use crate::residuals::distribution::{NORMAL_QUANTILE_95, NORMAL_QUANTILE_99};
use crate::residuals::sampling::Sampling;

/// A correlation coefficient at one lag, with the bounds for white residuals.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Lag {
    /// Lag in sampling intervals: how much later the residuals are than the other signal.
    pub lag: i64,
    /// The lag in s.
    pub delay: f64,
    /// Correlation coefficient, between -1 and 1.
    pub correlation: f64,
    /// Standard deviation of the coefficient where residuals are white.
    pub deviation: f64,
    /// Bound of the coefficient's magnitude for white residuals with 95 %, 1.96 standard deviations.
    pub bound_95: f64,
    /// Bound of the coefficient's magnitude for white residuals with 99 %, 2.58 standard deviations.
    pub bound_99: f64,
}

impl Lag {
    pub(crate) fn new(lag: i64, interval: f64, correlation: f64, deviation: f64) -> Self {
        Self {
            lag,
            delay: lag as f64 * interval,
            correlation: correlation.clamp(-1.0, 1.0),
            deviation,
            bound_95: NORMAL_QUANTILE_95 * deviation,
            bound_99: NORMAL_QUANTILE_99 * deviation,
        }
    }
}

/// Counts the lags outside of the bounds for 95 and for 99 %.
pub(crate) fn outside(lags: &[Lag]) -> (usize, usize) {
    let count = |bound: fn(&Lag) -> f64| lags.iter().filter(|lag| lag.correlation.abs() > bound(lag)).count();
    (count(|lag| lag.bound_95), count(|lag| lag.bound_99))
}

/// Returns the default of the largest lag of a test: 20, but at most a tenth of the samples, and such that at
/// least half of the samples are in pairs without a gap in between.
///
/// A tenth keeps the distributions of test statistics near their limits.
pub fn default_lags(sampling: &Sampling) -> usize {
    let samples = sampling.samples();
    let most = (samples / 10).clamp(1, 20);
    (1..=most).rev().find(|&lag| 2 * sampling.pairs(lag) >= samples).unwrap_or(1)
}

/// Sums x_{j+lag} y_j over the pairs inside the parts.
pub(crate) fn lagged_product(sampling: &Sampling, x: &[f64], y: &[f64], lag: usize) -> f64 {
    let of_part = |part: &std::ops::Range<usize>| -> f64 {
        let (x, y) = (&x[part.clone()], &y[part.clone()]);
        x.iter().skip(lag).zip(y).map(|(x, y)| x * y).sum()
    };
    sampling.parts.iter().map(of_part).sum()
}
