//! Noise of measurements.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, StandardNormal};

/// Normal numbers of mean 0 and standard deviation 1.
pub fn normal(seed: u64) -> impl FnMut() -> f64 {
    let mut generator = SmallRng::seed_from_u64(seed);
    move || StandardNormal.sample(&mut generator)
}

/// Even numbers of mean 0 and standard deviation 1, by a congruential generator: a fixed pattern without trend.
pub fn pattern() -> impl FnMut() -> f64 {
    let mut state = 1_u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        12.0_f64.sqrt() * (f64::from(state) / f64::from(u32::MAX) - 0.5)
    }
}
