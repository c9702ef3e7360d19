//! Even clocks: whether times are those of one, however they were rounded, and its interval.

use super::Record;
use super::gaps::inner_gaps;

/// Part of an interval by which the times of a jittering clock may be off.
const MAX_JITTER: f64 = 0.25;

/// Least number of times that distinguishes a rounded or jittering clock from samples at times of their own.
const MIN_TIMES: usize = 20;

/// Largest distance of rounded stamps from their clock, in their last digit: a half, and some jitter.
const MAX_ROUNDING: f64 = 0.6;

/// An even clock that gives the times of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvenClock {
    /// Time of the first sample in s.
    pub start: f64,
    /// The interval in s.
    pub interval: f64,
    /// Largest distance in s of a time of the record from that of the clock.
    pub deviation: f64,
    /// The last digit of the times in s, if they are those of the clock, rounded to so many digits.
    pub digit: Option<f64>,
}

impl Record {
    /// The even clock that gives the times of the record: times to one thousandth of the interval, or rounded, or with
    /// a jitter of up to a quarter of the interval; `None` for a record with gaps or another clock.
    #[doc(hidden)]
    pub fn even_clock(&self) -> Option<EvenClock> {
        even_clock(&self.times)
    }

    /// The interval in s of the clock that gives the times of the record: as [`interval`](Record::interval), and
    /// beside gaps that of the stretches between them; `None` for times that are not even there.
    #[doc(hidden)]
    pub fn interval_beside_gaps(&self) -> Option<f64> {
        let after = |gap: super::gaps::InnerGap| gap.after;
        let gaps = || self.gaps_among(&self.times).into_iter().map(after).collect::<Vec<_>>();
        self.interval().or_else(|| interval_beside_gaps(&self.times, &gaps()))
    }

    /// The record with the times of its even clock where its own times are those, rounded.
    #[doc(hidden)]
    #[must_use]
    pub fn with_times_of_clock(mut self) -> Self {
        if let Some(EvenClock { start, interval, digit: Some(_), .. }) = self.even_clock() {
            let even = (0..self.times.len()).map(|index| start + index as f64 * interval);
            self.times = std::sync::Arc::new(even.collect());
        }
        self
    }
}

/// Returns the interval in s of the even clock that gives increasing times beside gaps, which are after the samples
/// with these indices: the slope of one line through all stretches if the intervals in the gaps can be counted, and of
/// parallel lines through each stretch if not. `None` where there is no gap, or the stretches are not even.
pub(super) fn interval_beside_gaps(times: &[f64], gaps: &[usize]) -> Option<f64> {
    let first = *times.first().filter(|_| !gaps.is_empty())?;
    let begins = [0].into_iter().chain(gaps.iter().map(|after| after + 1));
    let ends = gaps.iter().map(|after| after + 1).chain([times.len()]);
    let stretches: Vec<&[f64]> = begins.zip(ends).filter_map(|(begin, end)| times.get(begin..end)).collect();
    let (mut upper, mut lower) = (0.0, 0.0);
    for stretch in &stretches {
        let (above, below) = slope(stretch);
        (upper, lower) = (upper + above, lower + below);
    }
    if !(upper > 0.0 && lower > 0.0) {
        return None;
    }
    let apart = upper / lower;
    let spread_apart =
        |interval: f64| stretches.iter().map(|stretch| Line::with(stretch, interval).spread).fold(0.0, f64::max);
    let digit = last_digit(times);
    // rounding moves times by half a digit, and an interval longer than a digit is still even
    let most = |interval: f64| (2.0 * MAX_JITTER * interval).max(2.0 * MAX_ROUNDING * digit.min(interval));
    let spread = spread_apart(apart);
    if times.len() < MIN_TIMES || spread > most(apart) {
        return None;
    }
    // numbers of the samples, in which the gaps count as many as fit
    let error = spread / lower.sqrt();
    let mut numbers = Vec::with_capacity(times.len());
    let (mut number, mut is_counted) = (0.0, true);
    for (at, time) in times.iter().enumerate() {
        if let Some(before) = at.checked_sub(1).and_then(|before| times.get(before)) {
            let is_gap = gaps.binary_search(&(at - 1)).is_ok();
            let missed = ((time - before) / apart).round();
            is_counted &= !is_gap || missed * error < 0.25 * apart;
            number += if is_gap { missed } else { 1.0 };
        }
        numbers.push(number);
    }
    let count = times.len() as f64;
    let middle = numbers.iter().sum::<f64>() / count;
    let sums = numbers.iter().zip(times).fold((0.0, 0.0), |(upper, lower), (number, time)| {
        (upper + (number - middle) * (time - first), lower + (number - middle).powi(2))
    });
    let together = sums.0 / sums.1;
    let spread_together = |interval: f64| {
        let off = numbers.iter().zip(times).map(|(number, time)| time - first - number * interval);
        let (low, high) =
            off.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), off| (off.min(low), off.max(high)));
        high - low
    };
    let is_one = is_counted && spread_together(together) <= most(together);
    let (interval, length) = match is_one {
        true => (together, number),
        false => (apart, stretches.iter().map(|stretch| stretch.len()).max().unwrap_or(0) as f64),
    };
    let spread = |interval: f64| if is_one { spread_together(interval) } else { spread_apart(interval) };
    // an interval that is off by more moves the last time by more than a digit, or by more than it is off already
    let (own, rounding) = (spread(interval), digit * (1.0 + 1e-6));
    let limit = if own <= 2.0 * MAX_ROUNDING * digit { own.max(rounding) } else { own * (1.0 + 1e-6) };
    let fits = |other: &f64| spread(*other) <= limit;
    Some(shortest(interval, 1.5 * limit / length).find(fits).unwrap_or(interval))
}

