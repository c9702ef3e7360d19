//! Delays and phases of sensors.

use crate::record::Record;
use crate::signal::SignalError;
use crate::signal::calculus::derivative;
use crate::signal::kernel::{WIDEST, value_at};
use crate::signal::uniform::{replaced, uniform};

/// Moves these channels to earlier times by `delay` s, that of a sensor, an amplifier or a filter with linear phase; a
/// negative one moves them to later times. Samples behind the end, or before the beginning, are missing then. Between
/// samples, values are those of a windowed sinc, which keeps amplitudes to 1e-4 up to 0.4 of the rate; a whole number
/// of intervals moves the samples as they are.
///
/// In a fit, a known delay may be given as `.delay(t)` to the measurement, and an unknown one is found with the
/// parameters. To move the record is right for inputs, and for channels that are compared with each other.
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::Uneven`], [`SignalError::Missing`], [`SignalError::Short`], and
/// [`SignalError::Number`] for a delay that exceeds the record.
pub fn advanced(record: &Record, channels: &[&str], delay: f64) -> Result<Record, SignalError> {
    let mut made = record.clone();
    for name in channels {
        let signal = uniform(record, name, "a delay", 2)?;
        let count = signal.values.len();
        let shift = delay / signal.interval;
        // NaN is not shorter either
        let is_inside = shift.abs() < (count - 1) as f64;
        if !is_inside {
            let limits = format!("shorter than the record of {} s", (count - 1) as f64 * signal.interval);
            return Err(SignalError::Number { what: "the delay", value: delay, limits, remedy: "give it in s" });
        }
        let whole = (shift - shift.round()).abs() < 1e-9;
        let moved = |sample: usize| {
            let at = sample as f64 + shift;
            match whole {
                true if at.round() >= 0.0 => signal.values.get(at.round() as usize).copied().unwrap_or(f64::NAN),
                true => f64::NAN,
                false => value_at(signal.values, at, WIDEST),
            }
        };
        let values = (0..count).map(moved).collect();
        made = made.with_values_of(name, signal.channel.unit(), values)?;
    }
    Ok(made)
}

/// Undoes what a sensor of first order does, `T y' + y = x`, in these channels: `x = y + T y'`, with the derivative of
/// [`differentiated`](crate::signal::differentiated).
///
/// Noise of deviation s becomes one of `s sqrt(1 + 0.9 (T/h)^2)` at the interval h: filter first where T exceeds h. In
/// a fit, it is better to give the model the sensor, as a state with the time T, since then noise stays what it is.
///
/// # Errors
/// As [`differentiated`](crate::signal::differentiated); [`SignalError::Number`] for a time that is negative or not
/// finite.
pub fn first_order_corrected(record: &Record, channels: &[&str], time: f64) -> Result<Record, SignalError> {
    if !(time >= 0.0 && time.is_finite()) {
        let limits = "0 or more and finite".to_owned();
        return Err(SignalError::Number {
            what: "the time of the sensor",
            value: time,
            limits,
            remedy: "give it in s",
        });
    }
    let mut made = record.clone();
    for name in channels {
        let signal = uniform(record, name, "the correction of a sensor", 5)?;
        let slopes = derivative(signal.values);
        let values =
            signal.values.iter().zip(slopes).map(|(value, slope)| value + time / signal.interval * slope).collect();
        made = replaced(made, signal.channel, "the corrected signal", values)?;
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(value: impl Fn(f64) -> f64) -> Result<Record, SignalError> {
        let times: Vec<f64> = (0..2001).map(|i| f64::from(i) * 1e-3).collect();
        let values = times.iter().map(|t| value(*t)).collect();
        Ok(Record::new(times)?.with_channel("x", Some("V"), values)?)
    }

    #[test]
    fn delays_are_undone() -> Result<(), SignalError> {
        for delay in [0.37e-3, 2e-3, -1.5e-3] {
            let made = advanced(&sine(|t| (100.0 * (t - delay)).sin())?, &["x"], delay)?;
            let x = made.channel("x")?.values();
            let off = (100..1900).map(|i| (x[i] - (0.1 * i as f64).sin()).abs()).fold(0.0, f64::max);
            assert!(off < 1e-5, "{delay}: {off}");
            let missing = if delay > 0.0 { x[2000] } else { x[0] };
            assert!(missing.is_nan());
        }
        assert!(matches!(advanced(&sine(|t| t)?, &["x"], 3.0), Err(SignalError::Number { .. })));
        assert!(matches!(advanced(&sine(|t| t)?, &["x"], f64::NAN), Err(SignalError::Number { .. })));
        Ok(())
    }

    #[test]
    fn a_sensor_of_first_order_is_undone() -> Result<(), SignalError> {
        // x = sin w t gives (sin w t - w T cos w t)/(1 + (w T)^2) + what has faded
        let (w, time) = (50.0, 4e-3);
        let sensed = |t: f64| ((w * t).sin() - w * time * (w * t).cos()) / (1.0 + (w * time) * (w * time));
        let made = first_order_corrected(&sine(sensed)?, &["x"], time)?;
        let off = made.times().iter().zip(made.channel("x")?.values()).map(|(t, x)| (x - (w * t).sin()).abs());
        assert!(off.fold(0.0, f64::max) < 1e-6);
        assert!(first_order_corrected(&sine(sensed)?, &["x"], -1.0).is_err());
        Ok(())
    }
}
