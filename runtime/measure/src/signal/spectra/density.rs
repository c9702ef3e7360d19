//! Spectral densities.

use crate::record::Record;
use serde::Serialize;

use super::Averaging;
use super::cross::cross;
use crate::signal::SignalError;

/// Spectral density of a channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpectralDensity {
    /// Name of the channel.
    pub channel: String,
    /// Frequencies in Hz, from 0 to half the rate.
    pub frequencies: Vec<f64>,
    /// One-sided densities, in [`unit`](Self::unit): their integral is the variance of the channel about the mean of
    /// its record. That at 0 Hz has no negative frequency beside it.
    pub densities: Vec<f64>,
    /// Square of the channel's unit per Hz, such as `(m/s^2)^2/Hz`; `None` for a channel without a unit.
    pub unit: Option<String>,
    /// Number of segments or repetitions that were averaged.
    pub segments: usize,
    /// Number of independent averages among them, less than that where they overlap.
    pub averages: f64,
}

impl SpectralDensity {
    /// Standard deviations of the densities, which are those over the root of the number of averages.
    pub fn deviations(&self) -> Vec<f64> {
        self.densities.iter().map(|density| density / self.averages.sqrt()).collect()
    }

    /// Mean square of the channel between two frequencies in Hz: the integral of the density, even around each line.
    pub fn mean_square(&self, from: f64, to: f64) -> f64 {
        let at = |k: usize| self.frequencies.get(k).copied();
        let lines = self.densities.iter().enumerate().filter_map(|(k, density)| {
            let here = at(k)?;
            let low = k.checked_sub(1).and_then(at).map_or(here, |before| 0.5 * (before + here));
            let high = at(k + 1).map_or(here, |next| 0.5 * (here + next));
            let sides = if here == 0.0 { 2.0 } else { 1.0 };
            Some(sides * density * (high.min(to) - low.max(from)).max(0.0))
        });
        lines.sum()
    }
}

/// Computes the spectral density of a channel, averaged over segments (Welch), or over repetitions.
///
/// ```
/// # use costate_measure::signal::{Averaging, Record, spectral_density};
/// let values = (0..1000).map(|i| (0.3 * f64::from(i)).sin()).collect();
/// let times = (0..1000).map(|i| 0.01 * f64::from(i)).collect();
/// let record = Record::new(times)?.with_channel("a", Some("m/s^2"), values)?;
/// let density = spectral_density([&record], "a", &Averaging::segments(256))?;
/// assert_eq!(density.unit.as_deref(), Some("(m/s^2)^2/Hz"));
/// assert!((density.mean_square(0.0, 50.0) - 0.5).abs() < 0.01);
/// # Ok::<(), costate_measure::signal::SignalError>(())
/// ```
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::Uneven`], [`SignalError::Missing`], [`SignalError::Short`] for segments of
/// fewer than 8 samples or longer than a record, [`SignalError::Repetition`], [`SignalError::Twice`],
/// [`SignalError::Number`] and [`SignalError::Setting`] for settings that do not fit.
pub fn spectral_density<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    channel: &str,
    averaging: &Averaging,
) -> Result<SpectralDensity, SignalError> {
    if averaging.force.is_some() || averaging.time_constant.is_some() {
        return Err(SignalError::Setting {
            what: "a force window or an exponential window for a density, whose level it changes",
            instead: "leave it out",
        });
    }
    let records: Vec<&Record> = records.into_iter().collect();
    let found = cross(&records, &[channel], 0, averaging, true)?;
    let unit = found.units.into_iter().flatten().next();
    Ok(SpectralDensity {
        channel: channel.to_owned(),
        densities: found.lines.iter().map(|line| line.first().map_or(f64::NAN, |value| value.re)).collect(),
        frequencies: found.frequencies,
        unit: unit.map(|unit| format!("({unit})^2/Hz")),
        segments: found.averages,
        averages: found.effective,
    })
}
