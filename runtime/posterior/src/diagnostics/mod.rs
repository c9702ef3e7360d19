//! Diagnostics of draws: whether chains agree, how many independent draws they are worth, whether they reach the tails.
//!
//! Every function takes the draws of one quantity, chain by chain, all chains of the same length. Definitions are those
//! of Vehtari, Gelman, Simpson, Carpenter, Buerkner: Rank-normalization, folding, and localization: an improved R-hat
//! (Bayesian Analysis 16, 2021), and numbers agree with those of ArviZ to 1e-10. What draws do not tell is NaN: fewer
//! than four of them, or such that are not finite.

mod agreement;
mod autocovariance;
mod chains;
mod effective;
mod energy;
mod moments;
mod ranks;

pub use agreement::r_hat;
pub use effective::{bulk, effective, error_of_deviation, error_of_mean, tail};
pub use energy::energy_fraction;
pub use moments::{mean, quantile, standard_deviation};
