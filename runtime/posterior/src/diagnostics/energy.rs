//! Exploration of the tails by trajectories.

use super::moments::variance;

/// Estimates the Bayesian fraction of missing information of one chain from its energies: the mean square of
/// their changes from draw to draw over their variance (Betancourt, arXiv:1604.00695). Below 0.3 the tails are
/// hardly reached. NaN for less than two draws.
pub fn energy_fraction(energies: &[f64]) -> f64 {
    let changes = energies.iter().zip(energies.iter().skip(1)).map(|(before, after)| after - before);
    let squares: f64 = changes.map(|change| change * change).sum();
    squares / energies.len().saturating_sub(1) as f64 / variance(energies)
}
