//! Channels without gaps at equidistant times.

use crate::record::{Channel, Record};
use crate::signal::SignalError;

/// The samples of a channel at equidistant times, none of them missing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Uniform<'a> {
    /// First time in s.
    pub start: f64,
    /// Distance of samples in s.
    pub interval: f64,
    pub values: &'a [f64],
    pub channel: &'a Channel,
}

/// Returns the distance of equidistant samples in s.
pub(crate) fn interval_of(record: &Record, what: &'static str, least: usize) -> Result<f64, SignalError> {
    let samples = record.times().len();
    if samples < least.max(2) {
        return Err(SignalError::short(record.name(), what, samples, least.max(2)));
    }
    record.interval().ok_or_else(|| SignalError::Uneven { record: record.name().to_owned(), samples })
}

/// Returns the channel with this name if it has at least `least` equidistant samples, and none is missing.
pub(crate) fn uniform<'a>(
    record: &'a Record,
    channel: &str,
    what: &'static str,
    least: usize,
) -> Result<Uniform<'a>, SignalError> {
    let channel = record.channel(channel)?;
    let interval = interval_of(record, what, least)?;
    complete(record, channel)?;
    let start = record.times().first().copied().unwrap_or(0.0);
    Ok(Uniform { start, interval, values: channel.values(), channel })
}

/// Checks that no sample of the channel is missing.
pub(crate) fn complete(record: &Record, channel: &Channel) -> Result<(), SignalError> {
    let Some(at) = channel.values().iter().position(|value| value.is_nan()) else { return Ok(()) };
    Err(SignalError::Missing {
        record: record.name().to_owned(),
        channel: channel.name().to_owned(),
        missing: channel.missing(),
        first: record.times().get(at).copied().unwrap_or(f64::NAN),
    })
}

/// Replaces the values of a channel that keeps its unit.
pub(crate) fn replaced(
    record: Record,
    channel: &Channel,
    what: &'static str,
    values: Vec<f64>,
) -> Result<Record, SignalError> {
    within_range(&record, channel, what, &values)?;
    Ok(record.with_values_of(channel.name(), channel.unit(), values)?)
}

/// Checks that no value is infinite.
pub(crate) fn within_range(
    record: &Record,
    channel: &Channel,
    what: &'static str,
    values: &[f64],
) -> Result<(), SignalError> {
    // A sum of infinities is NaN, where no sample was missing.
    let lost =
        |(value, before): (&f64, Option<&f64>)| !value.is_finite() && before.is_none_or(|before| before.is_finite());
    let same = values.len() == channel.values().len();
    let beyond = values.iter().enumerate().any(|(i, value)| lost((value, channel.values().get(i).filter(|_| same))));
    if !beyond {
        return Ok(());
    }
    Err(SignalError::Range { record: record.name().to_owned(), channel: channel.name().to_owned(), what })
}
