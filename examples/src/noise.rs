//! Noise on simulated measurements.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, Normal, NormalError};

/// Adds zero-mean Gaussian noise whose standard deviation is this fraction of the signal's root mean square.
///
/// # Errors
/// The standard deviation is not finite.
pub fn add_noise(values: &mut [f64], fraction: f64, seed: u64) -> Result<(), NormalError> {
    let noise = Normal::new(0.0, fraction * rms(values))?;
    let mut generator = SmallRng::seed_from_u64(seed);
    for value in values {
        *value += noise.sample(&mut generator);
    }
    Ok(())
}

/// Multiplies every value by 1 plus zero-mean Gaussian noise with this standard deviation;
/// what would become negative becomes zero.
///
/// # Errors
/// The standard deviation is not finite.
pub fn scale_by_noise(values: &mut [f64], fraction: f64, seed: u64) -> Result<(), NormalError> {
    let noise = Normal::new(0.0, fraction)?;
    let mut generator = SmallRng::seed_from_u64(seed);
    for value in values {
        *value *= (1.0 + noise.sample(&mut generator)).max(0.0);
    }
    Ok(())
}

/// Root mean square.
pub fn rms(values: &[f64]) -> f64 {
    (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_the_size_asked_for() {
        let mut values = vec![2.0; 10_000];
        assert!(add_noise(&mut values, 0.1, 1).is_ok());
        let noise: Vec<_> = values.iter().map(|value| value - 2.0).collect();
        assert!((rms(&noise) - 0.2).abs() < 0.01);
        let mut again = vec![2.0; 10_000];
        assert!(add_noise(&mut again, 0.1, 1).is_ok());
        assert_eq!(again, values);
    }

    #[test]
    fn proportional_noise_keeps_the_sign() {
        let mut values = vec![2.0; 10_000];
        assert!(scale_by_noise(&mut values, 0.5, 1).is_ok());
        assert!(values.iter().all(|value| *value >= 0.0));
        let mut values = vec![2.0; 10_000];
        assert!(scale_by_noise(&mut values, 0.1, 1).is_ok());
        let noise: Vec<_> = values.iter().map(|value| value - 2.0).collect();
        assert!((rms(&noise) - 0.2).abs() < 0.01);
    }
}
