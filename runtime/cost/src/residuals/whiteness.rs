//! Tests of whether residuals are white: their autocorrelation and the test of Ljung and Box.

use serde::Serialize;

use crate::residuals::absent::Absent;
use crate::residuals::channel::Residuals;
use crate::residuals::distribution::chi_squared_tail;
use crate::residuals::lag::{Lag, default_lags, lagged_product, outside};

/// The autocorrelation of residuals and the test of Ljung and Box (Biometrika 65, 1978).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Whiteness {
    /// Number of residuals.
    pub samples: usize,
    /// Autocorrelation at lags 1 to L, C_k / C_0 with C_k the sum of r_{j+k} r_j over pairs without a gap in between.
    pub lags: Vec<Lag>,
    /// Q = n (n + 2) sum_k (C_k / C_0)^2 / n_k with n_k pairs at lag k, which are n - k where no sample is missing.
    pub ljung_box: f64,
    /// Degrees of freedom of Q: the number of lags minus that of fitted parameters of the noise.
    pub degrees_of_freedom: usize,
    /// Probability of so large a Q if residuals are white, by the chi-squared distribution. Small values are too
    /// small, by a factor of up to three near 1e-3 and of seven near 1e-4: Q scatters more than that distribution.
    pub p_value: f64,
    /// The sum over the lags of -ln(1 - pi_k^2) over the variance of pi_k, with the partial autocorrelations pi_k: the
    /// ratio of the likelihoods of autoregressive and white residuals (Monti, Biometrika 81, 1994; Pena, Rodriguez, J.
    /// Amer. Statist. Assoc. 97, 2002).
    pub partial: f64,
    /// Probability of so large a `partial` if residuals are white, by the same distribution as for Q. It is right
    /// for small probabilities too, since partial autocorrelations are nearly independent of each other. Verdicts
    /// use this probability.
    pub partial_p_value: f64,
    /// Number of correlations outside of the bounds for 95 %; 5 % of them are expected.
    pub outside_95: usize,
    /// Number of correlations outside of the bounds for 99 %; 1 % of them are expected.
    pub outside_99: usize,
}

/// Estimates the autocorrelation at lags 1 to `lags` ([`default_lags`](crate::residuals::default_lags) where that is
/// `None`), and makes the test of Ljung and Box.
///
/// `noise_parameters` counts the fitted parameters of a model of the noise, such as the coefficients of an ARMA model,
/// which reduce the degrees of freedom; parameters of a model whose output follows from its inputs alone do not.
///
/// For white Gaussian residuals the mean square of C_k / C_0 is n_k / (n (n + 2)) exactly, with gaps too: C_k / C_0 and
/// C_0 are independent of each other, the mean square of C_k is n_k sigma^4 and that of C_0 is n (n + 2) sigma^4.
/// Residuals are not centred: an offset is a correlation at all lags.
///
/// # Errors
/// [`Absent`]: samples that are too few or not equidistant, residuals that are all zero, no pairs of samples, no degree
/// of freedom.
pub fn whiteness(residuals: &Residuals, lags: Option<usize>, noise_parameters: usize) -> Result<Whiteness, Absent> {
    let sampling = residuals.sampling()?;
    let (values, _) = residuals.normalised()?;
    let samples = values.len();
    let longest = sampling.longest();
    if longest < 2 {
        return Err(Absent::ShortParts { longest, needed: 2 });
    }
    let lags = lags.unwrap_or_else(|| default_lags(sampling)).min(longest - 1);
    if lags <= noise_parameters {
        return Err(Absent::NoFreedom { lags, parameters: noise_parameters });
    }
    let n = samples as f64;
    let square: f64 = values.iter().map(|value| value * value).sum();
    let lag = |lag: usize| {
        let correlation = lagged_product(sampling, &values, &values, lag) / square;
        let deviation = (sampling.pairs(lag) as f64 / (n * (n + 2.0))).sqrt();
        Lag::new(lag as i64, sampling.interval, correlation, deviation)
    };
    let lags: Vec<Lag> = (1..=lags).map(lag).collect();
    let ljung_box = lags.iter().map(|lag| (lag.correlation / lag.deviation).powi(2)).sum();
    let partial = partial_statistic(&lags, n);
    let degrees_of_freedom = lags.len() - noise_parameters;
    let (outside_95, outside_99) = outside(&lags);
    Ok(Whiteness {
        samples,
        p_value: chi_squared_tail(ljung_box, degrees_of_freedom as f64),
        partial,
        partial_p_value: chi_squared_tail(partial, degrees_of_freedom as f64),
        lags,
        ljung_box,
        degrees_of_freedom,
        outside_95,
        outside_99,
    })
}

/// Sums -ln(1 - pi_k^2) over the variance of pi_k, by Durbin's and Levinson's recursion.
///
/// Gaps are accounted for: every autocorrelation is scaled to as many pairs as there would be without gaps.
fn partial_statistic(lags: &[Lag], samples: f64) -> f64 {
    /// Largest partial autocorrelation: that of residuals that follow from earlier ones, or that have gaps, may reach
    /// 1.
    const MAX_PARTIAL: f64 = 1.0 - 1e-9;
    // By n_k = n (n + 2) deviation^2; the ratio of pairs without gaps to pairs with gaps.
    let completion = |lag: &Lag| {
        let pairs = samples * (samples + 2.0) * lag.deviation * lag.deviation;
        (samples - lag.lag as f64) / pairs
    };
    let correlations: Vec<f64> = lags.iter().map(|lag| lag.correlation * completion(lag)).collect();
    let mut coefficients: Vec<f64> = Vec::with_capacity(lags.len());
    let mut unexplained = 1.0;
    let mut statistic = 0.0;
    for (k, lag) in lags.iter().enumerate() {
        let predicted: f64 = coefficients.iter().zip(correlations[..k].iter().rev()).map(|(a, r)| a * r).sum();
        let partial = ((correlations[k] - predicted) / unexplained).clamp(-MAX_PARTIAL, MAX_PARTIAL);
        statistic -= (-partial * partial).ln_1p() / (lag.deviation * completion(lag)).powi(2);
        let reversed: Vec<f64> = coefficients.iter().rev().copied().collect();
        coefficients.iter_mut().zip(reversed).for_each(|(a, b)| *a -= partial * b);
        coefficients.push(partial);
        unexplained *= 1.0 - partial * partial;
    }
    statistic
}
