//! Two recorders on one clock, by the correlation of a channel that both have measured.

use std::fmt;

use costate_contract::shown::Shown;
use costate_numerics::fourier::{Complex, Transform};

use crate::record::Record;
use serde::Serialize;

use crate::signal::SignalError;
use crate::signal::detrend::line;
use crate::signal::error::positive;
use crate::signal::kernel::{MAX_CORNER, value_at};
use crate::signal::uniform::uniform;

/// Least correlation of two recordings of one motion.
const MIN_CORRELATION: f64 = 0.3;

/// Delay and rate of a second recorder's clock against those of a first.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Synchronisation {
    /// The time in s that the second recorder shows more than the first, at the time 0 of the first.
    pub delay: f64,
    /// Standard deviation of the delay in s, in the middle of the parts of the record that show it.
    pub deviation: f64,
    /// Rate of the second clock relative to the first, minus 1.
    pub drift: f64,
    /// Standard deviation of the drift; infinite where the records are too short to show one, which is 0 then.
    pub drift_deviation: f64,
    /// Correlation at the best delay, over the whole record.
    pub correlation: f64,
    /// Correlation at the next best delay.
    pub second_correlation: f64,
    /// Number of parts of the record whose own delays were found.
    pub parts: usize,
}

impl fmt::Display for Synchronisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { delay, deviation, drift, drift_deviation, correlation, second_correlation, parts } = self;
        write!(f, "delay {} +/- {} s, ", Shown(*delay), Shown(*deviation))?;
        match drift_deviation.is_finite() {
            true => write!(
                f,
                "clock drift {} +/- {} ppm from {parts} parts",
                Shown(1e6 * drift),
                Shown(1e6 * drift_deviation)
            )?,
            false => f.write_str("clock drift not known (the record is too short, or active in one part only)")?,
        }
        write!(f, "; correlation {}, next best {}", Shown(*correlation), Shown(*second_correlation))
    }
}

impl Synchronisation {
    /// Moves the times of a record of the second recorder to the clock of the first: `(t - delay)/(1 + drift)`. Samples
    /// stay what they are.
    ///
    /// # Errors
    /// [`SignalError::Record`] for times that the move makes equal.
    pub fn apply(&self, second: &Record) -> Result<Record, SignalError> {
        let times = second.times().iter().map(|time| (time - self.delay) / (1.0 + self.drift)).collect();
        let channel = |channel: &crate::record::Channel| {
            (channel.name().to_owned(), channel.unit().map(str::to_owned), channel.values().to_vec())
        };
        Ok(second.with_times(times, second.channels().iter().map(channel).collect())?)
    }
}

