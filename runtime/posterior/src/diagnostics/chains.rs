//! Preparation of chains for the diagnostics.

/// Checks whether diagnostics of these draws exist: at least `least_chains` chains of equal length, at least four
/// draws, all finite.
pub fn are_usable(chains: &[Vec<f64>], least_chains: usize) -> bool {
    let draws = chains.first().map_or(0, Vec::len);
    let alike = chains.iter().all(|chain| chain.len() == draws);
    let finite = chains.iter().flatten().all(|draw| draw.is_finite());
    chains.len() >= least_chains && draws >= 4 && alike && finite
}

/// Splits every chain into its first and its last half, without the draw in the middle of an odd number.
pub fn halves(chains: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let first = chains.iter().map(|chain| chain.iter().take(chain.len() / 2).copied().collect());
    let last = chains.iter().map(|chain| chain.iter().skip(chain.len() - chain.len() / 2).copied().collect());
    first.chain(last).collect()
}
