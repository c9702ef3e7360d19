//! Properties of the samples of a channel, without a model.

use costate_cost::residuals::root_mean_square;

use crate::definition::digits::format_exactly;

/// Samples of a record.
pub(super) struct Shape<'a> {
    values: &'a [f64],
}

impl<'a> Shape<'a> {
    pub fn of(values: &'a [f64]) -> Self {
        Self { values }
    }

    /// Estimates the standard deviation of white noise in the samples, from third differences, which leave little of
    /// slow variations. At most the root mean square of the `residuals` of the model.
    pub fn noise(&self, residuals: &[f64]) -> f64 {
        self.differences(1).min(root_mean_square(residuals))
    }

    /// Returns true if the smallest variations of the samples are white noise: third differences of samples further
    /// apart are not much larger. Behind a filter, or without noise, samples vary smoothly, and differences say nothing
    /// of the errors.
    pub fn shows_noise(&self) -> bool {
        /// Ratio of third differences at twice and at the single interval beyond which samples vary smoothly: it is 1
        /// for white noise and 8 for a slow motion.
        const MIN_SMOOTH_RATIO: f64 = 7.0;
        self.differences(2) <= MIN_SMOOTH_RATIO * self.differences(1)
    }

    /// Returns the root mean square of third differences of samples that are `apart` from each other, in that of white
    /// noise of deviation 1; infinite for too few samples.
    fn differences(&self, apart: usize) -> f64 {
        let third = |y: &[f64]| y[3 * apart] - 3.0 * y[2 * apart] + 3.0 * y[apart] - y[0];
        // the squares of 1, 3, 3, 1 add up to 20
        let all: Vec<f64> = self.values.windows(3 * apart + 1).map(|y| third(y) / 20_f64.sqrt()).collect();
        if all.is_empty() { f64::INFINITY } else { root_mean_square(&all) }
    }

    /// Returns a remark if the channel is constant or clipped; `name` is the name of the channel.
    pub fn remark(&self, name: &str) -> Option<String> {
        /// Smallest ratio of that number to the longest sequence of another value, since data of few digits repeat
        /// values as well.
        const MIN_RATIO: usize = 4;
        /// Smallest number of successive samples with the largest or the least value at which a sensor counts as
        /// saturated.
        const MIN_CLIPPED: usize = 5;
        let (least, largest) = self.range()?;
        if least == largest {
            return Some(format!(
                "{name} is {} throughout: a constant channel contains no information on the motion; check whether the \
                     sensor is connected",
                format_exactly(least)
            ));
        }
        let [at_least, at_largest, elsewhere] = self.longest_rows(least, largest);
        let is_clipped = |count: usize| count >= MIN_CLIPPED && count > MIN_RATIO * elsewhere;
        let (limit, count) = match (is_clipped(at_least), is_clipped(at_largest)) {
            (_, true) => (largest, at_largest),
            (true, false) => (least, at_least),
            (false, false) => return None,
        };
        Some(format!(
            "{name} stays at {} for {count} samples in a row, as a saturated sensor does: leave such samples out of \
                 the record",
            format_exactly(limit)
        ))
    }

    fn range(&self) -> Option<(f64, f64)> {
        let first = *self.values.first()?;
        let wider = |(low, high): (f64, f64), value: &f64| (low.min(*value), high.max(*value));
        Some(self.values.iter().fold((first, first), wider))
    }

    /// Returns the largest number of successive samples with the least value, with the largest, and with another one.
    fn longest_rows(&self, least: f64, largest: f64) -> [usize; 3] {
        let mut longest = [0; 3];
        for row in self.values.chunk_by(|a, b| a == b) {
            let kind = if row[0] == least { 0 } else { 1 + usize::from(row[0] != largest) };
            longest[kind] = longest[kind].max(row.len());
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(count: usize) -> Vec<f64> {
        (0..count).map(|i| (i as f64 * 0.05).sin()).collect()
    }

    #[test]
    fn constant_and_clipped_channels_are_told() {
        let remark = |values: &[f64]| Shape::of(values).remark("`force`");
        assert_eq!(remark(&wave(500)), None);
        assert!(remark(&[2.5; 9]).unwrap().contains("`force` is 2.5 throughout"));
        let clipped: Vec<f64> = wave(500).into_iter().map(|y| y.min(0.9)).collect();
        let said = remark(&clipped).unwrap();
        assert!(said.contains("stays at 0.9 for 18 samples in a row"), "{said}");
        let below: Vec<f64> = wave(500).into_iter().map(|y| y.max(-0.8)).collect();
        assert!(remark(&below).unwrap().contains("stays at -0.8"));
        // data of few digits are not clipped
        let coarse: Vec<f64> = wave(500).into_iter().map(|y| (10.0 * y).round() / 10.0).collect();
        assert_eq!(remark(&coarse), None);
        assert_eq!(remark(&[]), None);
    }

    #[test]
    fn noise_is_seen_beside_a_motion() {
        let mut seed = 7_u64;
        let mut uniform = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        // the deviation of a uniform distribution of width w is w/sqrt(12)
        let noisy: Vec<f64> = wave(4000).into_iter().map(|y| y + 0.02 * uniform()).collect();
        let noise = Shape::of(&noisy).noise(&[1.0; 4000]);
        assert!((noise / (0.02 / 12f64.sqrt()) - 1.0).abs() < 0.05, "{noise}");
        assert!(Shape::of(&noisy).shows_noise());
        // a motion without noise, and noise behind a low pass, are smooth
        assert!(!Shape::of(&wave(4000)).shows_noise());
        let mut passed = noisy.clone();
        for _ in 0..2 {
            let mut last = passed[0];
            passed.iter_mut().for_each(|y| {
                last += 0.05 * (*y - last);
                *y = last;
            });
        }
        assert!(!Shape::of(&passed).shows_noise());
        // a model with smaller residuals bounds the noise
        assert!((Shape::of(&noisy).noise(&[1e-3; 4000]) / 1e-3 - 1.0).abs() < 1e-9);
    }
}
