//! Comparison of a measured signal with the computed one: scale, sign, offset, shift in time, and the time until which
//! both are in phase.

use serde::Serialize;

use crate::residuals::channel::Residuals;

/// Correlation from which on a part of the signals counts as in phase; of sines, a lag of an eighth of a period.
const MIN_CORRELATION_IN_PHASE: f64 = 0.7;

/// Correlation below which a part of the signals counts as out of phase; of sines, a lag of a sixth of a period.
const MAX_CORRELATION_OUT_OF_PHASE: f64 = 0.5;

/// Correlation, of one sign, from which on a beginning of the signals shows their ratio.
const MIN_CORRELATION_OF_RATIO: f64 = 0.8;

/// Crossings of the mean in a part of which the phase is judged: two periods.
const CROSSINGS_OF_PART: usize = 4;

/// Crossings of the mean in the shortest beginning that shows a ratio: one and a half periods, as any two slow curves
/// look alike for a while.
const MIN_CROSSINGS_OF_RATIO: usize = 3;

/// Change that counts as a crossing, in standard deviations of the signal, so that noise crosses nothing.
const CROSSING_HYSTERESIS: f64 = 0.4;

/// Fewest samples whose correlation means something.
const MIN_SAMPLES: usize = 20;

/// Regression of measured on computed values: measured = slope computed + offset.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Regression {
    /// The slope; 1 for a right fit.
    pub slope: f64,
    /// The offset, in the channel's unit; 0 for a right fit.
    pub offset: f64,
    /// The correlation coefficient of measured and computed values.
    pub correlation: f64,
}

impl Regression {
    /// Computes the regression of these samples; `None` where one of the signals is constant but for rounding.
    pub fn of(measured: &[f64], computed: &[f64]) -> Option<Self> {
        let count = measured.len().min(computed.len()) as f64;
        let means = (mean(measured), mean(computed));
        let (mut yy, mut ss, mut ys) = (0.0, 0.0, 0.0);
        for (y, s) in measured.iter().zip(computed) {
            let (y, s) = (y - means.0, s - means.1);
            (yy, ss, ys) = (yy + y * y, ss + s * s, ys + y * s);
        }
        // rounding of the means leaves this much of constant signals
        let is_constant = |squares: f64, mean: f64| squares <= count * (1e-12 * mean).powi(2);
        if is_constant(yy, means.0) || is_constant(ss, means.1) {
            return None;
        }
        let slope = ys / ss;
        let all = Self { slope, offset: means.0 - slope * means.1, correlation: ys / (yy.sqrt() * ss.sqrt()) };
        [all.slope, all.offset, all.correlation].iter().all(|value| value.is_finite()).then_some(all)
    }

    /// Computes the regression of measured values on those that are computed `lag` samples before, or after for a
    /// negative lag; `None` where the lag is longer than the signals, and as [`of`](Self::of).
    pub fn shifted(measured: &[f64], computed: &[f64], lag: isize) -> Option<Self> {
        let (y, s) = overlap(measured, computed, lag)?;
        Self::of(y, s)
    }
}

/// The phase of a computed signal against the measured one, in parts of two periods of the measured signal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Phase {
    /// Time in s of the first sample.
    pub from: f64,
    /// Time in s until which both are in phase, from the first sample on; the time of the first sample if they never
    /// are.
    pub until: f64,
    /// Time in s at which the first two periods end.
    pub two_periods: f64,
    /// Share of the time in which they are out of phase.
    pub lost: f64,
}

/// A shift in time after which measured and computed values agree.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Shift {
    /// Time in s by which the measured values follow the computed ones.
    pub delay: f64,
    /// The correlation coefficient of the shifted values.
    pub correlation: f64,
}

