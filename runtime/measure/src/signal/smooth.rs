//! A smooth motion through measured displacements: splines of degree 5 with value, velocity and acceleration that
//! belong together.

use std::fmt;

use costate_contract::shown::Shown;

use crate::record::Record;
use serde::{Deserialize, Serialize};

use crate::signal::SignalError;
use crate::signal::error::positive;
use crate::signal::uniform::within_range;
use crate::signal::unit::over_time;

/// Number of values of B-splines of degree 5 that are not 0 at a time.
const SUPPORT: usize = 6;

/// Smoothness of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Smoothing {
    /// Knots this far apart, in s: motions of periods above twice that distance are followed, shorter ones are
    /// averaged. At most the length of the record.
    Knots(f64),
    /// The distance of knots with the least generalised cross-validation. The errors of samples must be independent:
    /// dependent ones, such as after a filter, look like motion.
    CrossValidated,
}

/// A smoothed channel with its derivatives.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Smoothed {
    /// The record with the channel smoothed, and its derivatives as the new channels `d NAME/dt` and `d2 NAME/dt2`.
    pub record: Record,
    /// Distance of the knots in s.
    pub knots: f64,
    /// Estimated standard deviation of the errors of single samples, in the channel's unit.
    pub noise: f64,
    /// Standard deviations of value, first and second derivative in the middle of the record that come from this noise,
    /// in the units of the new channels.
    pub deviations: [f64; 3],
    /// True if cross-validation has chosen the closest or the widest knots there are, so that it has not found a best
    /// distance in between.
    pub is_at_limit: bool,
}

impl fmt::Display for Smoothed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [value, first, second] = self.deviations.map(Shown);
        write!(
            f,
            "knots every {} s, noise of samples {}; deviations {value}, {first}, {second} of value and derivatives",
            Shown(self.knots),
            Shown(self.noise)
        )?;
        if self.is_at_limit {
            f.write_str("; cross-validation has found no best distance of knots, give one")
        } else {
            Ok(())
        }
    }
}

