//! Agreement of chains.

use super::chains::{are_usable, halves};
use super::moments::{quantile, variance};
use super::ranks::normal_scores;

/// Computes R-hat of ranks: how much wider all chains together are than each of them, in the bulk or in the
/// tails, whichever is more. 1 where they agree; above 1.01 they do not. NaN for less than two chains.
pub fn r_hat(chains: &[Vec<f64>]) -> f64 {
    if !are_usable(chains, 2) {
        return f64::NAN;
    }
    let halves = halves(chains);
    let median = quantile(&halves, 0.5);
    let folded: Vec<Vec<f64>> =
        halves.iter().map(|chain| chain.iter().map(|draw| (draw - median).abs()).collect()).collect();
    ratio(&normal_scores(&halves)).max(ratio(&normal_scores(&folded)))
}

/// Computes the root of the variance of all chains over that within them.
fn ratio(chains: &[Vec<f64>]) -> f64 {
    let draws = chains.first().map_or(0, Vec::len) as f64;
    let means: Vec<f64> = chains.iter().map(|chain| chain.iter().sum::<f64>() / draws).collect();
    let between = draws * variance(&means);
    let within = chains.iter().map(|chain| variance(chain)).sum::<f64>() / chains.len() as f64;
    ((between / within + draws - 1.0) / draws).sqrt()
}
