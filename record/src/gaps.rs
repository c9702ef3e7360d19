//! Gaps between samples, defined alike for records, costs, spectra and filters.

use std::fmt;

use serde::Serialize;

/// Distance of two samples, relative to the usual one around them, above which samples in between are missing.
pub const GAP: f64 = 1.5;

/// Number of intervals whose median is the usual one: the interval in question and those nearest to it.
const NEAREST: usize = 11;

/// Jitter: an interval is no gap if it exceeds the usual one by at most `DEVIATIONS` times the deviation that a
/// quarter of the intervals around it exceed, and is at most `MOST_JITTER` times the usual one.
const DEVIATIONS: f64 = 3.0;
const MOST_JITTER: f64 = 5.0;

/// Recurring intervals: among `AROUND` intervals, one of up to twice the usual one is no gap if `RECURRING`
/// others are as long.
const AROUND: usize = 41;
const TWICE: f64 = 2.05;
const RECURRING: usize = 2;

/// A span of time without samples: two successive samples with more than one and a half usual intervals between
/// them, or such a span at the beginning or the end of the record.
///
/// The usual interval follows from the samples around: the median of the eleven intervals nearest to the one in
/// question, and a neighbouring interval that is no gap itself. So a record may be sampled at several rates, each
/// of which is usual where it lasts for six intervals or more, and the intervals may grow along the record. Times
/// may jitter: an interval is no gap if it deviates from the usual one by up to three times the deviation of
/// those around it, up to five times the usual interval, as with time stamps in pairs. Recurring intervals of
/// twice the usual one are no gaps either, as where times are rounded to an interval hardly shorter than that of
/// the clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Gap {
    /// Time of the last sample before the gap in s; the first time of the record for a gap at its beginning.
    pub from: f64,
    /// Time of the first sample after the gap in s; the last time of the record for a gap at its end.
    pub to: f64,
}

impl Gap {
    /// Returns the length in s.
    pub fn length(&self) -> f64 {
        self.to - self.from
    }

    /// Checks whether part of the gap is between two times in s, up to rounding.
    #[doc(hidden)]
    pub fn is_between(&self, from: f64, to: f64) -> bool {
        let rounding = 1e-9 * self.length();
        self.from + rounding < to && self.to - rounding > from
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} to {} s", self.from, self.to)
    }
}

/// A gap between two samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InnerGap {
    /// Index of the sample before the gap.
    pub after: usize,
    /// The usual interval around the gap in s.
    pub usual: f64,
}

/// Finds the gaps between increasing times.
pub fn inner_gaps(times: &[f64]) -> Vec<InnerGap> {
    let intervals: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let shortest = intervals.iter().copied().fold(f64::INFINITY, f64::min);
    // Most records have no interval that is any longer.
    let is_long = |i: usize| intervals[i] > GAP * shortest && intervals[i] > longest_usual(&intervals, i);
    let mut gaps: Vec<bool> = (0..intervals.len()).map(is_long).collect();
    for i in 1..gaps.len() {
        gaps[i] &= gaps[i - 1] || intervals[i] > GAP * intervals[i - 1];
    }
    for i in (1..gaps.len()).rev() {
        gaps[i - 1] &= gaps[i] || intervals[i - 1] > GAP * intervals[i];
    }
    let found = (0..gaps.len()).filter(|&i| gaps[i]);
    found.map(|after| InnerGap { after, usual: usual_interval(&intervals, after) }).collect()
}

/// Finds the gaps of samples at these increasing times, in a record from `start` to `end`.
pub(super) fn gaps(times: &[f64], start: f64, end: f64) -> Vec<Gap> {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return Vec::new() };
    let intervals = |times: &[f64]| times.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>();
    let usual = |times: &[f64], at| usual_interval(&intervals(times), at);
    let few = NEAREST.min(times.len() - 1);
    let mut all = Vec::new();
    if first - start > GAP * usual(&times[..=few], 0) {
        all.push(Gap { from: start, to: first });
    }
    all.extend(inner_gaps(times).iter().map(|gap| Gap { from: times[gap.after], to: times[gap.after + 1] }));
    if end - last > GAP * usual(&times[times.len() - 1 - few..], few.saturating_sub(1)) {
        all.push(Gap { from: last, to: end });
    }
    all
}

/// Returns the longest interval at this index that is no gap.
fn longest_usual(intervals: &[f64], index: usize) -> f64 {
    let (own, usual) = (intervals[index], usual_interval(intervals, index));
    let around = |count: usize| {
        let count = count.min(intervals.len());
        let first = index.saturating_sub(count / 2).min(intervals.len() - count);
        (first..first + count).filter(|other| *other != index).map(|other| intervals[other])
    };
    let recurs = || around(AROUND).filter(|other| (other - own).abs() <= 0.1 * own).count() >= RECURRING;
    if own <= TWICE * usual && recurs() {
        return own;
    }
    let mut deviations: Vec<f64> = around(AROUND).map(|other| (other - usual).abs()).collect();
    deviations.sort_by(f64::total_cmp);
    let deviation = deviations.get(deviations.len() * 3 / 4).copied().unwrap_or(0.0);
    (usual + DEVIATIONS * deviation).min(MOST_JITTER * usual).max(GAP * usual)
}

