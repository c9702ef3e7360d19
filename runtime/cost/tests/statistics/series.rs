//! Random series.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;

/// Returns white Gaussian noise with deviation 1.
pub fn white(seed: u64, samples: usize) -> Vec<f64> {
    let mut random = SmallRng::seed_from_u64(seed);
    (0..samples).map(|_| random.sample(StandardNormal)).collect()
}

/// Returns x_j = a x_{j-1} + e_j with white noise e.
pub fn autoregressive(seed: u64, samples: usize, a: f64) -> Vec<f64> {
    let mut state = 0.0;
    let next = |e: f64| {
        state = a * state + e;
        state
    };
    white(seed, samples).into_iter().map(next).collect()
}

/// Returns stationary noise with these coefficients and innovations with the deviation 1: the first `samples` of
/// complete times that `kept` keeps.
pub fn coloured(seed: u64, coefficients: &[f64], samples: usize, kept: impl Fn(usize) -> bool) -> Vec<f64> {
    // The state before the first sample is forgotten after this number of samples.
    const BEFORE: usize = 1000;
    let mut found: Vec<f64> = Vec::new();
    for e in white(seed, BEFORE + 2 * samples) {
        let predicted: f64 = coefficients.iter().zip(found.iter().rev()).map(|(a, x)| a * x).sum();
        found.push(predicted + e);
    }
    found.into_iter().skip(BEFORE).enumerate().filter(|&(j, _)| kept(j)).map(|(_, x)| x).take(samples).collect()
}

/// Returns times in s with an interval of 1 ms.
pub fn times(samples: usize) -> Vec<f64> {
    (0..samples).map(|j| j as f64 * 1e-3).collect()
}

/// Returns times with an interval of 1 ms, of which eight of every hundred are missing.
pub fn times_with_gaps(samples: usize) -> Vec<f64> {
    (0..).filter(|&j| is_kept(j)).take(samples).map(|j| j as f64 * 1e-3).collect()
}

/// Checks whether [`times_with_gaps`] have the sample `j` of complete times.
pub fn is_kept(j: usize) -> bool {
    !(60..68).contains(&(j % 100))
}

/// Asserts that probabilities are uniform by the test of Kolmogorov and Smirnov at 1 %.
pub fn assert_uniform(mut p_values: Vec<f64>, what: &str) {
    p_values.sort_by(f64::total_cmp);
    let n = p_values.len() as f64;
    let distance = |(k, p): (usize, &f64)| (p - k as f64 / n).max((k + 1) as f64 / n - p);
    let largest = p_values.iter().enumerate().map(distance).fold(0.0, f64::max);
    assert!(largest < 1.63 / n.sqrt(), "{what}: {}", largest * n.sqrt());
}
