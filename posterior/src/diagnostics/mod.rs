//! How far to trust draws: whether chains agree, how many independent draws they are worth, whether they reach the tails.
//!
//! Every function takes the draws of one quantity, chain by chain, all chains of the same length. Definitions are those of Vehtari,
//! Gelman, Simpson, Carpenter, Buerkner: Rank-normalization, folding, and localization: an improved R-hat (Bayesian Analysis 16, 2021), and numbers
//! those of ArviZ. What draws do not tell is NaN: fewer than four of them, or such that are not finite.

mod agreement;
mod autocovariance;
mod effective;
mod energy;
mod moments;
mod ranks;

pub use agreement::r_hat;
pub use effective::{bulk, effective, error_of_deviation, error_of_mean, tail};
pub use energy::energy_fraction;
pub use moments::{mean, quantile, standard_deviation};

/// Whether there is something to be told of these draws.
fn are_usable(chains: &[Vec<f64>], least_chains: usize) -> bool {
    let draws = chains.first().map_or(0, Vec::len);
    let alike = chains.iter().all(|chain| chain.len() == draws);
    let finite = chains.iter().flatten().all(|draw| draw.is_finite());
    chains.len() >= least_chains && draws >= 4 && alike && finite
}

/// Every chain as two: its first and its last half, without the draw in the middle of an odd number.
fn halves(chains: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let first = chains.iter().map(|chain| chain.iter().take(chain.len() / 2).copied().collect());
    let last = chains.iter().map(|chain| chain.iter().skip(chain.len() - chain.len() / 2).copied().collect());
    first.chain(last).collect()
}
