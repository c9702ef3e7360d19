//! The length of the blocks of a bootstrap.

use crate::residuals::channel::centred;
use crate::residuals::error::{ResidualError, check_values};
use crate::residuals::lag::lagged_product;
use crate::residuals::sampling::Sampling;

/// The length in samples of circular blocks with which the variance of a mean value is found best, after Politis and
/// White (Econometric Reviews 23, 2004) as corrected by Patton, Politis and White (28, 2009):
///
/// ```text
/// (2 G^2 / D)^(1/3) n^(1/3),    G = sum |k| R_k,    D = 4/3 (sum R_k)^2
/// ```
///
/// with the autocovariance R_k of the samples, in sums that are cut, by a window with a flat top, where correlations
/// are no longer any. It is 1 for white samples, at most the length of the longest part, and at most three times the
/// root of the number of samples and a third of it.
///
/// # Errors
/// [`ResidualError`]: values that are not finite or not one per sample, parts that are not all samples in order of
/// time.
pub fn block_length(sampling: &Sampling, values: &[f64]) -> Result<usize, ResidualError> {
    /// The least correlation of n samples that is significant, in units of sqrt(log10(n)/n).
    const SIGNIFICANT_CORRELATION: f64 = 2.0;
    sampling.check("values", values)?;
    check_values("values", values)?;
    // What is constant stays so, however it is drawn.
    let Some(values) = centred(values) else { return Ok(1) };
    let n = values.len() as f64;
    let covariances = Covariances { sampling, values: &values };
    // As many neighbouring lags without correlation end it.
    let few = n.log10().sqrt().ceil().max(5.0) as usize;
    let most = (n.sqrt().ceil() as usize + few).min(sampling.longest().saturating_sub(1));
    let all: Vec<f64> = (0..=most).map(|lag| covariances.at(lag)).collect();
    let bound = SIGNIFICANT_CORRELATION * (n.log10() / n).sqrt() * all[0];
    let is_correlated = |&lag: &usize| all[lag].abs() >= bound;
    let last = last_before_a_run(&(1..=most).filter(is_correlated).collect::<Vec<_>>(), few);
    let window = (2 * last.max(1)).min(most);
    let (mut sum, mut weighted) = (all[0], 0.0);
    for (lag, covariance) in all.iter().enumerate().take(window + 1).skip(1) {
        let flat_top = (2.0 * (1.0 - lag as f64 / window as f64)).min(1.0);
        sum += 2.0 * flat_top * covariance;
        weighted += 2.0 * flat_top * lag as f64 * covariance;
    }
    let longest = (3.0 * n.sqrt()).min(n / 3.0).ceil().min(sampling.longest() as f64);
    // NaN and infinity, of a sum that is zero, are the longest.
    let length = (1.5 * (weighted / sum).powi(2) * n).cbrt();
    Ok(length.min(longest).max(1.0).round() as usize)
}

/// Autocovariances of samples without their mean.
struct Covariances<'a> {
    sampling: &'a Sampling,
    values: &'a [f64],
}

impl Covariances<'_> {
    /// The mean product of samples `lag` apart, times the number of pairs that there would be without gaps over that of
    /// samples, which tapers lags that few pairs have.
    fn at(&self, lag: usize) -> f64 {
        let pairs = self.sampling.pairs(lag).max(1) as f64;
        let n = self.values.len() as f64;
        lagged_product(self.sampling, self.values, self.values, lag) / pairs * (1.0 - lag as f64 / n)
    }
}

/// The last correlated lag before `few` lags in a row without correlation, of sorted lags; 0 where there is none.
fn last_before_a_run(correlated: &[usize], few: usize) -> usize {
    let mut last = 0;
    for &lag in correlated {
        if lag - last > few {
            break;
        }
        last = lag;
    }
    last
}
