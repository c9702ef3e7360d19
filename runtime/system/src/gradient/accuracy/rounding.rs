//! The rounding in the samples of a run.

/// The differences of samples by which rounding is distinguished from motion: of the sixth order, which motion that
/// steps resolve leaves small.
const WEIGHTS: [f64; 7] = [1.0, -6.0, 15.0, -20.0, 15.0, -6.0, 1.0];

/// Estimates the size of the largest rounding in these samples; 0 where there are too few.
pub(super) fn rounding(samples: impl Iterator<Item = f64>) -> f64 {
    /// Number of differences in a row of which the median counts: kinks and jumps change less than half of them.
    const MEDIAN_WINDOW: usize = 16;
    /// The largest of a few hundred normally distributed numbers, over the largest median of the magnitudes of 16 in a
    /// row.
    const LARGEST_OVER_MEDIAN: f64 = 2.7;
    let differences = differences(samples);
    let median = |window: &[f64]| {
        let mut sorted = window.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[MEDIAN_WINDOW / 2]
    };
    let largest = differences.chunks_exact(MEDIAN_WINDOW).map(median).fold(0.0, f64::max);
    LARGEST_OVER_MEDIAN * largest
}

/// Returns the largest part of these samples that is no smooth motion: rounding, a kink, or motion that steps do not
/// resolve.
pub(super) fn unsmooth(samples: impl Iterator<Item = f64>) -> f64 {
    differences(samples).into_iter().fold(0.0, f64::max)
}

/// Returns the sizes of the differences, where those of rounding have the size of the rounding.
fn differences(samples: impl Iterator<Item = f64>) -> Vec<f64> {
    let samples: Vec<f64> = samples.collect();
    let norm = WEIGHTS.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
    let difference =
        |window: &[f64]| window.iter().zip(WEIGHTS).map(|(sample, weight)| sample * weight).sum::<f64>().abs() / norm;
    samples.windows(WEIGHTS.len()).map(difference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1 without a pattern.
    fn noise(i: usize) -> f64 {
        let mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn rounding_is_told_from_motion() {
        let signal = |size: f64| {
            (0..2000).map(move |i| {
                let t = i as f64 * 1e-3;
                // a motion with a jump and a kink
                (20.0 * t).sin() + if t > 0.7 { 1.0 } else { 0.0 } + (t - 1.2).abs() + size * noise(i)
            })
        };
        for size in [1e-9, 1e-6, 1e-3] {
            let found = rounding(signal(size)) / size;
            assert!((0.7..4.0).contains(&found), "{size}: {found}");
        }
        assert!(rounding(signal(0.0)) < 1e-10 && unsmooth(signal(0.0)) > 1e-2);
        assert!(unsmooth((0..1000).map(|i| (0.02 * f64::from(i)).sin())) < 1e-11);
        assert_eq!(rounding([1.0, -1.0, 1.0].into_iter()), 0.0);
    }
}
