//! Estimates for one unknown.

use serde::Serialize;

/// Estimates for one unknown. Numbers that the draws do not determine, such as R-hat of a single chain, are NaN.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SummaryRow {
    /// Name of the unknown.
    pub name: String,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub standard_deviation: f64,
    /// The quantiles of 5, 50 and 95 %.
    pub quantiles: [f64; 3],
    /// Standard error of the mean.
    pub error_of_mean: f64,
    /// Standard error of the standard deviation.
    pub error_of_deviation: f64,
    /// Effective number of draws of the bulk.
    pub bulk: f64,
    /// Effective number of draws of the tails.
    pub tail: f64,
    /// R-hat of ranks.
    pub r_hat: f64,
}
