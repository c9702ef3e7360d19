//! Integrals and derivatives of signals over time.

use std::fmt;

use costate_contract::shown::Shown;

use crate::record::Record;
use crate::signal::SignalError;
use crate::signal::detrend::line;
use crate::signal::filter::Filter;
use crate::signal::uniform::{uniform, within_range};
use crate::signal::unit::over_time;

/// Treatment of the drift of an integral: an offset b of the integrand becomes b t, and noise becomes a random walk.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Drift {
    /// The integral as it is.
    Kept,
    /// The integrand without its mean, so that the integral ends at 0 as it begins.
    WithoutMean,
    /// The integral without its line of least squares.
    WithoutLine,
    /// The integral after a filter, mostly a high pass, which a fit should apply to the model as well.
    Filtered(Filter),
}

/// A record with an integral, and what was taken from that.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Integrated {
    /// The record with the new channel.
    pub record: Record,
    /// Name of the new channel.
    pub channel: String,
    /// Root of the mean square of what was taken from the plain integral, in the new channel's unit; 0 for
    /// [`Drift::Kept`].
    pub drift: f64,
    /// Root of the mean square of what is left.
    pub left: f64,
}

impl fmt::Display for Integrated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { channel, drift, left, .. } = self;
        write!(
            f,
            "`{channel}`: {} (root mean square) is left of the integral, a drift of {} was taken away",
            Shown(*left),
            Shown(*drift)
        )?;
        if drift > left {
            f.write_str("; the drift exceeds the signal, so slow parts of it are not to be trusted")
        } else {
            Ok(())
        }
    }
}

/// Adds the integral of a channel over time under a new name, from 0 at the first sample, by the trapezoidal rule: for
/// a sine of angular frequency w at the interval h, it is `(w h/2)/tan(w h/2)` of the integral, 1 % too small at 18
/// samples a period.
///
/// In a fit, an integral weighs slow motions more than its integrand does, and has errors that depend on each other
/// over the whole record. It is mostly better to compare the model's acceleration with the measured one; an integral is
/// for plots, starts and prescribed motions.
///
/// # Errors
/// [`SignalError::Record`], also for a name that is taken; [`SignalError::Uneven`], [`SignalError::Missing`],
/// [`SignalError::Short`], [`SignalError::UnitMeaning`] for `g`, [`SignalError::Number`] of the filter,
/// [`SignalError::Range`].
pub fn integrated(record: &Record, channel: &str, name: &str, drift: &Drift) -> Result<Integrated, SignalError> {
    let signal = uniform(record, channel, "an integral", 2)?;
    let unit = over_time(record, signal.channel, true)?;
    let step = signal.interval * unit.as_ref().map_or(1.0, |(_, factor)| *factor);
    let running = |offset: f64| -> Vec<f64> {
        let mut sum = 0.0;
        let shares = signal.values.windows(2).map(|pair| 0.5 * step * (pair.iter().sum::<f64>() - 2.0 * offset));
        std::iter::once(0.0)
            .chain(shares.map(|share| {
                sum += share;
                sum
            }))
            .collect()
    };
    let plain = running(0.0);
    let values = match drift {
        Drift::Kept => plain.clone(),
        Drift::WithoutMean => {
            let mean = plain.last().copied().unwrap_or(0.0) / (step * (signal.values.len() - 1) as f64);
            running(mean)
        }
        Drift::WithoutLine => {
            let (mean, slope, middle) = line(record.times(), &plain);
            record.times().iter().zip(&plain).map(|(time, value)| value - mean - slope * (time - middle)).collect()
        }
        Drift::Filtered(filter) => {
            let mut values = plain.clone();
            filter.map(signal.interval, values.len())?.apply(&mut values);
            values
        }
    };
    within_range(record, signal.channel, "the integral", &values)?;
    let root_mean_square =
        |values: &mut dyn Iterator<Item = f64>| (values.map(|x| x * x).sum::<f64>() / plain.len() as f64).sqrt();
    let taken = root_mean_square(&mut plain.iter().zip(&values).map(|(plain, value)| plain - value));
    let left = root_mean_square(&mut values.iter().copied());
    let record = record.clone().with_channel(name, unit.as_ref().map(|(unit, _)| unit.as_str()), values)?;
    Ok(Integrated { record, channel: name.to_owned(), drift: taken, left })
}

/// Adds the derivative of a channel by time under a new name: central differences of five samples, one-sided at the
/// ends. A sine of angular frequency w at the interval h is met to `(w h)^4/30`; noise of deviation s becomes
/// `0.95 s/h`.
///
/// In a fit, a derivative weighs fast motions and noise more. Filter first, or use
/// [`smoothed`](crate::signal::smoothed), whose derivatives have known deviations.
///
/// # Errors
/// As [`integrated`].
pub fn differentiated(record: &Record, channel: &str, name: &str) -> Result<Record, SignalError> {
    let signal = uniform(record, channel, "a derivative", 5)?;
    let unit = over_time(record, signal.channel, false)?;
    let factor = unit.as_ref().map_or(1.0, |(_, factor)| *factor);
    let values: Vec<f64> =
        derivative(signal.values).into_iter().map(|value| value * factor / signal.interval).collect();
    within_range(record, signal.channel, "the derivative", &values)?;
    Ok(record.clone().with_channel(name, unit.as_ref().map(|(unit, _)| unit.as_str()), values)?)
}