/// Finds the even clock that gives these increasing times.
pub(super) fn even_clock(times: &[f64]) -> Option<EvenClock> {
    exact(times).or_else(|| nearly(times))
}

/// The clock of times that are equidistant to one millionth of the interval.
fn exact(times: &[f64]) -> Option<EvenClock> {
    let (&start, &last) = (times.first()?, times.last()?);
    let intervals = times.len().checked_sub(1).filter(|&n| n > 0)?;
    // fifteen digits: 1e-4 and not 9.999999999999999e-5
    let interval = rounded((last - start) / intervals as f64, 15);
    let far = |(i, &time): (usize, &f64)| (time - start - i as f64 * interval).abs();
    let deviation = times.iter().enumerate().map(far).fold(0.0, f64::max);
    (deviation <= 1e-6 * interval).then_some(EvenClock { start, interval, deviation, digit: None })
}

/// The clock of times that are off by their digits or by jitter.
fn nearly(times: &[f64]) -> Option<EvenClock> {
    /// Part of an interval by which times of an even clock may be off whatever the reason is: it is below what a sensor
    /// shows.
    const MAX_DEVIATION: f64 = 1e-3;
    /// Least mean square of the changes of the deviations, in the mean square of the deviations themselves, which is 2
    /// for jitter; it is near 0 for an interval that drifts.
    const MIN_CHANGE: f64 = 0.5;
    let line = Line::through(times)?;
    let close = line.deviation() <= MAX_DEVIATION * line.interval;
    let digit = last_digit(times);
    let is_rounded = times.len() >= MIN_TIMES
        && digit <= line.interval * (1.0 + 1e-9)
        && line.deviation() <= MAX_ROUNDING * digit
        && digit > 1e-6 * line.interval;
    let is_jittering = || {
        times.len() >= MIN_TIMES && line.deviation() < MAX_JITTER * line.interval && line.changes(times) >= MIN_CHANGE
    };
    if !(close || is_rounded || is_jittering()) || !inner_gaps(times).is_empty() {
        return None;
    }
    let simple = if is_rounded { line.simplest_rounded(times, digit) } else { None };
    let line = simple.unwrap_or_else(|| line.simplest(times));
    Some(EvenClock {
        start: line.start,
        interval: line.interval,
        deviation: line.deviation(),
        digit: is_rounded.then_some(digit),
    })
}

/// Returns the sums whose quotient is the slope of the line of least squares from indices to times.
fn slope(times: &[f64]) -> (f64, f64) {
    let first = times.first().copied().unwrap_or_default();
    let middle = times.len().saturating_sub(1) as f64 / 2.0;
    times.iter().enumerate().fold((0.0, 0.0), |(upper, lower), (index, time)| {
        let distance = index as f64 - middle;
        (upper + distance * (time - first), lower + distance * distance)
    })
}

/// A line from numbers of samples to times.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// Time of the first sample in s, in the middle of what the times permit.
    start: f64,
    interval: f64,
    /// Length in s of the range of the deviations.
    spread: f64,
    /// Root mean square of the deviations in s.
    rms: f64,
}

impl Line {
    /// The line of least squares.
    fn through(times: &[f64]) -> Option<Self> {
        let (upper, lower) = slope(times);
        (lower > 0.0 && upper > 0.0).then(|| Self::with(times, upper / lower))
    }

    /// The line with this interval.
    fn with(times: &[f64], interval: f64) -> Self {
        let first = times.first().copied().unwrap_or_default();
        let off = || times.iter().enumerate().map(|(index, time)| time - first - index as f64 * interval);
        let (low, high, sum, squares) = off()
            .fold((f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0), |(low, high, sum, squares), off| {
                (off.min(low), off.max(high), sum + off, squares + off * off)
            });
        let count = times.len() as f64;
        let mean = sum / count;
        let rms = (squares / count - mean * mean).max(0.0).sqrt();
        Self { start: first + 0.5 * (low + high), interval, spread: high - low, rms }
    }

