//! Equidistant parts of a channel between gaps.

use std::ops::Range;

use serde::Serialize;

use crate::residuals::absent::Absent;
use crate::residuals::error::{ResidualError, check_times};
use crate::residuals::noise_error::NoiseError;

/// Distance of two samples, relative to the median one, above which samples in between are missing.
pub const GAP: f64 = 1.5;

/// Largest accepted deviation from equidistant times, relative to their interval.
pub const EQUIDISTANCE: f64 = 1e-3;

/// Least number of samples for tests of residuals.
pub const FEWEST_SAMPLES: usize = 20;

/// The parts of a channel between gaps, all sampled with the same interval.
///
/// A gap is a distance of two samples above [`GAP`] times the median one. Sums over pairs of samples are sums over the
/// pairs of every part: no pair reaches over a gap.
///
/// Tests take the samples of a jittering clock, of rounded times and of a drifting interval in their order, as if
/// they were equidistant: noise without memory is white in that order too, and no sample is invented. Gaps are
/// then distances above two and a half times the usual one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sampling {
    /// Time between two samples in s.
    pub interval: f64,
    /// Index ranges of the parts, in order of time; together they cover all samples.
    pub parts: Vec<Range<usize>>,
    /// Largest deviation from equidistant times, relative to their interval.
    pub deviation: f64,
}

impl Sampling {
    /// Finds the parts of strictly increasing times in s, which are equidistant within `limit` of the interval,
    /// as [`EQUIDISTANCE`].
    ///
    /// # Errors
    /// [`NoiseError`]: times that are not finite or do not increase, a limit that is not between 0 and 0.25, fewer than
    /// two times, times between gaps that are not equidistant.
    pub fn of_times(times: &[f64], limit: f64) -> Result<Self, NoiseError> {
        check_times(times)?;
        check_equidistance(limit)?;
        check_count(2, times)?;
        let found = Self::between(parts(times, 1, GAP), times);
        match found.deviation <= limit {
            true => Ok(found),
            false => Err(Absent::NotEquidistant { deviation: found.deviation, limit }.into()),
        }
    }

    /// Finds the parts of strictly increasing times in s that suffice for tests; the times are taken in their
    /// order if they are not equidistant.
    pub(crate) fn new(times: &[f64]) -> Result<Self, Absent> {
        /// Distance of two samples, relative to the usual one, above which samples in between are missing if times are
        /// not equidistant.
        const IRREGULAR_GAP: f64 = 2.5;
        check_count(FEWEST_SAMPLES, times)?;
        let found = Self::between(parts(times, 1, GAP), times);
        // time stamps in pairs and similar patterns would give parts of a few samples
        let is_cut = found.parts.len() > times.len() / 10;
        match found.deviation <= EQUIDISTANCE && !is_cut {
            true => Ok(found),
            // with a jittering clock long distances follow short ones
            false => Ok(Self::between(parts(times, 2, IRREGULAR_GAP), times)),
        }
    }

    /// Makes the sampling with these parts of at least two times.
    fn between(parts: Vec<Range<usize>>, times: &[f64]) -> Self {
        let length = |part: &Range<usize>| times[part.end - 1] - times[part.start];
        let intervals = times.len() - parts.len();
        let interval = parts.iter().map(length).sum::<f64>() / intervals.max(1) as f64;
        let mut deviation = 0.0_f64;
        for part in parts.iter().filter(|part| part.len() > 1) {
            let own = length(part) / (part.len() - 1) as f64;
            deviation = deviation.max((own - interval).abs());
            for (k, time) in times[part.clone()].iter().enumerate() {
                deviation = deviation.max((time - times[part.start] - k as f64 * own).abs());
            }
        }
        Self { interval, parts, deviation: deviation / interval }
    }

    /// Refuses values that are not one per sample, and parts that do not cover all samples in order of time.
    pub(crate) fn check(&self, field: &str, values: &[f64]) -> Result<(), ResidualError> {
        self.check_parts()?;
        let times = self.samples();
        if values.len() == times {
            return Ok(());
        }
        Err(ResidualError::Length { field: field.to_owned(), values: values.len(), times })
    }

    /// Refuses parts that do not cover all samples in order of time.
    pub(crate) fn check_parts(&self) -> Result<(), ResidualError> {
        let mut wanted = 0;
        for (part, &Range { start, end }) in self.parts.iter().enumerate() {
            if start != wanted || end <= start {
                return Err(ResidualError::Parts { part, start, end, wanted });
            }
            wanted = end;
        }
        Ok(())
    }

    /// Returns the number of samples.
    pub fn samples(&self) -> usize {
        self.parts.iter().map(ExactSizeIterator::len).sum()
    }

    /// Returns the number of samples of the longest part.
    pub fn longest(&self) -> usize {
        self.parts.iter().map(ExactSizeIterator::len).max().unwrap_or(0)
    }

    /// Counts the pairs of samples that are `lag` intervals apart without a gap in between.
    pub fn pairs(&self, lag: usize) -> usize {
        self.parts.iter().map(|part| part.len().saturating_sub(lag)).sum()
    }
}

/// Refuses a limit of equidistance that is out of range.
fn check_equidistance(limit: f64) -> Result<(), ResidualError> {
    if (0.0..=0.25).contains(&limit) {
        return Ok(());
    }
    let field = "limit of equidistance";
    Err(ResidualError::OutOfRange { field, value: limit, limit: "between 0 and 0.25" })
}