/// Comparison of a measured signal with the computed one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// Regression of all samples.
    pub all: Regression,
    /// Regression of the longest beginning, of one and a half periods or more, in which the correlation is 0.8 or more,
    /// of either sign: that of all samples, if these are so correlated. `None` without one.
    pub beginning: Option<Regression>,
    /// The phase; `None` for a signal of fewer than two periods.
    pub phase: Option<Phase>,
    /// The shift in time that explains far more than a ratio does; `None` without one, or where values agree as they
    /// are.
    pub shift: Option<Shift>,
    /// Standard deviation of the measured values over that of the computed ones: a ratio that needs no phase.
    pub size_ratio: f64,
    /// Share of the mean square of the residuals that their mean has.
    pub mean_share: f64,
}

/// Compares the measured values with the computed ones, which are the sums of measured values and residuals. `None` for
/// fewer than 20 samples, or where one of the signals is constant.
pub fn agreement(residuals: &Residuals) -> Option<Agreement> {
    let (times, measured) = (residuals.times(), residuals.measured());
    if times.len() < MIN_SAMPLES {
        return None;
    }
    let computed: Vec<f64> = measured.iter().zip(residuals.values()).map(|(y, r)| y + r).collect();
    let all = Regression::of(measured, &computed)?;
    let crossings = crossings(measured);
    let beginning = beginning(all, &crossings, measured, &computed);
    let squares: f64 = residuals.values().iter().map(|r| r * r).sum();
    let offset = mean(residuals.values());
    Some(Agreement {
        all,
        size_ratio: all.slope.abs() / all.correlation.abs().max(f64::MIN_POSITIVE),
        beginning,
        shift: shift(times, measured, &computed, beginning.unwrap_or(all)),
        phase: phase(times, &crossings, measured, &computed),
        mean_share: if squares > 0.0 { offset * offset * times.len() as f64 / squares } else { 0.0 },
    })
}

/// Returns the mean period of a signal, in the unit of its times; `None` for fewer than three crossings of its mean.
pub fn mean_period(times: &[f64], signal: &[f64]) -> Option<f64> {
    let crossings = crossings(signal);
    let (first, last) = (times.get(*crossings.first()?)?, times.get(*crossings.last()?)?);
    (crossings.len() > 2).then(|| 2.0 * (last - first) / (crossings.len() - 1) as f64)
}

/// Returns the samples at which the signal crosses its mean, from one side beyond the hysteresis to the other.
fn crossings(signal: &[f64]) -> Vec<usize> {
    let mean = mean(signal);
    let variance = signal.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / signal.len().max(1) as f64;
    let limit = CROSSING_HYSTERESIS * variance.sqrt();
    let (mut side, mut found) = (0.0, Vec::new());
    for (sample, y) in signal.iter().enumerate() {
        let above = y - mean;
        if above.abs() > limit && above.signum() != side {
            if side != 0.0 {
                found.push(sample);
            }
            side = above.signum();
        }
    }
    found
}

/// Returns the regression of the longest beginning that shows a ratio.
fn beginning(all: Regression, crossings: &[usize], measured: &[f64], computed: &[f64]) -> Option<Regression> {
    if all.correlation.abs() >= MIN_CORRELATION_OF_RATIO {
        return Some(all);
    }
    let ends = crossings.iter().skip(MIN_CROSSINGS_OF_RATIO - 1).rev();
    let regressions = ends.filter(|end| **end >= MIN_SAMPLES);
    let mut regressions = regressions.filter_map(|&end| Regression::of(measured.get(..end)?, computed.get(..end)?));
    regressions.find(|regression| regression.correlation.abs() >= MIN_CORRELATION_OF_RATIO)
}

/// Returns the measured values, and those that are computed `lag` samples before them.
fn overlap<'a>(measured: &'a [f64], computed: &'a [f64], lag: isize) -> Option<(&'a [f64], &'a [f64])> {
    let (y, s) = (measured.get(lag.max(0).unsigned_abs()..)?, computed.get(lag.min(0).unsigned_abs()..)?);
    let count = y.len().min(s.len());
    Some((&y[..count], &s[..count]))
}

