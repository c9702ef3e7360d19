//! Correlations at one lag, and how many lags to look at.

use serde::Serialize;

use crate::distribution::{NORMAL_95, NORMAL_99};
use crate::sampling::Sampling;

/// A correlation coefficient at one lag, with what white residuals would give.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Lag {
    /// By how many sampling intervals the residuals are later than what they are compared with.
    pub lag: i64,
    /// That lag in s.
    pub delay: f64,
    /// Correlation coefficient, between -1 and 1.
    pub correlation: f64,
    /// Standard deviation of the coefficient where residuals are white.
    pub deviation: f64,
    /// What the coefficient's magnitude does not exceed with 95 % where residuals are white, 1.96 standard deviations.
    pub bound_95: f64,
    /// What the coefficient's magnitude does not exceed with 99 % where residuals are white, 2.58 standard deviations.
    pub bound_99: f64,
}

impl Lag {
    pub(crate) fn new(lag: i64, interval: f64, correlation: f64, deviation: f64) -> Self {
        Self {
            lag,
            delay: lag as f64 * interval,
            correlation: correlation.clamp(-1.0, 1.0),
            deviation,
            bound_95: NORMAL_95 * deviation,
            bound_99: NORMAL_99 * deviation,
        }
    }
}

/// How many of the lags are outside of the bounds for 95 and for 99 %.
pub(crate) fn outside(lags: &[Lag]) -> (usize, usize) {
    let count = |bound: fn(&Lag) -> f64| lags.iter().filter(|lag| lag.correlation.abs() > bound(lag)).count();
    (count(|lag| lag.bound_95), count(|lag| lag.bound_99))
}

/// The largest lag of a test where none is asked for: 20, but at most a tenth of the samples, and no more than leaves half of
/// the samples in pairs without a gap in between.
///
/// A tenth keeps the distributions of test statistics near their limits.
pub fn default_lags(sampling: &Sampling) -> usize {
    let samples = sampling.samples();
    let most = (samples / 10).clamp(1, 20);
    (1..=most).rev().find(|&lag| 2 * sampling.pairs(lag) >= samples).unwrap_or(1)
}

/// Sum of x_{j+lag} y_j over the pairs inside the parts.
pub(crate) fn lagged_product(sampling: &Sampling, x: &[f64], y: &[f64], lag: usize) -> f64 {
    let of_part = |part: &std::ops::Range<usize>| -> f64 {
        let (x, y) = (&x[part.clone()], &y[part.clone()]);
        x.iter().skip(lag).zip(y).map(|(x, y)| x * y).sum()
    };
    sampling.parts.iter().map(of_part).sum()
}
