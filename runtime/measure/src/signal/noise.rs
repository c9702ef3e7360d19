//! The level of noise in a record.

use std::fmt;

use costate_contract::shown::Shown;

use crate::record::Record;
use serde::Serialize;

use crate::signal::SignalError;
use crate::signal::uniform::uniform;

/// Orders of the differences by which the level is estimated; the middle one counts.
const ORDERS: [usize; 3] = [3, 5, 7];

/// An estimated level of noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NoiseLevel {
    /// Standard deviation of the errors of single samples, in the channel's unit.
    pub deviation: f64,
    /// True if differences of several orders agree, as they do for independent errors of a slow signal. If not, the
    /// signal is fast for its rate, or errors depend on each other, as after a filter: then the deviation is a guess.
    pub is_white: bool,
}

impl fmt::Display for NoiseLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "noise of samples {}", Shown(self.deviation))?;
        if self.is_white {
            Ok(())
        } else {
            f.write_str(", a guess: it is not white, or the signal is fast for its rate")
        }
    }
}

/// Estimates the noise of a channel from its highest frequencies: from the median size of the fifth differences of its
/// samples, in which a slow signal vanishes. For independent errors the deviation of the estimate is about
/// `1.6/sqrt(n)` of it.
///
/// The noise of a measured input acts on found parameters: see `Fit::input_noise`, which takes this deviation.
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::Uneven`], [`SignalError::Missing`], [`SignalError::Short`] for fewer than 50
/// samples.
pub fn noise_level(record: &Record, channel: &str) -> Result<NoiseLevel, SignalError> {
    /// Largest ratio of levels by different orders at which these agree.
    const MAX_LEVEL_RATIO: f64 = 1.25;
    let signal = uniform(record, channel, "a level of noise", 50)?;
    let levels = ORDERS.map(|order| level(signal.values, order));
    let [low, deviation, high] = levels;
    let agrees = |other: f64| other <= MAX_LEVEL_RATIO * deviation && deviation <= MAX_LEVEL_RATIO * other;
    Ok(NoiseLevel { deviation, is_white: agrees(low) && agrees(high) })
}

/// Computes the deviation of independent errors from differences of this order, whose variance is C(2k, k) times as
/// large.
fn level(values: &[f64], order: usize) -> f64 {
    /// Deviation of a normal distribution over the median of its absolute values.
    const DEVIATION_OVER_MEDIAN: f64 = 1.482_602_218_505_602;
    let mut differences = values.to_vec();
    let mut variance = 1.0;
    for k in 1..=order {
        differences =
            differences.windows(2).map(|pair| pair.iter().copied().reduce(|a, b| b - a).unwrap_or(0.0)).collect();
        variance *= 2.0 * (2 * k - 1) as f64 / k as f64;
    }
    let mut sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    // coarse samples are equal more often than not
    let deviation = match median > 0.0 {
        true => DEVIATION_OVER_MEDIAN * median,
        false => (sizes.iter().map(|size| size * size).sum::<f64>() / sizes.len().max(1) as f64).sqrt(),
    };
    deviation / variance.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(value: impl Fn(f64) -> f64) -> Result<Record, SignalError> {
        let times: Vec<f64> = (0..5000).map(|i| f64::from(i) * 1e-3).collect();
        let values = times.iter().map(|t| value(*t)).collect();
        Ok(Record::new(times)?.with_channel("x", None, values)?)
    }

    /// Normal noise that depends on the time alone.
    fn noise(t: f64) -> f64 {
        let mut state = (t * 1e3).round() as u64 + 1;
        let mut even = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mixed = (state ^ (state >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed >> 33) as f64 / 2f64.powi(31) - 0.5
        };
        (0..12).map(|_| even()).sum()
    }

    #[test]
    fn white_noise_beside_a_slow_signal_is_found() -> Result<(), SignalError> {
        let level = noise_level(&record(|t| (30.0 * t).sin() + 0.01 * noise(t))?, "x")?;
        assert!(level.is_white && (level.deviation / 0.01 - 1.0).abs() < 0.08, "{level}");
        let fast = noise_level(&record(|t| (1500.0 * t).sin())?, "x")?;
        assert!(!fast.is_white && fast.to_string().contains("a guess"), "{fast}");
        let short = Record::new(vec![0.0, 1.0])?.with_channel("x", None, vec![0.0; 2])?;
        assert!(matches!(noise_level(&short, "x"), Err(SignalError::Short { least: 50, .. })));
        Ok(())
    }
}
