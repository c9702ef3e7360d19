//! Ranks as quantiles of the normal distribution.

use statrs::distribution::{ContinuousCDF, Normal};

/// The quantiles of the standard normal distribution at the ranks of all draws, equal ones in the middle of
/// theirs: (r - 3/8)/(n + 1/4).
pub(super) fn normal_scores(chains: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut order: Vec<(f64, usize)> =
        chains.iter().flatten().copied().enumerate().map(|(place, draw)| (draw, place)).collect();
    order.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let count = order.len() as f64;
    let mut scores = vec![0.0; order.len()];
    let mut ranked = 0;
    for equal in order.chunk_by(|(a, _), (b, _)| a == b) {
        let rank = ranked as f64 + 0.5 * (equal.len() as f64 + 1.0);
        ranked += equal.len();
        let score = normal_quantile((rank - 0.375) / (count + 0.25));
        for (_, place) in equal {
            if let Some(to) = scores.get_mut(*place) {
                *to = score;
            }
        }
    }
    let mut scores = scores.into_iter();
    chains.iter().map(|chain| scores.by_ref().take(chain.len()).collect()).collect()
}

fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}