/// Returns the shift, by half the record at most, with which the computed values are the measured ones, in size as
/// well, and leave less than half of what other shifts and the best ratio, `known`, leave.
fn shift(times: &[f64], measured: &[f64], computed: &[f64], known: Regression) -> Option<Shift> {
    /// Correlation from which on a shift explains a signal.
    const MIN_CORRELATION_OF_SHIFT: f64 = 0.995;
    /// Crossings of the mean in what is compared: a period.
    const MIN_CROSSINGS_OF_SHIFT: usize = 2;
    /// Ratio of sizes, or its inverse, that no wrong unit leaves.
    const MAX_SIZE_RATIO: f64 = 1.25;
    /// Samples that are compared at most, of longer records every second, third ..
    const MAX_SAMPLES: usize = 500;
    let ((first, last), count) = ((*times.first()?, *times.last()?), times.len());
    let interval = (last - first) / (count - 1) as f64;
    let is_even = times.iter().enumerate().all(|(k, time)| (time - first - k as f64 * interval).abs() < interval);
    if known.correlation > MIN_CORRELATION_IN_PHASE || !is_even {
        return None;
    }
    let every = count.div_ceil(MAX_SAMPLES);
    let [y, s] = [measured, computed].map(|of| of.iter().step_by(every).copied().collect::<Vec<f64>>());
    let by = |lag: isize| {
        let (part, computed) = overlap(&y, &s, lag)?;
        let found = Regression::of(part, computed)?;
        let is_alike = (MAX_SIZE_RATIO.recip()..MAX_SIZE_RATIO).contains(&found.slope);
        let crosses = crossings(part).len() >= MIN_CROSSINGS_OF_SHIFT;
        let delay = lag as f64 * every as f64 * interval;
        (is_alike && crosses).then_some(Shift { delay, correlation: found.correlation })
    };
    let most = y.len() as isize / 2;
    let all: Vec<Shift> = (-most..=most).filter_map(by).collect();
    let best = *all.iter().max_by(|a, b| a.correlation.total_cmp(&b.correlation))?;
    let beside = 0.5 * (last - first) / crossings(measured).len().max(1) as f64;
    // a sine is shifted by any number of periods
    let others = all.iter().filter(|one| (one.delay - best.delay).abs() > beside);
    let left = 1.0 - others.fold(known.correlation.abs(), |most, one| most.max(one.correlation));
    (best.correlation > MIN_CORRELATION_OF_SHIFT && 1.0 - best.correlation < 0.5 * left).then_some(best)
}

