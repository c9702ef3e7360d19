//! Records at another rate, without aliases.

use crate::record::{MAX_NUMBERS, Record};
use crate::signal::SignalError;
use crate::signal::error::{limited, positive};
use crate::signal::kernel::{MAX_CORNER, value_at};
use crate::signal::uniform::{complete, interval_of, within_range};

/// Moves all channels to samples every `interval` s from the first time on. A low pass of linear phase without delay, a
/// sinc in Kaiser's window, keeps amplitudes to 1e-4 up to 0.8 of half the slower rate, and takes what is above that
/// half down to 1e-5. At both ends, for 32 samples of the slower rate, signals are continued by their point images.
///
/// In a fit, what remains of the band is compared as before; fewer samples make it faster. Errors of samples at a much
/// lower rate are independent again, where they were those of a low pass. Samples at a higher rate than before have no
/// more information, and dependent errors.
///
/// # Errors
/// [`SignalError::Uneven`], [`SignalError::Missing`], [`SignalError::Short`], and [`SignalError::Number`] for an
/// interval that is not positive, or so short that the record would have more than 2^27 numbers.
pub fn at_rate(record: &Record, interval: f64) -> Result<Record, SignalError> {
    let interval = positive("the new interval", interval, "give the distance of samples in s")?;
    let own = interval_of(record, "another rate", 2)?;
    let (first, last) = (record.times().first().copied().unwrap_or(0.0), record.times().last().copied().unwrap_or(0.0));
    let steps = ((last - first) / interval * (1.0 + 1e-12)).floor();
    limited(
        (steps + 1.0) * (record.channels().len() + 1) as f64 <= MAX_NUMBERS as f64,
        ("the new interval", interval),
        "long enough for 2^27 numbers",
        "choose a longer one",
    )?;
    let steps = steps as usize;
    let corner = MAX_CORNER * (own / interval).min(1.0);
    let times = (0..=steps).map(|i| first + i as f64 * interval).collect();
    let mut channels = Vec::with_capacity(record.channels().len());
    for channel in record.channels() {
        complete(record, channel)?;
        let values: Vec<f64> =
            (0..=steps).map(|i| value_at(channel.values(), i as f64 * interval / own, corner)).collect();
        within_range(record, channel, "the signal at another rate", &values)?;
        channels.push((channel.name().to_owned(), channel.unit().map(str::to_owned), values));
    }
    Ok(record.with_times(times, channels)?)
}

/// Moves all channels to a `factor` times lower rate, as [`at_rate`] does.
///
/// # Errors
/// As [`at_rate`]; [`SignalError::Number`] for a factor of 0.
pub fn decimated(record: &Record, factor: usize) -> Result<Record, SignalError> {
    let own = interval_of(record, "a lower rate", 2)?;
    let factor = positive("the factor of a lower rate", factor as f64, "give a whole number of 1 or more")?;
    if factor == 1.0 { Ok(record.clone()) } else { at_rate(record, factor * own) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn sine(frequency: f64) -> Result<Record, SignalError> {
        let times: Vec<f64> = (0..4001).map(|i| f64::from(i) * 1e-3).collect();
        let values = times.iter().map(|t| (TAU * frequency * t).sin()).collect();
        Ok(Record::new(times)?.with_channel("x", Some("m"), values)?)
    }

    /// Largest distance from the sine in the middle of the record.
    fn error(record: &Record, frequency: f64, amplitude: f64) -> Result<f64, SignalError> {
        let all = record.times().iter().zip(record.channel("x")?.values());
        let inside = all.filter(|(time, _)| (1.0..3.0).contains(*time));
        Ok(inside.map(|(t, x)| (x - amplitude * (TAU * frequency * t).sin()).abs()).fold(0.0, f64::max))
    }

    #[test]
    fn the_band_stays_and_aliases_go() -> Result<(), SignalError> {
        // to 100 Hz: half of it is 50 Hz
        for interval in [1e-2, 0.97e-2] {
            assert!(error(&at_rate(&sine(39.0)?, interval)?, 39.0, 1.0)? < 1e-4);
            assert!(error(&at_rate(&sine(52.0)?, interval)?, 52.0, 0.0)? < 2e-5);
            assert!(error(&at_rate(&sine(130.0)?, interval)?, 130.0, 0.0)? < 2e-5);
        }
        // a constant stays one to rounding, and so does a line, at the ends as well
        let line = sine(1.0)?.with_channel("line", None, (0..4001).map(f64::from).collect())?;
        let made = decimated(&line, 10)?;
        assert_eq!(made.times().len(), 401);
        let off = made
            .channel("line")?
            .values()
            .iter()
            .zip(0..)
            .map(|(x, i)| (x - f64::from(10 * i)).abs())
            .fold(0.0, f64::max);
        assert!(off < 1e-7, "{off}");
        // and up again
        assert!(error(&at_rate(&sine(300.0)?, 0.3e-3)?, 300.0, 1.0)? < 1e-4);
        Ok(())
    }

    #[test]
    fn what_cannot_be_resampled_is_refused() -> Result<(), SignalError> {
        let holed = Record::new(vec![0.0, 1.0, 2.0])?.with_channel("x", None, vec![0.0, f64::NAN, 1.0])?;
        assert!(matches!(at_rate(&holed, 0.5), Err(SignalError::Missing { missing: 1, .. })));
        assert!(matches!(at_rate(&Record::new(vec![0.0, 1.0, 3.0])?, 0.5), Err(SignalError::Uneven { .. })));
        assert!(matches!(at_rate(&sine(1.0)?, 1e-12), Err(SignalError::Number { .. })));
        assert!(matches!(at_rate(&sine(1.0)?, f64::NAN), Err(SignalError::Number { .. })));
        Ok(())
    }
}