/// Finds delay and drift of the clock of a second recorder by a channel that both have measured, with delays up to
/// `longest` s (infinite for all that leave a quarter of the shorter record). The channel of the second recorder is
/// brought to the interval of the first, and both are freed from their means; their signs must agree.
///
/// The delay of the best correlation over the whole record is refined in parts of it, and a line through the delays of
/// the parts is delay and drift; the deviations are the larger ones of the scatter about the line and of what the
/// misfit explains. A drift so large that the two lose each other over the record lowers the correlation: cut the
/// record, then.
///
/// In a fit, an error of the delay is one of all phases. Where the deviation is more than a thousandth of the shortest
/// period of interest, give one record an unknown `delay`.
///
/// # Errors
/// [`SignalError::Unrelated`] for a correlation below 0.3, [`SignalError::Ambiguous`] where another delay has more than
/// 0.8 of the best correlation, with less than twice the misfit; [`SignalError::Record`], [`SignalError::Uneven`],
/// [`SignalError::Missing`], [`SignalError::Short`], [`SignalError::Number`].
pub fn synchronisation(
    first: (&Record, &str),
    second: (&Record, &str),
    longest: f64,
) -> Result<Synchronisation, SignalError> {
    /// Another delay is as likely if its correlation exceeds this part of the best one.
    const LIKELY_CORRELATION: f64 = 0.8;
    /// Another delay is as likely if its misfit is less than this many times that of the best one as well.
    const LIKELY_MISFIT: f64 = 2.0;
    let is_length = longest > 0.0;
    if !is_length {
        positive("the longest delay", longest, "give it in s")?;
    }
    let [x, y] =
        [uniform(first.0, first.1, "a synchronisation", 16)?, uniform(second.0, second.1, "a synchronisation", 16)?];
    let (h, ratio) = (x.interval, x.interval / y.interval);
    let samples = ((y.values.len() - 1) as f64 / ratio * (1.0 + 1e-12)).floor() + 1.0;
    if !(16.0..134_217_728.0).contains(&samples) {
        return Err(SignalError::short(second.0.name(), "a synchronisation", samples.max(0.0) as usize, 16));
    }
    let corner = MAX_CORNER * (1.0 / ratio).min(1.0);
    let at = |k: usize| {
        if (ratio - 1.0).abs() < 1e-12 {
            y.values.get(k).copied().unwrap_or(0.0)
        } else {
            value_at(y.values, k as f64 * ratio, corner)
        }
    };
    let moved = centred((0..samples as usize).map(at).collect());
    let pair = Pair { x: centred(x.values.to_vec()), y: moved };
    let begin = y.start - x.start;
    let found = pair.best(|lag| (lag as f64 * h + begin).abs() <= longest);
    let names = || (first.1.to_owned(), second.1.to_owned());
    let time = |lag: i64| lag as f64 * h + begin;
    let (best, next) = (found.0, found.1);
    if best.correlation.is_nan() || best.correlation < MIN_CORRELATION {
        let ((first, second), delay) = (names(), time(best.lag));
        return Err(SignalError::Unrelated {
            first,
            second,
            correlation: best.correlation,
            delay,
            least: MIN_CORRELATION,
        });
    }
    let misfit = |correlation: f64| 1.0 - correlation * correlation;
    if next.correlation > LIKELY_CORRELATION * best.correlation
        && misfit(next.correlation) < LIKELY_MISFIT * misfit(best.correlation)
    {
        let ((first, second), [delay, other]) = (names(), [best.lag, next.lag].map(time));
        let (correlation, second_correlation) = (best.correlation, next.correlation);
        return Err(SignalError::Ambiguous { first, second, delay, correlation, other, second_correlation });
    }
    let parts = pair.parts(best.lag, found.2);
    let line = Line::through(&parts);
    Ok(Synchronisation {
        // at the time 0 of the first clock: the line is over samples of x
        delay: begin + h * line.at(-x.start / h),
        deviation: h * line.deviation,
        drift: line.slope,
        drift_deviation: line.slope_deviation,
        correlation: best.correlation,
        second_correlation: next.correlation,
        parts: parts.len(),
    })
}

fn centred(mut values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|value| *value -= mean);
    values
}

/// A lag in samples, by which the second signal is later than the first.
#[derive(Debug, Clone, Copy)]
struct Peak {
    lag: i64,
    correlation: f64,
}

/// The delay of a part of the record.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// Middle of the part, in samples of the first signal.
    middle: f64,
    lag: f64,
    /// Variance that the misfit explains.
    variance: f64,
}

