//! Effective number of independent draws of dependent ones.

use super::autocovariance::autocovariances;
use super::chains::{are_usable, halves};
use super::moments::{mean, quantile, standard_deviation, variance};
use super::ranks::normal_scores;

/// Estimates the effective number of draws for the mean.
pub fn effective(chains: &[Vec<f64>]) -> f64 {
    if are_usable(chains, 1) { of_chains(&halves(chains)) } else { f64::NAN }
}

/// Estimates the effective number of draws of the bulk: that for the mean of normal scores of ranks.
pub fn bulk(chains: &[Vec<f64>]) -> f64 {
    if are_usable(chains, 1) { of_chains(&normal_scores(&halves(chains))) } else { f64::NAN }
}

/// Estimates the effective number of draws of the tails: the smaller one of those for the quantiles of 5 and 95 %.
pub fn tail(chains: &[Vec<f64>]) -> f64 {
    if !are_usable(chains, 1) {
        return f64::NAN;
    }
    let of_quantile = |part: f64| {
        let limit = quantile(chains, part);
        let below = |draw: &f64| if *draw <= limit { 1.0 } else { 0.0 };
        let indicators: Vec<Vec<f64>> = chains.iter().map(|chain| chain.iter().map(below).collect()).collect();
        of_chains(&halves(&indicators))
    };
    of_quantile(0.05).min(of_quantile(0.95))
}

/// Estimates the standard error of the mean of all draws.
pub fn error_of_mean(chains: &[Vec<f64>]) -> f64 {
    standard_deviation(chains) / effective(chains).sqrt()
}

/// Estimates the standard error of the standard deviation of all draws.
pub fn error_of_deviation(chains: &[Vec<f64>]) -> f64 {
    let centre = mean(chains);
    let square = |draw: &f64| (draw - centre) * (draw - centre);
    let squares: Vec<Vec<f64>> = chains.iter().map(|chain| chain.iter().map(square).collect()).collect();
    let of_fourth: Vec<Vec<f64>> =
        squares.iter().map(|chain| chain.iter().map(|square| square * square).collect()).collect();
    let second = mean(&squares);
    let variance = (mean(&of_fourth) - second * second) / effective(&squares);
    (variance / second / 4.0).sqrt()
}

/// Estimates the effective number of draws of chains for their mean: the sum of autocorrelations is truncated by
/// Geyer's initial sequences, first the positive, then the monotone one.
fn of_chains(chains: &[Vec<f64>]) -> f64 {
    /// Range of draws below which all of them are the same.
    const MIN_RANGE: f64 = 1e-15;
    let draws = chains.first().map_or(0, Vec::len);
    let all = (chains.len() * draws) as f64;
    let least = chains.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let most = chains.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    if most - least < MIN_RANGE {
        return all;
    }
    let covariances = autocovariances(chains);
    let count = draws as f64;
    let mean_at = |lag: usize| {
        let at_lag = covariances.iter().map(|chain| chain.get(lag).copied().unwrap_or(f64::NAN));
        at_lag.sum::<f64>() / chains.len() as f64
    };
    let within = mean_at(0) * count / (count - 1.0);
    let mut total = within * (count - 1.0) / count;
    if chains.len() > 1 {
        let means: Vec<f64> = chains.iter().map(|chain| chain.iter().sum::<f64>() / count).collect();
        total += variance(&means);
    }
    let correlation = |lag: usize| 1.0 - (within - mean_at(lag)) / total;
    let correlations = monotone(positive(draws, correlation));
    let (last, before) = match correlations.split_last() {
        Some((last, before)) => (*last, before),
        None => return f64::NAN,
    };
    let time = -1.0 + 2.0 * before.iter().sum::<f64>() + last;
    all / time.max(1.0 / all.log10())
}

/// Returns the autocorrelations from lag 0 on as long as sums of pairs are positive, and one more of an even lag,
/// 0 if that is negative.
fn positive(draws: usize, correlation: impl Fn(usize) -> f64) -> Vec<f64> {
    let (mut even, mut odd) = (1.0, correlation(1));
    let mut found = vec![even, odd];
    let mut lag = 1;
    while lag + 3 < draws && even + odd > 0.0 {
        (even, odd) = (correlation(lag + 1), correlation(lag + 2));
        let pair = if even + odd >= 0.0 { [even, odd] } else { [0.0; 2] };
        found.extend(pair);
        lag += 2;
    }
    // of the last pair only the even lag counts
    let last = match even > 0.0 {
        true => even,
        false => found.get(lag - 1).copied().unwrap_or(even),
    };
    found.truncate(lag - 1);
    found.push(last);
    found
}

/// Limits every pair of the correlations to the sum of the pair before it.
fn monotone(mut correlations: Vec<f64>) -> Vec<f64> {
    let end = correlations.len().saturating_sub(1);
    if let Some(counted) = correlations.get_mut(..end) {
        let mut most = f64::INFINITY;
        for pair in counted.chunks_exact_mut(2) {
            if pair.iter().sum::<f64>() > most {
                pair.fill(0.5 * most);
            }
            most = pair.iter().sum();
        }
    }
    correlations
}
