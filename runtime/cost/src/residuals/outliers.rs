//! Samples far beyond the spread of all others.

use serde::Serialize;

use crate::residuals::channel::Residuals;
use crate::residuals::mad::normalised_mad;

/// Residuals that are farther from zero than normal ones ever are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outliers {
    /// Number of outliers.
    pub count: usize,
    /// Number of residuals.
    pub samples: usize,
    /// Standard deviation of the other residuals, in the channel's unit.
    pub deviation: f64,
    /// Share of the sum of squares of all residuals that the outliers have.
    pub share: f64,
    /// Kurtosis of all residuals; 3 for normal ones.
    pub kurtosis: f64,
    /// Times in s of the largest ones, at most 5, by increasing time.
    pub times: Vec<f64>,
    /// Bound of the probability of so many, or of one so far, in normal residuals.
    pub p_value: f64,
}

/// Finds the outliers: residuals of more than 5 standard deviations, estimated from the median of all. `None` where
/// there are none, where they have less than 5 % of the sum of squares, and where they are neighbours, as residuals of
/// a motion are.
pub fn outliers(residuals: &Residuals) -> Option<Outliers> {
    /// Distance from the median beyond which a residual is an outlier, in standard deviations of the others.
    const OUTLIER_DISTANCE: f64 = 5.0;
    /// Probability of a normal residual beyond 4 standard deviations. Beyond 5 there are fewer, but the deviation of a
    /// few samples is not exact.
    const OUTLIER_PROBABILITY: f64 = 6.334e-5;
    /// Part of a distance that is certain although the deviation of a few samples is not exact: 4 of 5, as above.
    const CERTAIN_DISTANCE: f64 = 0.8;
    /// Fewest residuals whose spread is known well enough.
    const MIN_RESIDUALS: usize = 30;
    /// Smallest share of the sum of squares with which outliers matter.
    const MIN_SHARE: f64 = 0.05;
    /// Number of outliers that are listed.
    const MAX_LISTED: usize = 5;
    /// Outliers of one in this many successive samples are single ones: residuals of a motion are large over many
    /// samples in a row.
    const MAX_IN_A_ROW: usize = 3;
    let values = residuals.values();
    let deviation = normalised_mad(values).ok()?;
    if values.len() < MIN_RESIDUALS || deviation <= 0.0 {
        return None;
    }
    let is_far = |value: f64| value.abs() > OUTLIER_DISTANCE * deviation;
    let mut far: Vec<usize> = (0..values.len()).filter(|&sample| is_far(values[sample])).collect();
    let rows = far.chunk_by(|a, b| b - a == 1).count();
    let squares = |power: i32| values.iter().map(|value| (value / deviation).powi(power)).sum::<f64>();
    let share = far.iter().map(|&sample| (values[sample] / deviation).powi(2)).sum::<f64>() / squares(2);
    if far.is_empty() || share < MIN_SHARE || MAX_IN_A_ROW * rows < far.len() {
        return None;
    }
    let (count, samples) = (far.len(), values.len());
    // P(at least k) <= lambda^k/k! for rare events
    let mean = OUTLIER_PROBABILITY * samples as f64;
    let of_count = (1..=count).map(|k| mean / k as f64).product::<f64>();
    // and of one so far, by P(|x| > d) <= exp(-d^2/2)
    let farthest = far.iter().fold(0.0, |most: f64, &sample| most.max(values[sample].abs())) / deviation;
    let of_farthest = samples as f64 * (-0.5 * (CERTAIN_DISTANCE * farthest).powi(2)).exp();
    let p_value = of_count.min(of_farthest).min(1.0);
    far.sort_by(|a, b| values[*b].abs().total_cmp(&values[*a].abs()));
    far.truncate(MAX_LISTED);
    far.sort_unstable();
    let times = far.iter().filter_map(|&sample| residuals.times().get(sample).copied()).collect();
    let kurtosis = samples as f64 * squares(4) / squares(2).powi(2);
    Some(Outliers { count, samples, deviation, share, kurtosis, times, p_value })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of independent normal numbers (Box, Muller).
    fn normal(seed: u64, count: usize) -> Vec<f64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(77);
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        };
        (0..count).map(|_| (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()).collect()
    }

    fn found(values: &[f64]) -> Option<Outliers> {
        let times: Vec<f64> = (0..values.len()).map(|j| j as f64 * 0.01).collect();
        outliers(&Residuals::new("x", &times, values, values).unwrap())
    }

    #[test]
    fn normal_residuals_have_no_outliers() {
        for (seed, count) in (0..200).zip([40, 200, 1000, 5000].into_iter().cycle()) {
            let found = found(&normal(seed, count));
            assert!(found.as_ref().is_none_or(|found| found.p_value > 1e-4), "{found:?}");
        }
    }

    #[test]
    fn single_errors_are_found() {
        for seed in 0..40 {
            let mut values = normal(seed, 1201);
            for k in 0..25 {
                values[17 + 47 * k] = if k % 2 == 0 { 4000.0 } else { -3900.0 };
            }
            let found = found(&values).unwrap();
            assert_eq!((found.count, found.samples, found.times.len()), (25, 1201, 5));
            assert!(found.share > 0.999 && found.kurtosis > 40.0 && found.p_value < 1e-50, "{found:?}");
            assert!((found.deviation - 1.0).abs() < 0.15);
            assert!((found.times[0] - 0.17).abs() < 1e-9);
        }
    }

    #[test]
    fn one_error_is_found() {
        for seed in 0..40 {
            for (count, size) in [(200, 40.0), (1000, 100.0), (5000, 5e4)] {
                let mut values = normal(seed, count);
                values[count / 3] = -size;
                let found = found(&values).unwrap();
                // another one of 5000 may be beyond 5 deviations of a median that is not exact
                assert!(found.count <= 2 && found.p_value < 1e-50, "{found:?}");
            }
        }
    }

    /// Tests noise with Laplace's distribution, of which 0.6 % are beyond 5 normalised median deviations, with 11 % of
    /// the squares: a robust loss is the better one there.
    #[test]
    fn noise_of_heavy_tails_is_told() {
        let laplace = |seed: u64| -> Vec<f64> {
            let (a, b) = (normal(seed, 3000), normal(seed + 1000, 3000));
            let (c, d) = (normal(seed + 2000, 3000), normal(seed + 3000, 3000));
            // products of independent normal numbers, summed in pairs, are Laplace's
            (0..3000).map(|j| a[j] * b[j] + c[j] * d[j]).collect()
        };
        let told = (0..40).filter(|&seed| found(&laplace(seed)).is_some_and(|found| found.p_value < 1e-4)).count();
        assert!(told >= 34, "{told} of 40");
    }

    #[test]
    fn a_motion_has_no_outliers() {
        // a wave packet beside noise: many large residuals in a row
        let wave = |j: usize| 30.0 * (-((j as f64 - 500.0) / 30.0).powi(2)).exp() * (j as f64 * 0.2).sin();
        let values: Vec<f64> = normal(3, 2000).iter().enumerate().map(|(j, noise)| noise + wave(j)).collect();
        assert_eq!(found(&values), None);
    }
}