/// Two signals without means, at one interval.
struct Pair {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Pair {
    /// Returns the best lag, the next best one outside of its lobe, and half the width of the lobe.
    fn best(&self, is_allowed: impl Fn(i64) -> bool) -> (Peak, Peak, usize) {
        let (n, m) = (self.x.len(), self.y.len());
        let sums = |values: &[f64]| -> Vec<f64> {
            let mut sum = 0.0;
            std::iter::once(0.0)
                .chain(values.iter().map(|value| {
                    sum += value * value;
                    sum
                }))
                .collect()
        };
        let (of_x, of_y) = (sums(&self.x), sums(&self.y));
        let between =
            |sums: &[f64], from: usize, to: usize| sums.get(to).zip(sums.get(from)).map_or(0.0, |(to, from)| to - from);
        let least = (n.min(m) / 4).max(8);
        let products = self.products();
        let length = products.len() as i64;
        let whole = between(&of_x, 0, n).min(between(&of_y, 0, m));
        let correlation = |lag: i64| {
            // x from `a` to `b` meets y from `a + lag`
            let a = (-lag).max(0);
            let b = (n as i64).min(m as i64 - lag);
            if b - a < least as i64 || !is_allowed(lag) {
                return 0.0;
            }
            let energy = |sums: &[f64], from: i64, to: i64| between(sums, from.max(0) as usize, to.max(0) as usize);
            let energies = energy(&of_x, a, b) * energy(&of_y, a + lag, b + lag);
            let product = products.get(lag.rem_euclid(length) as usize).copied().unwrap_or(0.0);
            // what is quiet correlates by chance
            if energies.sqrt() > 0.05 * whole { product / energies.sqrt() } else { 0.0 }
        };
        let lags: Vec<i64> = (1 - n as i64..m as i64).collect();
        let all: Vec<f64> = lags.iter().map(|lag| correlation(*lag)).collect();
        let peak = |places: &mut dyn Iterator<Item = usize>| {
            let place = places
                .max_by(|a, b| all.get(*a).copied().unwrap_or(0.0).total_cmp(&all.get(*b).copied().unwrap_or(0.0)));
            let at = |place: usize| Some(Peak { lag: *lags.get(place)?, correlation: *all.get(place)? });
            (place.unwrap_or(0), place.and_then(at).unwrap_or(Peak { lag: 0, correlation: 0.0 }))
        };
        let (place, best) = peak(&mut (0..all.len()));
        // the lobe ends where the correlation has fallen to half, or rises again
        let falls = |place: usize| all.get(place).is_some_and(|value| *value > 0.5 * best.correlation);
        let left = (0..place).rev().take_while(|place| falls(*place)).count();
        let right = (place + 1..all.len()).take_while(|place| falls(*place)).count();
        let outside = |other: &usize| *other + left < place || *other > place + right;
        let is_top = |other: &usize| {
            let at = |place: Option<usize>| place.and_then(|place| all.get(place)).copied().unwrap_or(0.0);
            at(Some(*other)) >= at(other.checked_sub(1)) && at(Some(*other)) >= at(Some(other + 1))
        };
        let (_, next) = peak(&mut (0..all.len()).filter(outside).filter(is_top));
        (best, next, left.max(right).max(1))
    }

    /// Computes sum_k x_k y_{k + lag} of all lags, negative ones from the end.
    fn products(&self) -> Vec<f64> {
        let length = (self.x.len() + self.y.len()).next_power_of_two();
        let spectrum = |values: &[f64]| {
            let mut all: Vec<Complex<f64>> = values.iter().map(|value| Complex::new(*value, 0.0)).collect();
            all.resize(length, Complex::default());
            Transform::forward(length).apply(&mut all);
            all
        };
        let mut product: Vec<_> = spectrum(&self.x).iter().zip(spectrum(&self.y)).map(|(x, y)| x.conj() * y).collect();
        Transform::backward(length).apply(&mut product);
        product.into_iter().map(|value| value.re / length as f64).collect()
    }

    /// Finds the delays of parts, from the best one outwards, each near that of its neighbour.
    fn parts(&self, lag: i64, lobe: usize) -> Vec<Part> {
        /// Largest number of parts of the record in which delays are found by themselves.
        const MAX_PARTS: usize = 12;
        /// Least number of samples of a part.
        const MIN_PART: usize = 256;
        let from = (-lag).max(0) as usize;
        let to = self.x.len().min((self.y.len() as i64 - lag).max(0) as usize);
        let count = (to.saturating_sub(from) / MIN_PART).clamp(1, MAX_PARTS);
        let length = to.saturating_sub(from) / count;
        let reach = lobe.clamp(2, 200);
        let mut found = Vec::new();
        let middle = count / 2;
        let mut near = lag;
        let mut of_middle = lag;
        for part in (middle..count).chain((0..middle).rev()) {
            if part + 1 == middle {
                near = of_middle;
            }
            let begin = from + part * length;
            if let Some(part_found) = self.part(begin, begin + length, near, reach) {
                near = part_found.lag.round() as i64;
                if part == middle {
                    of_middle = near;
                }
                found.push(part_found);
            }
        }
        found
    }