    /// Largest distance of a time from the line in s.
    fn deviation(&self) -> f64 {
        0.5 * self.spread
    }

    /// Mean square of the changes of the deviations, in the mean square of the deviations.
    fn changes(&self, times: &[f64]) -> f64 {
        let steps = times.windows(2).map(|pair| (pair[1] - pair[0] - self.interval).powi(2)).sum::<f64>();
        steps / ((times.len() - 1) as f64 * self.rms * self.rms)
    }

    /// The line with the shortest interval or rate, in digits, that gives these times when its own are rounded.
    fn simplest_rounded(&self, times: &[f64], digit: f64) -> Option<Self> {
        // an interval that is off by more moves the last time by more than a digit
        let most = 1.5 * digit / times.len() as f64;
        shortest(self.interval, most)
            .map(|interval| Self::with(times, interval))
            .find(|line| line.spread <= digit * (1.0 + 1e-6))
    }

    /// The line with the shortest interval or rate, in digits, that is as good as this one.
    fn simplest(self, times: &[f64]) -> Self {
        let uncertain = 2.0 * self.rms * 12.0_f64.sqrt() / (times.len() as f64).powf(1.5);
        shortest(self.interval, uncertain).next().map_or(self, |interval| Self::with(times, interval))
    }
}

/// Intervals, and those of rates, that are at most `most` from this one, those with few digits first.
fn shortest(interval: f64, most: f64) -> impl Iterator<Item = f64> {
    let near = move |other: &f64| (other - interval).abs() <= most;
    (1..=15).flat_map(move |digits| [rounded(interval, digits), 1.0 / rounded(1.0 / interval, digits)]).filter(near)
}