/// Returns the median of the intervals nearest to the one with this index, the upper one for an even number; 0 if
/// there are none.
fn usual_interval(intervals: &[f64], index: usize) -> f64 {
    let count = NEAREST.min(intervals.len());
    let first = index.saturating_sub(NEAREST / 2).min(intervals.len() - count);
    let mut nearest = [0.0; NEAREST];
    let nearest = &mut nearest[..count];
    nearest.copy_from_slice(&intervals[first..first + count]);
    nearest.sort_by(f64::total_cmp);
    nearest.get(count / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(intervals: &[(usize, f64)]) -> Vec<f64> {
        let mut times = vec![0.0];
        for &(count, interval) in intervals {
            for _ in 0..count {
                times.push(times[times.len() - 1] + interval);
            }
        }
        times
    }

    fn after(intervals: &[(usize, f64)]) -> Vec<usize> {
        inner_gaps(&times(intervals)).iter().map(|gap| gap.after).collect()
    }

    #[test]
    fn a_gap_is_longer_than_what_is_usual_around_it() {
        assert!(after(&[(20, 1.0)]).is_empty());
        assert!(after(&[(20, 1.0), (1, 1.49), (20, 1.0)]).is_empty());
        assert_eq!(after(&[(20, 1.0), (1, 2.0), (20, 1.0)]), [20]);
        // Samples alone between gaps, and gaps next to the ends.
        assert_eq!(after(&[(20, 1.0), (2, 500.0), (20, 1.0)]), [20, 21]);
        assert_eq!(after(&[(1, 3.0), (20, 1.0), (2, 500.0)]), [0, 21, 22]);
        assert_eq!(after(&[(2, 3.0), (20, 1.0), (1, 500.0), (1, 600.0)]), [0, 1, 22, 23]);
        // Bursts of three samples.
        let bursts: Vec<_> = [(2, 1.0), (1, 20.0)].repeat(10);
        assert_eq!(after(&bursts).len(), 10);
        assert_eq!(inner_gaps(&times(&[(20, 0.5), (1, 9.0), (20, 0.5)]))[0].usual, 0.5);
    }

    #[test]
    fn several_rates_and_jitter_are_usual() {
        assert!(after(&[(1000, 1.0), (900, 10.0), (6, 100.0), (50, 1.0), (6, 2.0)]).is_empty());
        assert_eq!(after(&[(50, 1.0), (5, 10.0), (50, 1.0)]), [50, 51, 52, 53, 54]);
        let growing: Vec<_> = (-30..30).map(|k: i32| (1, 1.4_f64.powi(k.abs()))).collect();
        assert!(after(&growing).is_empty());
        let jitter: Vec<f64> =
            (0..5000).map(|i| f64::from(i) + 0.2 * f64::from(i * i % 7 - 3) / 3.0).collect();
        assert_eq!(inner_gaps(&jitter), []);
        // stamps in pairs, rounded ones, and a clock that jitters by three tenths
        let pairs: Vec<_> = [(1, 8.0), (1, 2.0)].repeat(500);
        assert!(after(&pairs).is_empty());
        for rate in [300.0, 400.0, 450.0, 600.0, 700.0, 900.0] {
            let rounded: Vec<f64> = (0..2000).map(|i| (f64::from(i) / rate * 1e3).round() / 1e3).collect();
            assert_eq!(inner_gaps(&rounded), [], "{rate} Hz");
        }
        let mut state = 1_u64;
        let mut even = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / 2f64.powi(31)
        };
        let wild = |i: i32| f64::from(i) + 0.4 * (2.0 * even() - 1.0);
        let mut wild: Vec<f64> = (0..2000).map(wild).collect();
        assert_eq!(inner_gaps(&wild), []);
        // missing samples are a gap in spite of the jitter
        wild.drain(1000..1005);
        assert_eq!(inner_gaps(&wild).iter().map(|gap| gap.after).collect::<Vec<_>>(), [999]);
        // Two intervals do not tell which of them is usual.
        assert!(after(&[(1, 0.5), (1, 0.25)]).is_empty());
        assert!(after(&[(1, 1.0)]).is_empty());
        assert_eq!(inner_gaps(&[1.0]), []);
        assert_eq!(inner_gaps(&[]), []);
    }

    #[test]
    fn what_is_missing_at_the_ends_is_a_gap() {
        let gap = |from, to| Gap { from, to };
        let inside = times(&[(20, 1.0)]);
        assert_eq!(gaps(&inside, 0.0, 20.0), []);
        assert_eq!(gaps(&inside, -1.0, 21.0), []);
        assert_eq!(gaps(&inside, -2.0, 25.0), [gap(-2.0, 0.0), gap(20.0, 25.0)]);
        assert_eq!(gaps(&[3.0], 3.0, 3.0), []);
        assert_eq!(gaps(&[3.0], 2.0, 3.5), [gap(2.0, 3.0), gap(3.0, 3.5)]);
        assert_eq!(gaps(&[], 2.0, 3.5), []);
        assert!(gap(1.0, 2.0).is_between(1.5, 1.6) && gap(1.0, 2.0).is_between(0.0, 5.0));
        assert!(!gap(1.0, 2.0).is_between(0.0, 1.0 + 1e-12) && !gap(1.0, 2.0).is_between(2.0, 3.0));
    }
}