    /// Finds the delay of the samples from `begin` to `end` of the first signal, within `reach` samples of `near`;
    /// `None` where the part is hardly correlated.
    fn part(&self, begin: usize, end: usize, near: i64, reach: usize) -> Option<Part> {
        /// Number of lags on both sides of the best whole one between which the correlation is interpolated.
        const SIDE_LAGS: usize = 40;
        let x = self.x.get(begin..end)?;
        let y_at = |k: i64| usize::try_from(k).ok().and_then(|k| self.y.get(k)).copied().unwrap_or(0.0);
        let margin = (reach + SIDE_LAGS) as i64;
        let products: Vec<f64> = (near - margin..=near + margin)
            .map(|lag| x.iter().zip(begin as i64 + lag..).map(|(x, k)| x * y_at(k)).sum())
            .collect();
        let inside = SIDE_LAGS..products.len().checked_sub(SIDE_LAGS)?;
        let place = inside.max_by(|a, b| {
            products.get(*a).copied().unwrap_or(0.0).total_cmp(&products.get(*b).copied().unwrap_or(0.0))
        })?;
        let value = |position: f64| value_at(&products, position, MAX_CORNER);
        let (mut low, mut high) = (place as f64 - 1.0, place as f64 + 1.0);
        for _ in 0..60 {
            let third = (high - low) / 3.0;
            if value(low + third) < value(high - third) { low += third } else { high -= third }
        }
        let position = 0.5 * (low + high);
        let lag = (near - margin) as f64 + position;
        let energy = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>();
        let of_x = energy(&mut x.iter().copied());
        let whole = lag.round() as i64;
        let of_y = energy(&mut (0..x.len() as i64).map(|k| y_at(begin as i64 + whole + k)));
        let correlation = value(position) / (of_x * of_y).sqrt();
        if correlation.is_nan() || correlation < MIN_CORRELATION {
            return None;
        }
        // noise of this variance, and how fast the signal changes
        let noise = (1.0 - correlation * correlation).max(1e-15) * of_x / x.len() as f64;
        let slopes =
            x.windows(2).map(|pair| pair.iter().copied().reduce(|a, b| b - a).unwrap_or(0.0).powi(2)).sum::<f64>();
        Some(Part { middle: 0.5 * (begin + end) as f64 - 0.5, lag, variance: noise / slopes })
    }
}

/// The line of least squares through the delays of parts.
#[derive(Debug, Clone, Copy)]
struct Line {
    middle: f64,
    value: f64,
    slope: f64,
    deviation: f64,
    slope_deviation: f64,
}

impl Line {
    fn at(&self, place: f64) -> f64 {
        self.value + self.slope * (place - self.middle)
    }

    fn through(parts: &[Part]) -> Self {
        let count = parts.len() as f64;
        let explained = parts.iter().map(|part| part.variance).sum::<f64>() / count;
        let (middles, lags): (Vec<f64>, Vec<f64>) = parts.iter().map(|part| (part.middle, part.lag)).unzip();
        let (value, slope, middle) = line(&middles, &lags);
        if parts.len() < 3 {
            return Self {
                middle,
                value,
                slope: 0.0,
                deviation: (explained / count).sqrt(),
                slope_deviation: f64::INFINITY,
            };
        }
        let scatter = parts.iter().map(|part| (part.lag - value - slope * (part.middle - middle)).powi(2)).sum::<f64>()
            / (count - 2.0);
        let variance = scatter.max(explained);
        let spread: f64 = middles.iter().map(|place| (place - middle).powi(2)).sum();
        Self { middle, value, slope, deviation: (variance / count).sqrt(), slope_deviation: (variance / spread).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sum of sines of many frequencies, without a period.
    fn motion(t: f64) -> f64 {
        (1..40)
            .map(|k| {
                let k = f64::from(k);
                (2.0 * k.sqrt() * k * t + k * k).sin() / k.sqrt()
            })
            .sum()
    }

    fn noise(seed: &mut u64) -> f64 {
        let mut even = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) as f64 / 2f64.powi(31) - 0.5
        };
        (0..12).map(|_| even()).sum()
    }

