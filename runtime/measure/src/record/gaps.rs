//! Gaps between samples, defined alike for records, costs, spectra and filters.

use std::fmt;

use serde::Serialize;

/// Distance of two samples, relative to the usual one around them, above which samples in between are missing.
pub const GAP: f64 = 1.5;

/// Number of intervals whose median is the usual one: the interval in question and those nearest to it.
const NEAREST_INTERVALS: usize = 11;

/// An interval longer than this many usual ones is a gap, whatever the count says: between bursts of samples nothing is
/// measured.
const MAX_JITTER: f64 = 5.0;

/// Number of samples on either side from which the number of missing ones is counted.
const SIDE_SAMPLES: usize = 10;
/// Number of intervals around an interval from which the period of the clock is taken.
const PERIOD_INTERVALS: usize = 80;

/// A span of time without samples: two successive samples with more than one and a half usual intervals between
/// them, or such a span at the beginning or the end of the record.
///
/// The usual interval follows from the samples around: the median of the eleven intervals nearest to the one in
/// question, and a neighbouring interval that is no gap itself. So a record may be sampled at several rates, each
/// of which is usual where it lasts for six intervals or more, and the intervals may grow along the record.
///
/// Missing samples follow from a count: the ten samples before the interval and the ten after it, each with its number,
/// tell when the clock would have given the next sample; without half a sample or more between both, there is no gap.
/// So times may jitter, may be rounded to digits that are coarser than the clock, and may come in pairs, up to
/// intervals of five usual ones; a single missing sample may go unnoticed there.
/// [`Record::gaps_longer_than`](crate::record::Record::gaps_longer_than) sets a limit instead.
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
    let mut periods = Periods { times, block: usize::MAX, period: 0.0 };
    // Most records have no interval that is any longer.
    let mut is_long = |i: usize| {
        let (own, usual) = (intervals[i], usual_interval(&intervals, i));
        own > GAP * usual && (own > MAX_JITTER * usual || lacks_samples(times, i, periods.at(i)))
    };
    let mut gaps: Vec<bool> = (0..intervals.len()).map(|i| intervals[i] > GAP * shortest && is_long(i)).collect();
    for i in 1..gaps.len() {
        gaps[i] &= gaps[i - 1] || !grows(intervals[..=i].iter().rev());
    }
    for i in (1..gaps.len()).rev() {
        gaps[i - 1] &= gaps[i] || !grows(intervals[i - 1..].iter());
    }
    let found = (0..gaps.len()).filter(|&i| gaps[i]);
    found.map(|after| InnerGap { after, usual: usual_interval(&intervals, after) }).collect()
}

/// Checks whether the first of these intervals ends a row in which each is a little longer than the one before.
fn grows<'a>(intervals: impl Iterator<Item = &'a f64>) -> bool {
    let row: Vec<f64> = intervals.take(5).copied().collect();
    row.len() > 1 && row.windows(2).all(|pair| pair[0] > pair[1] && pair[0] <= GAP * pair[1])
}

/// Finds the gaps between increasing times, which are longer than `longest` in s if that is known.
pub(super) fn inner_gaps_beyond(times: &[f64], longest: Option<f64>) -> Vec<InnerGap> {
    let Some(longest) = longest else { return inner_gaps(times) };
    let intervals: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let found = (0..intervals.len()).filter(|&i| intervals[i] > longest);
    found.map(|after| InnerGap { after, usual: usual_interval(&intervals, after) }).collect()
}

/// Finds the gaps of samples at these increasing times, in a record from `start` to `end`, which are longer than
/// `longest` in s if that is known.
pub(super) fn gaps(times: &[f64], start: f64, end: f64, longest: Option<f64>) -> Vec<Gap> {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return Vec::new() };
    let intervals = |times: &[f64]| times.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>();
    let usual = |times: &[f64], at| longest.unwrap_or_else(|| GAP * usual_interval(&intervals(times), at));
    let few = NEAREST_INTERVALS.min(times.len() - 1);
    let mut all = Vec::new();
    if first - start > usual(&times[..=few], 0) {
        all.push(Gap { from: start, to: first });
    }
    let inner = inner_gaps_beyond(times, longest);
    all.extend(inner.iter().map(|gap| Gap { from: times[gap.after], to: times[gap.after + 1] }));
    if end - last > usual(&times[times.len() - 1 - few..], few.saturating_sub(1)) {
        all.push(Gap { from: last, to: end });
    }
    all
}

