//! Offsets and trends.

use std::fmt;

use costate_contract::shown::Shown;

use crate::record::Record;
use serde::Serialize;

use crate::signal::SignalError;
use crate::signal::uniform::replaced;

/// The trend that is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Trend {
    /// The mean of the samples.
    Mean,
    /// The straight line of least squares through the samples.
    Line,
}

/// Takes the mean or the line of least squares from each of these channels. Samples need not be equidistant; missing
/// ones stay missing.
///
/// In a fit, the model's output has a mean and a trend of its own, which the record has lost: give the measurement an
/// unknown `offset`, or compare spectra. A mean that belongs to the motion, such as a static deflection, must not be
/// taken away.
///
/// # Errors
/// [`SignalError::Record`] for a channel that is missing or has no sample, [`SignalError::Short`] for a line through
/// one sample.
pub fn detrended(record: &Record, channels: &[&str], trend: Trend) -> Result<Record, SignalError> {
    let mut made = record.clone();
    for name in channels {
        let channel = record.channel(name)?;
        let samples = record.samples(name)?;
        let (mean, slope, middle) = line(&samples.times, &samples.values);
        let slope = match trend {
            Trend::Mean => 0.0,
            Trend::Line if samples.times.len() < 2 => {
                return Err(SignalError::short(record.name(), "a line", 1, 2));
            }
            Trend::Line => slope,
        };
        let values =
            record.times().iter().zip(channel.values()).map(|(time, value)| value - mean - slope * (time - middle));
        made = replaced(made, channel, "the trend", values.collect())?;
    }
    Ok(made)
}

/// Computes the line of least squares: its value at the mean time, its slope, and the mean time.
pub(crate) fn line(times: &[f64], values: &[f64]) -> (f64, f64, f64) {
    let count = times.len().max(1) as f64;
    let first = times.first().copied().unwrap_or(0.0);
    let middle = first + times.iter().map(|time| time - first).sum::<f64>() / count;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = times.iter().map(|time| (time - middle).powi(2)).sum();
    let products: f64 = times.iter().zip(values).map(|(time, value)| (time - middle) * (value - mean)).sum();
    (mean, if squares > 0.0 { products / squares } else { 0.0 }, middle)
}

/// Zero of a channel in a quiet window.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Zero {
    /// Name of the channel.
    pub channel: String,
    /// Mean of the samples in the window, in the channel's unit, which was taken from all samples.
    pub offset: f64,
    /// Standard deviation of single samples in the window; 0 for one sample.
    pub deviation: f64,
    /// Change of the line of least squares over the window.
    pub drift: f64,
    /// True if the window looks quiet: the samples scatter there by less than a tenth of what they do in the whole
    /// record, and the drift is less than that.
    pub is_quiet: bool,
}

impl fmt::Display for Zero {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { channel, offset, deviation, drift, is_quiet } = self;
        write!(
            f,
            "`{channel}`: zero {}, samples scatter by {}, drift {}",
            Shown(*offset),
            Shown(*deviation),
            Shown(*drift)
        )?;
        if *is_quiet { Ok(()) } else { f.write_str("; the window does not look quiet") }
    }
}

/// A record with new zeros.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Zeroed {
    /// The record.
    pub record: Record,
    /// The zeros that were taken away.
    pub zeros: Vec<Zero>,
}

impl fmt::Display for Zeroed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.zeros.iter().try_for_each(|zero| writeln!(f, "{zero}"))
    }
}

/// Takes from each of these channels its mean from one time to another, in s, in which nothing moves. Missing samples
/// stay missing.
///
/// A fit then needs no offset of the channel, where the model is at rest with output 0 in that window. The error of the
/// zero is that of the mean and the same in all samples; [`Zero::deviation`] over the root of the number of samples is
/// its size.
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::Nothing`] for a window without samples.
pub fn zeroed(record: &Record, channels: &[&str], from: f64, to: f64) -> Result<Zeroed, SignalError> {
    let mut zeroed = Zeroed { record: record.clone(), zeros: Vec::new() };
    for name in channels {
        let channel = record.channel(name)?;
        let samples = record.samples(name)?;
        let inside = samples.times.iter().zip(&samples.values).filter(|(time, _)| (from..=to).contains(*time));
        let (times, values): (Vec<f64>, Vec<f64>) = inside.unzip();
        if values.is_empty() {
            let (record, channel) = (record.name().to_owned(), channel.name().to_owned());
            return Err(SignalError::Nothing { record, channel, from, to });
        }
        let (offset, slope, _) = line(&times, &values);
        let (deviation, whole) = (deviation(&values), deviation(&samples.values));
        let drift = slope * (times.last().copied().unwrap_or(0.0) - times.first().copied().unwrap_or(0.0));
        let is_quiet = deviation <= 0.1 * whole && drift.abs() <= 0.1 * whole;
        zeroed.zeros.push(Zero { channel: channel.name().to_owned(), offset, deviation, drift, is_quiet });
        let values = channel.values().iter().map(|value| value - offset).collect();
        zeroed.record = replaced(zeroed.record, channel, "the zero", values)?;
    }
    Ok(zeroed)
}

/// Computes the standard deviation about the mean; 0 for one value.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    if values.len() < 2 { 0.0 } else { (squares / (count - 1.0)).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_away_and_missing_samples_stay() -> Result<(), SignalError> {
        let times = vec![10.0, 10.1, 10.3, 10.6];
        let values: Vec<f64> = times.iter().map(|t| 3.0 - 2.0 * t).collect();
        let mut holed = values.clone();
        holed[2] = f64::NAN;
        let record = Record::new(times)?.with_channel("x", Some("m"), values)?.with_channel("y", None, holed)?;
        let made = detrended(&record, &["x", "y"], Trend::Line)?;
        assert!(made.channel("x")?.values().iter().all(|value| value.abs() < 1e-13));
        assert_eq!(made.channel("x")?.unit(), Some("m"));
        let y = made.channel("y")?.values();
        assert!(y[2].is_nan() && y[3].abs() < 1e-13);
        let made = detrended(&record, &["x"], Trend::Mean)?;
        assert!((made.channel("x")?.values()[0] - 0.5).abs() < 1e-13);
        let one = Record::new(vec![0.0])?.with_channel("x", None, vec![1.0])?;
        assert!(matches!(detrended(&one, &["x"], Trend::Line), Err(SignalError::Short { least: 2, .. })));
        Ok(())
    }

    #[test]
    fn a_zero_says_whether_the_window_is_quiet() -> Result<(), SignalError> {
        let times: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.01).collect();
        let values = times.iter().map(|t| if *t < 1.0 { 0.5 } else { 0.5 + (20.0 * t).sin() }).collect();
        let record = Record::new(times)?.with_channel("x", None, values)?;
        let made = zeroed(&record, &["x"], 0.0, 0.9)?;
        assert_eq!((made.zeros[0].offset, made.zeros[0].is_quiet), (0.5, true));
        assert_eq!(made.record.channel("x")?.values()[0], 0.0);
        assert!(!zeroed(&record, &["x"], 0.5, 1.5)?.zeros[0].is_quiet);
        assert!(matches!(zeroed(&record, &["x"], 5.0, 6.0), Err(SignalError::Nothing { .. })));
        Ok(())
    }
}