fn check_count(needed: usize, times: &[f64]) -> Result<(), Absent> {
    match times.len() < needed {
        true => Err(Absent::TooFewSamples { samples: times.len(), needed }),
        false => Ok(()),
    }
}

/// Returns the index ranges of the samples between gaps: distances above `gap` times the usual one, which is the
/// median of means over `over` distances; `over` is less than the number of times.
fn parts(times: &[f64], over: usize, gap: f64) -> Vec<Range<usize>> {
    let mut sorted: Vec<f64> =
        times.windows(over + 1).map(|samples| (samples[over] - samples[0]) / over as f64).collect();
    let middle = sorted.len() / 2;
    let (_, &mut median, _) = sorted.select_nth_unstable_by(middle, f64::total_cmp);
    let mut parts = Vec::new();
    let mut start = 0;
    for end in 1..times.len() {
        if times[end] - times[end - 1] > gap * median {
            parts.push(start..end);
            start = end;
        }
    }
    parts.push(start..times.len());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns sixty times with interval 0.1 s without the missing ones.
    fn times(missing: &[usize]) -> Vec<f64> {
        (0..60).filter(|i| !missing.contains(i)).map(|i| f64::from(i as u32) * 0.1).collect()
    }

    #[test]
    fn parts_lie_between_gaps() {
        let sampling = Sampling::new(&times(&[10, 30, 31, 33])).unwrap();
        assert_eq!(sampling.parts, [0..10, 10..29, 29..30, 30..56]);
        assert!((sampling.interval - 0.1).abs() < 1e-12);
        assert_eq!(sampling.pairs(1), 9 + 18 + 25);
        assert_eq!(sampling.pairs(100), 0);
        assert_eq!((sampling.samples(), sampling.longest()), (56, 26));
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init, reason = "the parts are ranges")]
    fn times_that_jitter_or_drift_are_taken_in_their_order_by_tests_alone() {
        let mut jitter = times(&[]);
        jitter[7] += 2e-4;
        let refused = Sampling::of_times(&jitter, EQUIDISTANCE);
        assert!(matches!(refused, Err(NoiseError::Absent(Absent::NotEquidistant { .. }))), "{refused:?}");
        assert!(Sampling::of_times(&jitter, 1e-2).is_ok());
        let taken = Sampling::new(&jitter).unwrap();
        assert!((taken.deviation - 2e-3).abs() < 1e-6 && taken.parts == [0..60]);
        let drift: Vec<f64> = times(&[]).iter().map(|t| t * (1.0 + 0.01 * t)).collect();
        assert!(Sampling::of_times(&drift, EQUIDISTANCE).is_err());
        assert_eq!(Sampling::new(&drift).unwrap().parts, [0..60]);
        // stamps that are alternately 8 and 2 ms apart, with a gap of half a second
        let turns =
            |i: u32| 0.005 * f64::from(i) + if i % 2 == 1 { 0.003 } else { 0.0 } + if i < 40 { 0.0 } else { 0.5 };
        let turns: Vec<f64> = (0..100).map(turns).collect();
        let taken = Sampling::new(&turns).unwrap();
        assert_eq!(taken.parts, [0..40, 40..100]);
        assert!((taken.interval - 0.005).abs() < 1e-4 && taken.deviation > 0.5, "{taken:?}");
        let few = Sampling::new(&times(&[])[..19]);
        assert_eq!(few, Err(Absent::TooFewSamples { samples: 19, needed: 20 }));
    }

    #[test]
    fn few_times_have_parts_too() {
        assert_eq!(Sampling::of_times(&[0.0, 0.1, 0.2, 0.5], EQUIDISTANCE).unwrap().parts, [0..3, 3..4]);
        assert_eq!(Sampling::of_times(&[1.0, 3.0], EQUIDISTANCE).unwrap().interval, 2.0);
        let few = Absent::TooFewSamples { samples: 1, needed: 2 };
        assert_eq!(Sampling::of_times(&[1.0], EQUIDISTANCE), Err(few.into()));
        for times in [&[][..], &[1.0, 1.0], &[2.0, 1.0], &[0.0, f64::NAN]] {
            let error = Sampling::of_times(times, EQUIDISTANCE);
            assert!(matches!(error, Err(NoiseError::Samples(_))), "{error:?}");
        }
        assert!(Sampling::of_times(&[0.0, 1.0], f64::NAN).is_err());
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init, clippy::reversed_empty_ranges, reason = "ranges are the parts")]
    fn parts_are_all_samples_in_order() {
        let sampling = |parts: &[Range<usize>]| Sampling { interval: 1.0, parts: parts.to_vec(), deviation: 0.0 };
        let check = |parts: &[Range<usize>]| sampling(parts).check("values", &[0.0; 4]);
        assert_eq!(check(&[0..1, 1..4]), Ok(()));
        assert!(matches!(check(&[0..3]), Err(ResidualError::Length { values: 4, times: 3, .. })));
        for (parts, wrong) in [(&[0..2, 3..4][..], 1), (&[1..4], 0), (&[0..2, 2..1, 1..4], 1), (&[0..0, 0..4], 0)] {
            assert!(matches!(check(parts), Err(ResidualError::Parts { part, .. }) if part == wrong));
        }
    }
}
