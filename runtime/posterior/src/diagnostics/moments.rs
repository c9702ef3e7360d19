//! Mean, deviation and quantiles of all draws.

/// The mean of the draws of all chains; NaN of none.
pub fn mean(chains: &[Vec<f64>]) -> f64 {
    let count = chains.iter().map(Vec::len).sum::<usize>();
    chains.iter().flatten().sum::<f64>() / count as f64
}

/// The standard deviation of the draws of all chains, of one degree of freedom less than there are draws; NaN of less
/// than two.
pub fn standard_deviation(chains: &[Vec<f64>]) -> f64 {
    let all: Vec<f64> = chains.iter().flatten().copied().collect();
    variance(&all).sqrt()
}

/// The value below which this part of all draws is, linear between sorted draws; NaN of none.
pub fn quantile(chains: &[Vec<f64>], part: f64) -> f64 {
    let mut sorted: Vec<f64> = chains.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    // as in scipy.stats.mstats.mquantiles with alphap = betap = 1, rounding included
    let place = count * part + (1.0 - part);
    let below = place.clamp(1.0, (count - 1.0).max(1.0)).floor();
    let rest = (place - below).clamp(0.0, 1.0);
    let at = |index: f64| sorted.get((index as usize).min(sorted.len().saturating_sub(1))).copied();
    match (at(below - 1.0), at(below)) {
        (Some(low), Some(high)) => (1.0 - rest) * low + rest * high,
        _ => f64::NAN,
    }
}

/// Variance, of one degree of freedom less than there are values.
pub(super) fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0)
}
