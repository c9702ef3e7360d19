//! The autocovariances of the draws of a chain.

use costate_numerics::fourier::{Complex, Transform};

/// The autocovariances of every chain for lags from 0 on, of sums over as many products as there are, divided by the
/// number of draws.
pub(super) fn autocovariances(chains: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let draws = chains.first().map_or(0, Vec::len);
    // so long that no draw meets another from after
    let length = (2 * draws).next_power_of_two();
    let (mut forward, mut backward) = (Transform::forward(length), Transform::backward(length));
    let of_chain = |chain: &Vec<f64>| {
        let mean = chain.iter().sum::<f64>() / draws as f64;
        let mut transform: Vec<Complex<f64>> = chain.iter().map(|draw| Complex::new(draw - mean, 0.0)).collect();
        transform.resize(length, Complex::default());
        forward.apply(&mut transform);
        transform.iter_mut().for_each(|entry| *entry = Complex::new(entry.norm_sqr(), 0.0));
        backward.apply(&mut transform);
        let scale = 1.0 / (length as f64 * draws as f64);
        transform.iter().take(draws).map(|entry| entry.re * scale).collect()
    };
    chains.iter().map(of_chain).collect()
}