/// Counts whether samples are missing between the one at `index` and the next: each side has a line from number to
/// time, which jitter and rounding hardly move, and the lines are more than an interval apart if a sample is missing.
fn lacks_samples(times: &[f64], index: usize, period: f64) -> bool {
    /// Samples beyond an interval of so many periods may come after another gap.
    const MAX_PERIODS: f64 = 1.75;
    if period <= 0.0 {
        return true;
    }
    // samples beyond another gap count for nothing
    let is_near = |pair: &[f64]| pair[1] - pair[0] <= MAX_PERIODS * period;
    let before = &times[(index + 1).saturating_sub(SIDE_SAMPLES)..=index];
    let before = &before[before.windows(2).rposition(|pair| !is_near(pair)).map_or(0, |at| at + 1)..];
    let after = &times[index + 1..(index + 1 + SIDE_SAMPLES).min(times.len())];
    let after = &after[..after.windows(2).position(|pair| !is_near(pair)).map_or(after.len(), |at| at + 1)];
    let mean = |sum: f64, side: &[f64]| sum / side.len() as f64;
    // from the sample at the index, so that large times lose no digits
    let origin = times[index];
    let last = mean(before.iter().rev().enumerate().map(|(i, t)| t - origin + i as f64 * period).sum(), before);
    let next = mean(after.iter().enumerate().map(|(i, t)| t - origin - i as f64 * period).sum(), after);
    let fewest = before.len().min(after.len()) as f64;
    (next - last) / period - 1.0 >= 0.5 + 0.25 / fewest
}

/// Periods of the clock along the times; one is kept for all intervals of a block.
struct Periods<'a> {
    times: &'a [f64],
    block: usize,
    period: f64,
}

impl Periods<'_> {
    /// Returns the period around the interval with this index.
    fn at(&mut self, index: usize) -> f64 {
        let block = index / (PERIOD_INTERVALS / 2);
        if block != self.block {
            let first = (block * (PERIOD_INTERVALS / 2)).saturating_sub(PERIOD_INTERVALS / 4);
            let end = (block * (PERIOD_INTERVALS / 2) + 3 * PERIOD_INTERVALS / 4 + 1).min(self.times.len());
            (self.block, self.period) = (block, period(&self.times[first..end]));
        }
        self.period
    }
}

/// Returns the period of a clock: the median of the means of up to ten successive intervals, so that jitter, rounding
/// and pairs hardly count. Means with a missing sample, which are larger by nearly a tenth at least, are left out. As
/// many intervals are taken together as give the period that follows the times best: fewer where many samples are
/// missing.
fn period(times: &[f64]) -> f64 {
    let (mut best, mut least) = (0.0, f64::INFINITY);
    for width in (1..=SIDE_SAMPLES.min((times.len().saturating_sub(1) / 3).max(1))).rev() {
        let mut means: Vec<f64> =
            times.iter().zip(&times[width..]).map(|(from, to)| (to - from) / width as f64).collect();
        means.sort_by(f64::total_cmp);
        let Some(quarter) = means.get(means.len() / 4) else { break };
        let limit = quarter * (1.0 + 0.9 / width as f64);
        let period = means[means.partition_point(|mean| *mean <= limit) / 2];
        let wander = wander(times, period);
        if wander < least {
            (best, least) = (period, wander);
        }
        if wander <= 1.0 {
            break;
        }
    }
    best
}

/// Returns the usual period of a whole record; `None` for a single sample.
pub(super) fn usual_period(times: &[f64]) -> Option<f64> {
    // blocks with a time in common, so that all intervals count
    let blocks = (0..times.len().saturating_sub(1)).step_by(PERIOD_INTERVALS);
    let mut periods: Vec<f64> = blocks
        .map(|first| period(&times[first..(first + PERIOD_INTERVALS + 1).min(times.len())]))
        .filter(|period| *period > 0.0)
        .collect();
    periods.sort_by(f64::total_cmp);
    periods.get(periods.len() / 2).copied()
}

/// Returns how far times wander from a clock with this period, in periods, between long gaps.
fn wander(times: &[f64], period: f64) -> f64 {
    let (mut late, mut low, mut high, mut most) = (0.0, 0.0_f64, 0.0_f64, 0.0_f64);
    let mut long = 0;
    for pair in times.windows(2) {
        let interval = (pair[1] - pair[0]) / period;
        if interval > 0.5 * MAX_JITTER {
            (late, low, high) = (0.0, 0.0, 0.0);
            long += 1;
            continue;
        }
        late += interval - 1.0;
        (low, high) = (low.min(late), high.max(late));
        most = most.max(high - low);
    }
    // a period with which gaps are everywhere is wrong
    if 8 * long > times.len() { f64::INFINITY } else { most }
}