/// Computes differences of five samples at an interval of 1; there must be five.
pub(crate) fn derivative(values: &[f64]) -> Vec<f64> {
    /// Twelve times the weights for the first, the second and the middle sample of five.
    const WEIGHTS: [[f64; 5]; 3] =
        [[-25.0, 48.0, -36.0, 16.0, -3.0], [-3.0, -10.0, 18.0, -6.0, 1.0], [1.0, -8.0, 0.0, 8.0, -1.0]];
    let product = |weights: [f64; 5], five: &mut dyn Iterator<Item = &f64>| {
        weights.iter().zip(five).map(|(w, x)| w * x).sum::<f64>() / 12.0
    };
    let [end, next, middle] = WEIGHTS;
    let mut all = Vec::with_capacity(values.len());
    all.push(product(end, &mut values.iter()));
    all.push(product(next, &mut values.iter()));
    all.extend(values.windows(5).map(|five| product(middle, &mut five.iter())));
    all.push(-product(next, &mut values.iter().rev()));
    all.push(-product(end, &mut values.iter().rev()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Trend;

    fn record(unit: &str, value: impl Fn(f64) -> f64) -> Result<Record, SignalError> {
        let times: Vec<f64> = (0..2001).map(|i| f64::from(i) * 1e-3).collect();
        let values = times.iter().map(|t| value(*t)).collect();
        Ok(Record::new(times)?.with_channel("x", Some(unit), values)?)
    }

    #[test]
    fn units_follow() -> Result<(), SignalError> {
        for (unit, integral, derivative) in [
            ("m/s^2", "m/s", "m/s^3"),
            ("m/s", "m", "m/s^2"),
            ("mm", "(mm)*s", "mm/s"),
            ("rad/s", "rad", "rad/s^2"),
            ("deg/s", "deg", "deg/s^2"),
            ("N", "N*s", "N/s"),
            ("V", "V*s", "V/s"),
        ] {
            let record = record(unit, |t| t)?;
            let integral_of = integrated(&record, "x", "i", &Drift::Kept)?.record;
            assert_eq!(integral_of.channel("i")?.unit(), Some(integral), "{unit}");
            assert_eq!(differentiated(&record, "x", "d")?.channel("d")?.unit(), Some(derivative), "{unit}");
        }
        // 60 rpm for 2 s are 4 pi
        let turns = integrated(&record("rpm", |_| 60.0)?, "x", "angle", &Drift::Kept)?.record;
        assert_eq!(turns.channel("angle")?.unit(), Some("rad"));
        assert!((turns.channel("angle")?.values()[2000] - 4.0 * std::f64::consts::PI).abs() < 1e-10);
        assert!(matches!(
            integrated(&record("g", |_| 1.0)?, "x", "v", &Drift::Kept),
            Err(SignalError::UnitMeaning { .. })
        ));
        assert!(matches!(
            integrated(&record("furlong", |_| 1.0)?, "x", "v", &Drift::Kept),
            Err(SignalError::Record(_))
        ));
        Ok(())
    }

    #[test]
    fn drifts_are_taken_away_and_said() -> Result<(), SignalError> {
        let w = 2.0 * std::f64::consts::PI * 5.0;
        let biased = record("m/s^2", |t| (w * t).cos() + 0.3)?;
        let kept = integrated(&biased, "x", "v", &Drift::Kept)?;
        assert!((kept.record.channel("v")?.values()[2000] - 0.6).abs() < 1e-9 && kept.drift == 0.0);
        let mean = integrated(&biased, "x", "v", &Drift::WithoutMean)?;
        for (t, v) in mean.record.times().iter().zip(mean.record.channel("v")?.values()) {
            let rule = 0.5 * w * 1e-3 / (0.5 * w * 1e-3).tan();
            assert!((v - rule * (w * t).sin() / w).abs() < 1e-12);
        }
        assert!(mean.drift > mean.left && mean.to_string().contains("exceeds the signal"));
        let high = Drift::Filtered(Filter::high_pass(2, 2.0).forward_and_backward());
        for drift in [Drift::WithoutLine, high] {
            let made = integrated(&biased, "x", "v", &drift)?;
            let middle = (made.record.channel("v")?.values()[1050] - (w * 1.05).sin() / w).abs();
            assert!(middle < 0.1 / w, "{drift:?} {middle}");
        }
        // derivative and integral are inverse
        let line = crate::signal::detrended(&biased, &["x"], Trend::Mean)?;
        let back = differentiated(&integrated(&line, "x", "v", &Drift::Kept)?.record, "v", "back")?;
        let rule = 0.5 * w * 1e-3 / (0.5 * w * 1e-3).tan();
        let off =
            back.channel("back")?.values().iter().zip(line.channel("x")?.values()).map(|(a, b)| (a - rule * b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-4 && (w * 1e-3_f64).powi(4) < 1e-4);
        Ok(())
    }

    #[test]
    fn polynomials_of_degree_four_are_differentiated_exactly() {
        let polynomial = |x: f64| 2.0 - x + 3.0 * x.powi(3) - 0.5 * x.powi(4);
        let values: Vec<f64> = (0..7).map(|i| polynomial(f64::from(i))).collect();
        for (i, derivative) in derivative(&values).into_iter().enumerate() {
            let x = i as f64;
            assert!((derivative - (-1.0 + 9.0 * x * x - 2.0 * x.powi(3))).abs() < 1e-11, "{i}");
        }
    }
}