/// Replaces a channel by the spline of degree 5 of least squares through its samples, and adds the first and second
/// derivative of the same spline: a prescribed motion whose position, velocity and acceleration belong together.
/// Samples need not be equidistant, and missing ones are filled, where knots have enough samples around.
///
/// In a fit, a prescribed motion is taken as exact. What the deviations of [`Smoothed`] leave of its noise acts on the
/// model like an unknown force: compare it with the residuals. Near the ends, the second derivative has several times
/// the deviation of the middle; leave out a few knots there.
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::Short`] for fewer than 12 samples, [`SignalError::Number`] for knots so
/// close that no samples determine the spline, or farther apart than the record is long,
/// [`SignalError::UnitMeaning`], [`SignalError::Range`].
pub fn smoothed(record: &Record, channel: &str, smoothing: Smoothing) -> Result<Smoothed, SignalError> {
    /// Ratio of successive distances of knots that cross-validation compares.
    const DISTANCE_RATIO: f64 = 1.15;
    let own = record.channel(channel)?;
    let samples = record.samples(channel)?;
    let count = samples.times.len();
    if count < 2 * SUPPORT {
        return Err(SignalError::short(record.name(), "a spline of degree 5", count, 2 * SUPPORT));
    }
    let (begin, end) = (record.times().first().copied().unwrap_or(0.0), record.times().last().copied().unwrap_or(0.0));
    let fit =
        |pieces: usize| Spline::fit(begin, (end - begin) / pieces as f64, pieces, &samples.times, &samples.values);
    let (spline, is_at_limit) = match smoothing {
        Smoothing::Knots(distance) => {
            positive("the distance of knots", distance, "give it in s")?;
            if distance > end - begin {
                let limits = format!("at most the length of the record, {} s", Shown(end - begin));
                let remedy = "choose a shorter one; to follow frequencies up to f Hz it is 1/(2 f)";
                return Err(SignalError::number("the distance of knots in s", distance, limits, remedy));
            }
            let pieces = ((end - begin) / distance).round().max(1.0);
            let spline = if pieces + 5.0 < count as f64 { fit(pieces as usize) } else { None };
            let spline = spline.ok_or_else(|| {
                let limits = format!(
                    "so long that every knot has samples around it; {count} samples are from {begin} to {end} s"
                );
                let remedy = "choose a longer one, or cut the record at its gaps";
                SignalError::number("the distance of knots in s", distance, limits, remedy)
            })?;
            (spline, false)
        }
        Smoothing::CrossValidated => {
            let most = (count - 6) / 2;
            let mut all = Vec::new();
            let mut pieces = 1.0;
            while pieces <= most as f64 {
                all.extend(fit(pieces as usize));
                pieces = (pieces * DISTANCE_RATIO).max(pieces + 1.0).floor();
            }
            let place = (0..all.len()).min_by(|a, b| {
                let score = |place: usize| all.get(place).map_or(f64::INFINITY, Spline::cross_validation);
                score(*a).total_cmp(&score(*b))
            });
            let place = place.unwrap_or(0);
            let is_at_limit = place == 0 || place + 1 == all.len();
            let no_spline = || SignalError::short(record.name(), "a spline between gaps", count, count + 1);
            (all.into_iter().nth(place).ok_or_else(no_spline)?, is_at_limit)
        }
    };
    let mut units = Vec::new();
    let mut factors = [1.0; 3];
    let mut with_unit = record.clone();
    for order in 1..=2 {
        let of = if order == 1 { own } else { with_unit.channel(&format!("d {channel}/dt"))? };
        let unit = over_time(&with_unit, of, false)?;
        if let Some(factor) = factors.get_mut(order) {
            *factor = unit.as_ref().map_or(1.0, |(_, factor)| *factor);
        }
        let unit = unit.map(|(unit, _)| unit);
        if order == 1 {
            with_unit = record.clone().with_channel(
                format!("d {channel}/dt"),
                unit.as_deref(),
                vec![0.0; record.times().len()],
            )?;
        }
        units.push(unit);
    }
    let factors = [1.0, factors[1], factors[1] * factors[2]];
    let values = |order: usize| -> Vec<f64> {
        let factor = factors.get(order).copied().unwrap_or(1.0);
        record.times().iter().map(|time| factor * spline.value(*time, order)).collect()
    };
    let [plain, first, second] = [values(0), values(1), values(2)];
    for values in [&plain, &first, &second] {
        within_range(record, own, "the spline", values)?;
    }
    let mut made = record.clone().with_values_of(channel, own.unit(), plain)?;
    for ((name, unit), values) in
        [format!("d {channel}/dt"), format!("d2 {channel}/dt2")].into_iter().zip(units).zip([first, second])
    {
        made = made.with_channel(name, unit.as_deref(), values)?;
    }
    let middle = 0.5 * (begin + end);
    let noise = spline.noise();
    let deviations =
        [0, 1, 2].map(|order| noise * spline.deviation(middle, order) * factors.get(order).copied().unwrap_or(1.0));
    Ok(Smoothed { record: made, knots: spline.distance, noise, deviations, is_at_limit })
}

/// A spline of degree 5 over knots at equal distances, fitted to samples.
#[derive(Debug, Clone)]
struct Spline {
    begin: f64,
    distance: f64,
    pieces: usize,
    coefficients: Vec<f64>,
    /// Cholesky's factor of the normal equations, row by row: entry and the five to the left of it.
    factor: Vec<[f64; SUPPORT]>,
    squares: f64,
    samples: usize,
}

impl Spline {
    /// Fits; `None` where some coefficient has no samples.
    fn fit(begin: f64, distance: f64, pieces: usize, times: &[f64], values: &[f64]) -> Option<Self> {
        let size = pieces + SUPPORT - 1;
        let mut spline = Self {
            begin,
            distance,
            pieces,
            coefficients: vec![0.0; size],
            factor: vec![[0.0; SUPPORT]; size],
            squares: 0.0,
            samples: times.len(),
        };
        for (time, value) in times.iter().zip(values) {
            let (piece, weights) = spline.weights(*time, 0);
            for (i, own) in weights.iter().enumerate() {
                *spline.coefficients.get_mut(piece + i)? += own * value;
                // the entry with distance d to the left of the diagonal
                for (j, other) in weights.iter().enumerate().take(i + 1) {
                    *spline.factor.get_mut(piece + i)?.get_mut(i - j)? += own * other;
                }
            }
        }
        spline.decompose()?;
        let mut coefficients = std::mem::take(&mut spline.coefficients);
        spline.solve_lower(&mut coefficients);
        spline.solve_upper(&mut coefficients);
        spline.coefficients = coefficients;
        spline.squares = times.iter().zip(values).map(|(time, value)| (value - spline.value(*time, 0)).powi(2)).sum();
        spline.squares.is_finite().then_some(spline)
    }

    /// Decomposes the normal equations; `None` where they are singular.
    fn decompose(&mut self) -> Option<()> {
        for row in 0..self.factor.len() {
            let largest = self.factor.get(row)?.first().copied()?;
            for left in (0..SUPPORT.min(row + 1)).rev() {
                let column = row - left;
                let common = (left + 1..SUPPORT.min(row + 1)).map(|k| self.at(row, k) * self.at(column, k - left));
                let rest = self.at(row, left) - common.sum::<f64>();
                let entry = match left {
                    0 if rest > 1e-13 * largest => rest.sqrt(),
                    0 => return None,
                    _ => rest / self.at(column, 0),
                };
                *self.factor.get_mut(row)?.get_mut(left)? = entry;
            }
        }
        Some(())
    }

    /// Returns the entry of the factor `left` places to the left of the diagonal.
    fn at(&self, row: usize, left: usize) -> f64 {
        self.factor.get(row).and_then(|row| row.get(left)).copied().unwrap_or(0.0)
    }

    fn solve_lower(&self, right: &mut [f64]) {
        for row in 0..right.len() {
            let known: f64 = (1..SUPPORT.min(row + 1))
                .map(|left| self.at(row, left) * right.get(row - left).copied().unwrap_or(0.0))
                .sum();
            if let Some(value) = right.get_mut(row) {
                *value = (*value - known) / self.at(row, 0);
            }
        }
    }

    fn solve_upper(&self, right: &mut [f64]) {
        for row in (0..right.len()).rev() {
            let known: f64 = (1..SUPPORT)
                .map(|left| self.at(row + left, left) * right.get(row + left).copied().unwrap_or(0.0))
                .sum();
            if let Some(value) = right.get_mut(row) {
                *value = (*value - known) / self.at(row, 0);
            }
        }
    }

    /// Returns the piece of a time, and the weights of the six coefficients from it on for a derivative.
    fn weights(&self, time: f64, order: usize) -> (usize, [f64; SUPPORT]) {
        let place = (time - self.begin) / self.distance;
        let piece = (place.floor().max(0.0) as usize).min(self.pieces - 1);
        let x = place - piece as f64;
        let mut weights = uniform_splines(x, SUPPORT - 1 - order);
        // each derivative is a difference of splines of one degree less
        for _ in 0..order {
            let before = weights;
            for (i, weight) in weights.iter_mut().enumerate() {
                let at = |i: Option<usize>| i.and_then(|i| before.get(i)).copied().unwrap_or(0.0);
                *weight = at(i.checked_sub(1)) - at(Some(i));
            }
        }
        (piece, weights.map(|weight| weight / self.distance.powi(order as i32)))
    }

    /// Evaluates the spline or a derivative.
    fn value(&self, time: f64, order: usize) -> f64 {
        let (piece, weights) = self.weights(time, order);
        self.coefficients.iter().skip(piece).zip(weights).map(|(coefficient, weight)| coefficient * weight).sum()
    }

    /// Returns the deviation of the spline or a derivative for errors of samples with deviation 1.
    fn deviation(&self, time: f64, order: usize) -> f64 {
        let (piece, weights) = self.weights(time, order);
        let mut row = vec![0.0; self.coefficients.len()];
        row.iter_mut().skip(piece).zip(weights).for_each(|(place, weight)| *place = weight);
        self.solve_lower(&mut row);
        row.iter().map(|value| value * value).sum::<f64>().sqrt()
    }

    fn noise(&self) -> f64 {
        (self.squares / (self.samples - self.coefficients.len()).max(1) as f64).sqrt()
    }

    fn cross_validation(&self) -> f64 {
        let (samples, size) = (self.samples as f64, self.coefficients.len() as f64);
        self.squares * samples / ((samples - size) * (samples - size))
    }
}

/// Evaluates the B-splines of this degree over knots at a distance of 1 that are not 0 at `x` in a piece, the first of
/// them in the first place.
fn uniform_splines(x: f64, degree: usize) -> [f64; SUPPORT] {
    let mut values = [0.0; SUPPORT];
    values[0] = 1.0;
    for degree in 1..=degree {
        let before = values;
        for (i, value) in values.iter_mut().enumerate().take(degree + 1) {
            let at = |i: Option<usize>| i.and_then(|i| before.get(i)).copied().unwrap_or(0.0);
            // the spline with index i began `degree - i` pieces ago
            let since = x + (degree - i) as f64;
            *value = (since * at(i.checked_sub(1)) + (degree as f64 + 1.0 - since) * at(Some(i))) / degree as f64;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(samples: u32, interval: f64, mut value: impl FnMut(f64) -> f64) -> Result<Record, SignalError> {
        let times: Vec<f64> = (0..samples).map(|i| 2.0 + f64::from(i) * interval).collect();
        let values = times.iter().map(|t| value(*t)).collect();
        Ok(Record::new(times)?.with_channel("z", Some("m"), values)?)
    }

    fn noise(seed: &mut u64) -> f64 {
        let mut even = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) as f64 / 2f64.powi(31) - 0.5
        };
        (0..12).map(|_| even()).sum()
    }

    #[test]
    fn polynomials_of_degree_five_pass_with_their_derivatives() -> Result<(), SignalError> {
        let x = |t: f64| t - 3.0;
        let made = smoothed(&record(200, 0.01, |t| x(t).powi(5) - x(t).powi(2))?, "z", Smoothing::Knots(0.3))?;
        for (i, t) in made.record.times().iter().enumerate() {
            let exact = [x(*t).powi(5) - x(*t).powi(2), 5.0 * x(*t).powi(4) - 2.0 * x(*t), 20.0 * x(*t).powi(3) - 2.0];
            for (name, exact) in ["z", "d z/dt", "d2 z/dt2"].into_iter().zip(exact) {
                assert!((made.record.channel(name)?.values()[i] - exact).abs() < 1e-8, "{name} at {t}");
            }
        }
        let unit = |name| made.record.channel(name).ok().and_then(|channel| channel.unit().map(str::to_owned));
        assert_eq!(unit("d2 z/dt2").as_deref(), Some("m/s^2"));
        assert_eq!(unit("d z/dt").as_deref(), Some("m/s"));
        Ok(())
    }

    #[test]
    fn cross_validation_finds_motion_and_noise() -> Result<(), SignalError> {
        let motion = |t: f64| (5.0 * t).sin() + 0.5 * (17.0 * t).cos();
        let mut chi = 0.0;
        for seed in 1..=20 {
            let mut state = seed;
            let noisy = record(2000, 2e-3, |t| motion(t) + 0.02 * noise(&mut state))?;
            let made = smoothed(&noisy, "z", Smoothing::CrossValidated)?;
            assert!(!made.is_at_limit && (made.noise / 0.02 - 1.0).abs() < 0.1, "{made}");
            let second = made.record.channel("d2 z/dt2")?.values()[1000];
            let t = made.record.times()[1000];
            chi += ((second + 25.0 * (5.0 * t).sin() + 144.5 * (17.0 * t).cos()) / made.deviations[2]).powi(2);
        }
        // 20 squares of errors over deviations, with some bias from knots
        assert!((5.0..60.0).contains(&chi), "{chi}");
        Ok(())
    }

    #[test]
    fn knots_without_samples_are_refused() -> Result<(), SignalError> {
        let plain = record(200, 0.01, |t| t)?;
        for distance in [0.005, 0.0, -1.0, f64::NAN, 2.0, f64::INFINITY] {
            assert!(
                matches!(smoothed(&plain, "z", Smoothing::Knots(distance)), Err(SignalError::Number { .. })),
                "{distance}"
            );
        }
        let mut values = plain.channel("z")?.values().to_vec();
        values[50..150].fill(f64::NAN);
        let holed = Record::new(plain.times().to_vec())?.with_channel("z", None, values)?;
        assert!(matches!(smoothed(&holed, "z", Smoothing::Knots(0.1)), Err(SignalError::Number { .. })));
        assert!(matches!(
            smoothed(&record(8, 0.01, |t| t)?, "z", Smoothing::CrossValidated),
            Err(SignalError::Short { .. })
        ));
        Ok(())
    }
}