/// Judges the phase of parts of two periods each.
fn phase(times: &[f64], crossings: &[usize], measured: &[f64], computed: &[f64]) -> Option<Phase> {
    let (first, last) = (*times.first()?, *times.last()?);
    let mut ends: Vec<usize> =
        crossings.iter().copied().skip(CROSSINGS_OF_PART - 1).step_by(CROSSINGS_OF_PART).collect();
    let two_periods = times[*ends.first()?];
    // what is left belongs to the last part
    *ends.last_mut()? = times.len();
    let (mut begin, mut until, mut lost, mut is_kept) = (0, first, 0.0, true);
    for end in ends {
        let (y, s) = (measured.get(begin..end)?, computed.get(begin..end)?);
        // where nothing is computed, nothing is in phase
        let correlation = Regression::of(y, s).map_or(0.0, |regression| regression.correlation);
        let (from, to) = (times[begin], times.get(end).copied().unwrap_or(last));
        is_kept &= correlation >= MIN_CORRELATION_IN_PHASE;
        if is_kept {
            until = to;
        }
        if correlation < MAX_CORRELATION_OUT_OF_PHASE {
            lost += to - from;
        }
        begin = end;
    }
    Some(Phase { from: first, until, two_periods, lost: lost / (last - first) })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares two functions of the time over 10 s, 500 samples, with a little noise.
    fn compared(measured: fn(f64) -> f64, computed: fn(f64) -> f64) -> Agreement {
        let times: Vec<f64> = (0..500).map(|j| f64::from(j) * 0.02).collect();
        let mut state = 5_u64;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            0.02 * ((state >> 40) as f64 / (1 << 24) as f64 - 0.5)
        };
        let y: Vec<f64> = times.iter().map(|&t| measured(t) + noise()).collect();
        let r: Vec<f64> = times.iter().zip(&y).map(|(&t, y)| computed(t) - y).collect();
        agreement(&Residuals::new("x", &times, &r, &y).unwrap()).unwrap()
    }

    #[test]
    fn the_regression_of_a_line_is_the_line() {
        let found = Regression::of(&[1.0, 3.0, 5.0, 7.0], &[0.0, 1.0, 2.0, 3.0]).unwrap();
        assert_eq!((found.slope, found.offset), (2.0, 1.0));
        assert!((found.correlation - 1.0).abs() < 1e-12);
        assert_eq!(Regression::of(&[0.1; 5], &[0.0, 1.0, 2.0, 3.0, 4.0]), None);
    }

    #[test]
    fn ratio_sign_and_offset_are_told() {
        let found = compared(|t| (6.0 * t).sin() / 9.81, |t| (6.0 * t).sin());
        assert!((found.all.slope - 1.0 / 9.81).abs() < 0.002, "{found:?}");
        let found = compared(|t| -(6.0 * t).sin(), |t| (6.0 * t).sin());
        assert!(found.all.slope < -0.99 && found.all.correlation < -0.99, "{found:?}");
        let found = compared(|t| (6.0 * t).sin() + 0.5, |t| (6.0 * t).sin());
        assert!(found.mean_share > 0.99 && (found.all.offset - 0.5).abs() < 0.01, "{found:?}");
    }

    /// A free motion whose frequency falls with its size, and one that begins 1.3 s later.
    #[test]
    fn a_record_that_begins_late_is_shifted() {
        fn free(t: f64) -> f64 {
            (-0.15 * t).exp() * (6.0 * t + 4.0 * (1.0 - (-0.3 * t).exp())).cos()
        }
        let late = compared(|t| free(t + 1.3), free).shift.unwrap();
        assert!((late.delay + 1.3).abs() < 0.021 && late.correlation > 0.99, "{late:?}");
        let early = compared(free, |t| free(t + 1.3)).shift.unwrap();
        assert!((early.delay - 1.3).abs() < 0.021, "{early:?}");
        for other in [compared(free, free), compared(|t| -free(t), free), compared(|t| 0.1 * free(t), free)] {
            assert_eq!(other.shift, None, "{other:?}");
        }
        // a sine of the other sign is one that is half a period late
        assert_eq!(compared(|t| -(6.0 * t).sin(), |t| (6.0 * t).sin()).shift, None);
    }

    /// Two frequencies differ by 0.6 rad/s: they are an eighth of a period apart after pi/4/0.6 = 1.3 s, and out of
    /// phase over the middle of the beat of 10.5 s.
    #[test]
    fn the_phase_is_lost_where_frequencies_differ() {
        let found = compared(|t| (10.0 * t).sin(), |t| 0.3 * (10.6 * t).sin());
        let phase = found.phase.unwrap();
        assert!((0.7..2.7).contains(&phase.until) && phase.lost > 0.5, "{phase:?}");
        let beginning = found.beginning.unwrap();
        assert!((beginning.slope * 0.3 - 1.0).abs() < 0.25, "{beginning:?}");
        // the same frequency in another size keeps the phase
        let phase = compared(|t| (10.0 * t).sin(), |t| 0.3 * (10.0 * t).sin()).phase.unwrap();
        assert_eq!((phase.until, phase.lost), (9.98, 0.0));
        // nothing is computed
        assert_eq!(compared(|t| (10.0 * t).sin(), |t| (-20.0 * t).exp()).phase.unwrap().until, 0.0);
        // a slow motion has no phase
        assert_eq!(compared(|t| t, |t| 2.0 * t).phase, None);
    }
}