/// Returns the median of the intervals nearest to the one with this index, the upper one for an even number; 0 if
/// there are none.
fn usual_interval(intervals: &[f64], index: usize) -> f64 {
    let count = NEAREST_INTERVALS.min(intervals.len());
    let first = index.saturating_sub(NEAREST_INTERVALS / 2).min(intervals.len() - count);
    let mut nearest = [0.0; NEAREST_INTERVALS];
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
        let jitter: Vec<f64> = (0..5000).map(|i| f64::from(i) + 0.2 * f64::from(i * i % 7 - 3) / 3.0).collect();
        assert_eq!(inner_gaps(&jitter), []);
        // stamps in pairs, rounded ones, and a clock that jitters by three tenths
        let pairs: Vec<_> = [(1, 8.0), (1, 2.0)].repeat(500);
        assert!(after(&pairs).is_empty());
        for rate in [300.0, 400.0, 450.0, 600.0, 700.0, 900.0] {
            let rounded: Vec<f64> = (0..2000).map(|i| (f64::from(i) / rate * 1e3).round() / 1e3).collect();
            assert_eq!(inner_gaps(&rounded), [], "{rate} Hz");
        }
        let mut even = evenly();
        let wild = |i: i32| f64::from(i) + 0.4 * (2.0 * even() - 1.0);
        let mut wild: Vec<f64> = (0..2000).map(wild).collect();
        assert_eq!(inner_gaps(&wild), []);
        // missing samples are a gap in spite of the jitter
        wild.drain(1000..1005);
        assert_eq!(inner_gaps(&wild).iter().map(|gap| gap.after).collect::<Vec<_>>(), [999]);
        // Two intervals do not show which of them is usual.
        assert!(after(&[(1, 0.5), (1, 0.25)]).is_empty());
        assert!(after(&[(1, 1.0)]).is_empty());
        assert_eq!(inner_gaps(&[1.0]), []);
        assert_eq!(inner_gaps(&[]), []);
    }

    /// Deterministic numbers from 0 to 1.
    fn evenly() -> impl FnMut() -> f64 {
        let mut state = 7_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / 2f64.powi(31)
        }
    }

    #[test]
    fn missing_samples_are_counted_in_every_clock() {
        let mut even = evenly();
        let rounded = |rate: f64, digit: f64| {
            (0..2000).map(|i| (f64::from(i) / rate / digit).round() * digit).collect::<Vec<f64>>()
        };
        let by_turns = |short: f64| {
            let late = |i: i32| f64::from(i) + if i % 2 == 1 { 1.0 - short } else { 0.0 };
            (0..2000).map(late).collect::<Vec<f64>>()
        };
        let jitter = (0..2000).map(|i| f64::from(i) + 0.3 * (2.0 * even() - 1.0)).collect();
        let clocks = [
            (0..2000).map(f64::from).collect(),
            rounded(400.0, 1e-3),
            rounded(450.0, 1e-3),
            rounded(700.0, 1e-3),
            rounded(900.0, 1e-3),
            rounded(4000.0, 1e-4),
            by_turns(0.4),
            by_turns(0.7),
            jitter,
        ];
        for (number, clock) in clocks.iter().enumerate() {
            assert_eq!(inner_gaps(clock), [], "{number}");
            for missing in 1..5 {
                for at in [100, 101, 637, 1900] {
                    let mut clock = clock.clone();
                    clock.drain(at..at + missing);
                    let found: Vec<usize> = inner_gaps(&clock).iter().map(|gap| gap.after).collect();
                    // a single one may hide where intervals differ as much, and the interval next to it may show it
                    let fewest = usize::from(!(missing == 1 && matches!(number, 3 | 4 | 6)));
                    let what = format!("clock {number} without {missing} at {at}: {found:?}");
                    assert!((fewest..=1).contains(&found.len()), "{what}");
                    assert!(found.iter().all(|found| found.abs_diff(at - 1) <= 1), "{what}");
                }
            }
        }
        // samples that are lost here and there are missing, also where many are
        let kept: Vec<f64> = (0..2000).map(f64::from).filter(|_| even() > 0.05).collect();
        let expected = kept.windows(2).filter(|pair| pair[1] - pair[0] > 1.5).count();
        assert_eq!(inner_gaps(&kept).len(), expected);
        assert!(expected > 50);
    }

    #[test]
    fn the_longest_interval_can_be_set() {
        let times = times(&[(20, 1.0), (1, 3.0), (20, 1.0), (1, 30.0), (5, 1.0)]);
        let after = |longest| inner_gaps_beyond(&times, longest).iter().map(|gap| gap.after).collect::<Vec<_>>();
        assert_eq!((after(None), after(Some(5.0)), after(Some(30.0))), (vec![20, 41], vec![41], vec![]));
        assert_eq!(gaps(&times, -4.0, 79.0, Some(5.0)).len(), 1);
        assert_eq!(gaps(&times, -4.0, 85.0, Some(3.5)).len(), 3);
    }

    #[test]
    fn what_is_missing_at_the_ends_is_a_gap() {
        let gap = |from, to| Gap { from, to };
        let inside = times(&[(20, 1.0)]);
        assert_eq!(gaps(&inside, 0.0, 20.0, None), []);
        assert_eq!(gaps(&inside, -1.0, 21.0, None), []);
        assert_eq!(gaps(&inside, -2.0, 25.0, None), [gap(-2.0, 0.0), gap(20.0, 25.0)]);
        assert_eq!(gaps(&[3.0], 3.0, 3.0, None), []);
        assert_eq!(gaps(&[3.0], 2.0, 3.5, None), [gap(2.0, 3.0), gap(3.0, 3.5)]);
        assert_eq!(gaps(&[], 2.0, 3.5, None), []);
        assert!(gap(1.0, 2.0).is_between(1.5, 1.6) && gap(1.0, 2.0).is_between(0.0, 5.0));
        assert!(!gap(1.0, 2.0).is_between(0.0, 1.0 + 1e-12) && !gap(1.0, 2.0).is_between(2.0, 3.0));
    }
}