/// Rounds to so many digits.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// The last digit in s of the largest of these times, which have as many digits as the one with most of them.
fn last_digit(times: &[f64]) -> f64 {
    /// Number of stamps, spread over all, whose digits are looked at.
    const EXAMINED_STAMPS: usize = 4096;
    let looked_at = times.iter().step_by(times.len() / EXAMINED_STAMPS + 1).filter(|time| **time != 0.0);
    let digits = |time: &f64| {
        // fifteen digits: a number of ms in s has an error after them
        let text = format!("{:.14e}", time.abs());
        text.split('e').next().map_or(1, |mantissa| mantissa.trim_end_matches('0').len().saturating_sub(1))
    };
    let most = looked_at.map(digits).max().unwrap_or(1).max(1);
    let largest = times.iter().fold(0.0_f64, |largest, time| largest.max(time.abs()));
    let places = largest.log10().floor() + 1.0 - most as f64;
    10_f64.powf(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic numbers from 0 to 1, different for each seed.
    fn evenly(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / 2f64.powi(53)
        }
    }

    fn to_digit(time: f64, digit: f64) -> f64 {
        ((time / digit).round() * digit * 1e12).round() / 1e12
    }

    #[test]
    fn rounded_stamps_have_the_rate_of_their_clock() {
        let rates = [
            80.0,
            128.0,
            300.0,
            512.0,
            610.35,
            1000.0 / 3.0,
            1024.0,
            2048.0,
            3004.8,
            3000.0,
            3125.0,
            6400.0,
            12_800.0,
            25_600.0,
            44_100.0,
            51_200.0,
        ];
        for seed in 0..25 {
            let mut even = evenly(seed);
            for rate in rates {
                for places in 2..9 {
                    let digit = 10_f64.powi(-places);
                    if digit * rate > 0.9 {
                        continue;
                    }
                    let (start, count) = (10.0 * even(), 200 + (2000.0 * even()) as usize);
                    let times: Vec<f64> = (0..count).map(|i| to_digit(start + i as f64 / rate, digit)).collect();
                    let clock = even_clock(&times).unwrap_or_else(|| panic!("{rate} Hz, {digit} s, seed {seed}"));
                    let error = clock.interval * rate - 1.0;
                    // what rounding leaves open over the whole record
                    let open = digit * rate / count as f64;
                    assert!(error.abs() <= 1.5 * open + 1e-12, "{rate} Hz, {digit} s: {error:e} {open:e}");
                    let last = clock.start + (count - 1) as f64 * clock.interval;
                    let expected = start + (count - 1) as f64 / rate;
                    assert!((last - expected).abs() <= 1.2 * digit, "{rate} Hz, {digit} s, seed {seed}");
                }
            }
        }
    }

    #[test]
    fn rates_of_few_digits_are_found_exactly() {
        for (rate, places, count) in [(25_600.0, 6, 2000), (3000.0, 4, 5000), (3125.0, 4, 400), (51_200.0, 5, 20_000)] {
            let times: Vec<f64> = (0..count).map(|i| to_digit(f64::from(i) / rate, 10_f64.powi(-places))).collect();
            let clock = even_clock(&times).unwrap();
            assert!((clock.interval * rate - 1.0).abs() < 1e-12, "{rate}: {}", 1.0 / clock.interval);
            assert_eq!(clock.digit, Some(10_f64.powi(-places)));
            let even = Record::new(times).unwrap().with_times_of_clock();
            assert!(
                even.times().iter().enumerate().all(|(i, t)| (t - i as f64 / rate).abs() < 0.6 * 10_f64.powi(-places))
            );
        }
        // four digits of each number, so that the first ones have more decimals
        let times: Vec<f64> =
            (0..400).map(|i| format!("{:.3e}", -0.064 + 3.2e-4 * f64::from(i)).parse().unwrap()).collect();
        assert!((even_clock(&times).unwrap().interval / 3.2e-4 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn gaps_leave_the_rate_of_rounded_stamps() {
        for seed in 0..20 {
            let mut even = evenly(seed);
            for (rate, places) in
                [(3004.8, 4), (25_600.0, 6), (44_100.0, 5), (2048.0, 4), (6.9, 2), (2048.0, 9), (610.35, 3)]
            {
                let digit = 10_f64.powi(-places);
                let count = 2000 + (4000.0 * even()) as usize;
                let mut times: Vec<f64> = (0..count).map(|i| to_digit(i as f64 / rate, digit)).collect();
                for _ in 0..1 + seed % 3 {
                    let at = 300 + ((times.len() - 600) as f64 * even()) as usize;
                    times.drain(at..at + 5 + (100.0 * even()) as usize);
                }
                let record = Record::new(times).unwrap();
                let found = record.interval_beside_gaps().unwrap();
                // what rounding leaves open over the whole record
                let open = 1.5 * digit * rate / count as f64;
                assert!(record.interval().is_none() && (found * rate - 1.0).abs() < open, "{rate} Hz: {}", 1.0 / found);
            }
        }
        // two rates have no common interval
        let mut times: Vec<f64> = (0..500).map(|i| f64::from(i) * 0.01).collect();
        times.extend((0..500).map(|i| 20.0 + f64::from(i) * 0.013));
        assert_eq!(Record::new(times).unwrap().interval_beside_gaps(), None);
    }

    #[test]
    fn small_jitter_is_one_clock() {
        for seed in 0..25 {
            let mut even = evenly(seed);
            for jitter in [1.5e-6, 3e-5, 1e-3, 1e-2, 0.1, 0.2] {
                let times: Vec<f64> =
                    (0..2000).map(|i| 1e-3 * (f64::from(i) + 0.9 * jitter * (2.0 * even() - 1.0))).collect();
                let clock = even_clock(&times).unwrap_or_else(|| panic!("{jitter}, seed {seed}"));
                assert!((clock.interval / 1e-3 - 1.0).abs() < 1e-4 * jitter, "{jitter}: {}", clock.interval);
            }
        }
    }

    #[test]
    fn what_is_no_even_clock() {
        for seed in 0..25 {
            let mut even = evenly(seed);
            let mut walk = |step: f64, digit: f64| {
                let mut time = 0.0;
                let mut times: Vec<f64> = Vec::new();
                for _ in 0..1000 {
                    times.push(to_digit(time, digit));
                    time += 1e-2 * (1.0 + step * (2.0 * even() - 1.0));
                }
                times
            };
            // intervals of their own, exact and rounded
            assert_eq!(even_clock(&walk(0.3, 1e-9)), None, "{seed}");
            assert_eq!(even_clock(&walk(0.3, 1e-3)), None, "{seed}");
            // one missing sample
            for digit in [1e-9, 1e-4, 1e-3] {
                let mut times: Vec<f64> = (0..1000).map(|i| to_digit(f64::from(i) / 300.0, digit)).collect();
                times.remove(5 + (990.0 * even()) as usize);
                assert_eq!(even_clock(&times), None, "{seed} {digit}");
            }
            // an interval that grows by half a percent
            let drift = |i: i32| 1e-3 * (f64::from(i) + 2.5e-6 * f64::from(i * i));
            assert_eq!(even_clock(&(0..1000).map(drift).collect::<Vec<_>>()), None);
            assert_eq!(even_clock(&(0..300).map(drift).collect::<Vec<_>>()), None);
        }
        assert_eq!(even_clock(&[0.0, 0.1, 0.3]), None);
        assert_eq!(even_clock(&[0.0, 0.1, 0.2, 0.4, 0.5]), None);
        assert_eq!(even_clock(&[0.0]), None);
        let exact: Vec<f64> = (0..1000).map(|i| f64::from(i) * 1e-4).collect();
        assert_eq!(even_clock(&exact).map(|clock| (clock.interval, clock.digit)), Some((1e-4, None)));
    }
}
