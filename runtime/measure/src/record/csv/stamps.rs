//! Judges the times of a file: stamps with too few digits, and units that are unusual.

use super::clock::DAY;
use super::taken::Doubt;

/// Returns the value in s of the last digit in these cells; `None` for numbers in other notations.
pub fn last_digit<'a>(cells: impl Iterator<Item = &'a String>, seconds: f64) -> Option<f64> {
    let mut places = None;
    for cell in cells {
        if cell.contains(['e', 'E']) {
            return None;
        }
        let behind = cell
            .rfind(['.', ','])
            .map_or(0, |at| cell.get(at + 1..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count());
        places = places.max(Some(behind));
    }
    let places = i32::try_from(places?).ok()?;
    Some(seconds / 10_f64.powi(places))
}

/// Replaces times that repeat by those of an even clock, if all are what such a clock gives when its times are cut to
/// multiples of `digit` in s; `None` if they are not, or too few repeat.
pub fn even_clock(times: &mut [f64], repeated: usize, digit: Option<f64>) -> Option<Doubt> {
    /// Least number of repeated times that are taken for stamps with too few digits: fewer may be samples that are in a
    /// file twice.
    const MIN_REPEATED: usize = 3;
    let digit = digit.filter(|_| repeated >= MIN_REPEATED)?;
    let (first, last) = (*times.first()?, *times.last()?);
    let count = times.len() - 1;
    // stamps of an even clock rise by whole digits that differ by one at most
    let steps = || times.windows(2).filter_map(|pair| Some((pair.last()? - pair.first()?) / digit));
    if steps().fold(0.0, f64::max) - steps().fold(f64::INFINITY, f64::min) > 1.01 {
        return None;
    }
    let middle = |range: std::ops::Range<usize>| -> Option<(f64, f64)> {
        let part = times.get(range.clone())?;
        let length = part.len() as f64;
        let index = (range.start + range.end - 1) as f64 / 2.0;
        Some((index, part.iter().map(|time| time - first).sum::<f64>() / length))
    };
    let third = times.len() / 3;
    let (a, b) = (middle(0..third)?, middle(times.len() - third..times.len())?);
    let slope = [fitted_slope(times)?, (b.1 - a.1) / (b.0 - a.0), (last - first) / count as f64];
    let mut best: Option<(f64, f64, f64)> = None;
    for interval in slope.into_iter().filter(|interval| *interval > 0.0 && interval.is_finite()) {
        let deviations = || times.iter().enumerate().map(|(i, time)| time - first - i as f64 * interval);
        let (low, high) = (deviations().fold(f64::INFINITY, f64::min), deviations().fold(f64::NEG_INFINITY, f64::max));
        if best.is_none_or(|(_, low_of, high_of)| high - low < high_of - low_of) {
            best = Some((interval, low, high));
        }
    }
    let (interval, low, high) = best?;
    if high - low > 1.2 * digit {
        return None;
    }
    let (begin, deviation) = (first + 0.5 * (low + high), 0.5 * (high - low));
    let even = |index: usize| begin + index as f64 * interval;
    if !(0..count).all(|index| even(index) < even(index + 1)) {
        return None;
    }
    times.iter_mut().enumerate().for_each(|(index, time)| *time = even(index));
    Some(Doubt::Stamps { repeated, digit, interval, deviation })
}

/// Returns the slope of the line through these times that has the least squares.
fn fitted_slope(times: &[f64]) -> Option<f64> {
    let (first, middle) = (*times.first()?, (times.len() - 1) as f64 / 2.0);
    let sums = times.iter().enumerate().fold((0.0, 0.0), |(upper, lower), (index, time)| {
        let distance = index as f64 - middle;
        (upper + distance * (time - first), lower + distance * distance)
    });
    (sums.1 > 0.0).then_some(sums.0 / sums.1)
}

/// Sampling intervals of mechanical records in s: times that give others are questioned, if they give one of these in
/// another unit.
const USUAL: std::ops::Range<f64> = 5e-5..2.0;

/// Checks whether a mechanical record may have this sampling interval in s.
pub fn is_usual(interval: f64) -> bool {
    (MIN_USUAL..USUAL.end).contains(&interval)
}

/// Shortest sampling interval in s of a mechanical record.
const MIN_USUAL: f64 = 1e-7;

/// Shortest interval in s that is questioned where no file says that times are in s: a clock of 1 kHz counts 0, 1, 2 ..
/// in ms. The part of a thousandth is for jitter.
const MIN_ASSUMED: f64 = 0.999;

/// Units of the times of records in s.
const FACTORS: [(&str, f64); 4] = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];

/// Doubts the unit of times if a sample follows in a small part of a unit other than seconds or in more than seconds,
/// or in one where the seconds are assumed, and another unit would make that usual. The `first` time is that in the
/// file.
///
/// A stated rate that the times have answers the doubt; one that they have in another unit than the assumed one is a
/// reason for it.
pub fn unusual(times: &[f64], first: f64, column: &str, (unit, assumed): (&str, bool), rates: &[f64]) -> Option<Doubt> {
    /// First times in days that spreadsheets write: the years from 1982 to 2091, counted from 1900.
    const DATES: std::ops::Range<f64> = 30_000.0..70_000.0;
    /// Shortest interval in the unit of the times, such as ms, below which they are questioned likewise.
    const MIN_INTERVAL: f64 = 0.05;
    let mut steps: Vec<f64> =
        times.windows(2).take(4096).filter_map(|pair| Some(pair.last()? - pair.first()?)).collect();
    let middle = steps.len() / 2;
    let few = steps.len() < 8;
    if steps.is_empty() {
        return None;
    }
    let interval = *steps.select_nth_unstable_by(middle, f64::total_cmp).1;
    let (_, own) = FACTORS.iter().find(|(name, _)| *name == unit)?;
    let duration = times.last()? - times.first()?;
    let doubt = |other: &'static str, stated: Option<f64>| {
        let (column, unit) = (column.to_owned(), unit.to_owned());
        Doubt::TimeUnit { column, unit, assumed, interval, duration, stated, other }
    };
    if has_rate(interval, rates).is_some() {
        return None;
    }
    let stated = FACTORS.iter().find_map(|(name, other)| Some((*name, has_rate(interval / own * other, rates)?)));
    if let Some((other, rate)) = stated.filter(|_| assumed) {
        return Some(doubt(other, Some(rate)));
    }
    let is_date = assumed && (DATES.contains(&first) || interval < MIN_USUAL);
    if is_date && !few && USUAL.contains(&(interval * DAY)) {
        return Some(doubt("d", None));
    }
    let longest = if assumed { MIN_ASSUMED } else { USUAL.end };
    let (is_short, is_long) = (unit != "s" && interval / own < MIN_INTERVAL, interval >= longest);
    // the nearest unit that makes the interval usual
    let mut others = FACTORS.iter().filter(|(_, other)| USUAL.contains(&(interval / own * other)));
    let (other, _) = match (is_short, is_long) {
        (true, _) => others.find(|(_, other)| other > own)?,
        (_, true) => others.rfind(|(_, other)| other < own)?,
        _ => return None,
    };
    (!few).then(|| doubt(other, None))
}

/// Returns the stated rate in Hz that goes with this interval in s.
pub fn has_rate(interval: f64, rates: &[f64]) -> Option<f64> {
    /// Part by which a stated rate may be off.
    const MAX_DEVIATION: f64 = 0.01;
    rates.iter().copied().find(|rate| (interval * rate - 1.0).abs() < MAX_DEVIATION)
}
