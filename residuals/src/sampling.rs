//! Equidistant parts of a channel between gaps.

use std::ops::Range;

use serde::Serialize;

use crate::absent::Absent;

/// Distance of two samples over the median one, above which samples in between are missing.
pub const GAP: f64 = 1.5;

/// How far times may be from equidistant ones, over their interval, unless
/// [`Residuals::with_equidistance`](crate::Residuals::with_equidistance) says otherwise.
pub const EQUIDISTANCE: f64 = 1e-3;

/// Fewest samples that tests of residuals are made of.
pub const FEWEST_SAMPLES: usize = 20;

/// The parts of a channel between gaps, all sampled with one interval.
///
/// A gap is a distance of two samples above [`GAP`] times the median one. Sums over pairs of samples are sums over the pairs
/// of every part: no pair reaches over a gap.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sampling {
    /// Time between two samples in s.
    pub interval: f64,
    /// Indices of the samples of every part, in order of time; together they are all samples.
    pub parts: Vec<Range<usize>>,
}

impl Sampling {
    /// Of strictly increasing times in s, equidistant within `limit` of the interval.
    pub(crate) fn new(times: &[f64], limit: f64) -> Result<Self, Absent> {
        if times.len() < FEWEST_SAMPLES {
            return Err(Absent::TooFewSamples { samples: times.len(), needed: FEWEST_SAMPLES });
        }
        let parts = parts(times);
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
        let deviation = deviation / interval;
        if deviation <= limit {
            Ok(Self { interval, parts })
        } else {
            Err(Absent::NotEquidistant { deviation, limit })
        }
    }

    /// How many samples there are.
    pub fn samples(&self) -> usize {
        self.parts.iter().map(ExactSizeIterator::len).sum()
    }

    /// Samples of the longest part.
    pub fn longest(&self) -> usize {
        self.parts.iter().map(ExactSizeIterator::len).max().unwrap_or(0)
    }

    /// How many pairs of samples are `lag` intervals apart without a gap in between.
    pub fn pairs(&self, lag: usize) -> usize {
        self.parts.iter().map(|part| part.len().saturating_sub(lag)).sum()
    }
}

/// Indices of the samples between gaps, for two times or more.
fn parts(times: &[f64]) -> Vec<Range<usize>> {
    let mut sorted: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let middle = sorted.len() / 2;
    let (_, &mut median, _) = sorted.select_nth_unstable_by(middle, f64::total_cmp);
    let mut parts = Vec::new();
    let mut start = 0;
    for end in 1..times.len() {
        if times[end] - times[end - 1] > GAP * median {
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

    /// Sixty times with interval 0.1 s, of which some are left out.
    fn times(missing: &[usize]) -> Vec<f64> {
        (0..60).filter(|i| !missing.contains(i)).map(|i| f64::from(i as u32) * 0.1).collect()
    }

    #[test]
    fn parts_lie_between_gaps() {
        let sampling = Sampling::new(&times(&[10, 30, 31, 33]), EQUIDISTANCE).unwrap();
        assert_eq!(sampling.parts, [0..10, 10..29, 29..30, 30..56]);
        assert!((sampling.interval - 0.1).abs() < 1e-12);
        assert_eq!(sampling.pairs(1), 9 + 18 + 25);
        assert_eq!(sampling.pairs(100), 0);
        assert_eq!((sampling.samples(), sampling.longest()), (56, 26));
    }

    #[test]
    fn times_that_jitter_or_drift_are_not_equidistant() {
        let mut jitter = times(&[]);
        jitter[7] += 2e-4;
        let Err(Absent::NotEquidistant { deviation, limit }) = Sampling::new(&jitter, EQUIDISTANCE) else {
            panic!("accepted")
        };
        assert!((deviation - 2e-3).abs() < 1e-6 && limit == EQUIDISTANCE);
        assert!(Sampling::new(&jitter, 1e-2).is_ok());
        let drift: Vec<f64> = times(&[]).iter().map(|t| t * (1.0 + 0.01 * t)).collect();
        assert!(Sampling::new(&drift, EQUIDISTANCE).is_err());
        let few = Sampling::new(&times(&[])[..19], EQUIDISTANCE);
        assert_eq!(few, Err(Absent::TooFewSamples { samples: 19, needed: 20 }));
    }
}