    fn recorder(
        start: f64,
        interval: f64,
        samples: u32,
        clock: impl Fn(f64) -> f64,
        scale: f64,
        deviation: f64,
        seed: u64,
    ) -> Result<Record, SignalError> {
        let mut seed = seed;
        let times: Vec<f64> = (0..samples).map(|i| start + f64::from(i) * interval).collect();
        let values = times.iter().map(|t| scale * motion(clock(*t)) + 0.7 + deviation * noise(&mut seed)).collect();
        Ok(Record::new(times)?.with_channel("a", None, values)?)
    }

    #[test]
    fn delay_and_drift_are_found_within_their_deviations() -> Result<(), SignalError> {
        let (delay, drift) = (12.345_67, 40e-6);
        for (interval, seed) in [(2e-3, 1), (1.7e-3, 2), (2e-3, 3)] {
            let first = recorder(3.0, 2e-3, 20_000, |t| t, 1.0, 0.5, seed)?;
            let second = recorder(17.0, interval, 18_000, |t| (t - delay) / (1.0 + drift), 9.81, 2.0, seed + 10)?;
            let found = synchronisation((&first, "a"), (&second, "a"), f64::INFINITY)?;
            // at the middle of what both have
            let off = found.delay - delay + (found.drift - drift) * 25.0;
            assert!(off.abs() < 4.0 * found.deviation && found.deviation < 1e-4, "{found}: {off:e}");
            assert!(
                (found.drift - drift).abs() < 4.0 * found.drift_deviation && found.drift_deviation < 1e-5,
                "{found}"
            );
            let moved = found.apply(&second)?;
            assert!((moved.times()[0] - (17.0 - delay) / (1.0 + drift)).abs() < 1e-3);
        }
        Ok(())
    }

    #[test]
    fn without_noise_the_delay_is_a_small_part_of_an_interval() -> Result<(), SignalError> {
        let first = recorder(0.0, 2e-3, 4000, |t| t, 1.0, 0.0, 1)?;
        let second = recorder(0.0, 2e-3, 4000, |t| t - 0.123_4, 1.0, 0.0, 1)?;
        let found = synchronisation((&first, "a"), (&second, "a"), 1.0)?;
        assert!((found.delay - 0.1234).abs() < 1e-5, "{found}");
        Ok(())
    }

    #[test]
    fn what_has_several_delays_or_none_is_refused() -> Result<(), SignalError> {
        let sine = |offset: f64| -> Result<Record, SignalError> {
            let times: Vec<f64> = (0..5000).map(|i| f64::from(i) * 1e-3).collect();
            let values = times.iter().map(|t| (40.0 * (t + offset)).sin()).collect();
            Ok(Record::new(times)?.with_channel("a", None, values)?)
        };
        let (first, second) = (sine(0.0)?, sine(0.02)?);
        assert!(matches!(
            synchronisation((&first, "a"), (&second, "a"), f64::INFINITY),
            Err(SignalError::Ambiguous { .. })
        ));
        // bounds below half a period make it one
        let found = synchronisation((&first, "a"), (&second, "a"), 0.07)?;
        assert!((found.delay + 0.02).abs() < 1e-4, "{found}");
        let pure = |seed: u64| recorder(0.0, 2e-3, 4000, |_| 0.0, 0.0, 1.0, seed);
        assert!(matches!(
            synchronisation((&pure(5)?, "a"), (&pure(6)?, "a"), f64::INFINITY),
            Err(SignalError::Unrelated { .. })
        ));
        assert!(matches!(synchronisation((&first, "a"), (&second, "a"), f64::NAN), Err(SignalError::Number { .. })));
        Ok(())
    }
}
