//! Frequencies over time or over the speed.

use costate_contract::shown::Shown;

use crate::record::Record;

use super::lines::{Lines, columns};
use super::passages::passages;
use super::{MapAxis, Mapping, Quantity, SpectralMap};
use crate::signal::uniform::{Uniform, uniform, within_range};
use crate::signal::{SignalError, Tacho};

/// Computes the spectra of segments over the time of their middles, each without its mean.
///
/// ```
/// # use costate_measure::signal::{Mapping, Record, spectrogram};
/// let values = (0..4000).map(|i| 2.0 * (0.5 * f64::from(i)).sin()).collect();
/// let times = (0..4000).map(|i| 1e-3 * f64::from(i)).collect();
/// let record = Record::new(times)?.with_channel("a", Some("m/s^2"), values)?;
/// let map = spectrogram(&record, "a", &Mapping::default())?;
/// let highest = map.values.iter().copied().fold(0.0, f64::max);
/// assert!((highest - 2.0).abs() < 2e-3);
/// # Ok::<(), costate_measure::signal::SignalError>(())
/// ```
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::Uneven`], [`SignalError::Missing`], [`SignalError::Short`] for segments of
/// fewer than 16 samples or longer than the record, [`SignalError::Number`].
pub fn spectrogram(record: &Record, channel: &str, mapping: &Mapping) -> Result<SpectralMap, SignalError> {
    let (signal, length, step) = segments(record, channel, mapping)?;
    let starts: Vec<usize> = (0..=signal.values.len() - length).step_by(step).collect();
    let middle = |start: &usize| signal.start + (*start as f64 + 0.5 * (length - 1) as f64) * signal.interval;
    let x = MapAxis { name: "time", unit: Some("s"), values: starts.iter().map(middle).collect() };
    let groups: Vec<Vec<usize>> = starts.into_iter().map(|start| vec![start]).collect();
    map(record, &signal, mapping, length, x, &groups)
}

/// Computes spectra over the speed of a shaft, in 1/min: every speed has the mean square of the segments in whose
/// middles the shaft passes it.
///
/// # Errors
/// As of [`spectrogram`]; [`SignalError::Steady`] for a speed that hardly changes.
pub fn speed_map(record: &Record, channel: &str, tacho: &Tacho, mapping: &Mapping) -> Result<SpectralMap, SignalError> {
    let (signal, length, step) = segments(record, channel, mapping)?;
    let duration = (length - 1) as f64 * signal.interval;
    let begin = |start: usize| signal.start + start as f64 * signal.interval;
    let speed = |from: f64, to: f64| Some(60.0 * (tacho.turns_at(to)? - tacho.turns_at(from)?) / (to - from));
    let found: Vec<(usize, f64)> = (0..=signal.values.len() - length)
        .step_by(step.min((length / 8).max(1)))
        .filter_map(|start| Some((start, speed(begin(start), begin(start) + duration)?)))
        .collect();
    let found_at = passages(record.name(), &found, mapping.speeds, length)?;
    let x = MapAxis { name: "speed", unit: Some("1/min"), values: found_at.speeds.clone() };
    let mut made = map(record, &signal, mapping, length, x, &found_at.starts)?;
    // the change within a segment, from one half to the other
    let change = |start: &usize| {
        let (from, half) = (begin(*start), 0.5 * duration);
        let (first, second) = (speed(from, from + half)?, speed(from + half, from + 2.0 * half)?);
        Some((2.0 * (second - first) / (first + second)).abs() * 2.0)
    };
    let most = found_at.starts.iter().flatten().filter_map(change).fold(0.0, f64::max);
    // a line that moves by more than this part of a line's distance loses height
    let highest = 1.0 / (most * duration);
    if made.y.values.last().is_some_and(|last| highest < *last) {
        made.notes.push(format!(
            "the speed changes by up to {:.1} % within a segment: orders above {} Hz move by more than a line, and \
                 are too small; take shorter segments, or a map of orders",
            100.0 * most,
            Shown(highest)
        ));
    }
    made.speeds = Some(found_at.speeds);
    Ok(made)
}

fn segments<'a>(
    record: &'a Record,
    channel: &str,
    mapping: &Mapping,
) -> Result<(Uniform<'a>, usize, usize), SignalError> {
    let length = mapping.segment_length(record.times().len());
    let signal = uniform(record, channel, "a segment of a spectrogram", length.max(16))?;
    if length < 16 {
        return Err(SignalError::short(record.name(), "a segment of a spectrogram", length, 16));
    }
    let step = mapping.step(length)?;
    Ok((signal, length, step))
}

fn map(
    record: &Record,
    signal: &Uniform<'_>,
    mapping: &Mapping,
    length: usize,
    x: MapAxis,
    starts: &[Vec<usize>],
) -> Result<SpectralMap, SignalError> {
    let mut lines = Lines::new(mapping, length, signal.interval, length / 2);
    let values = columns(&mut lines, signal.values, starts)?;
    within_range(record, signal.channel, "the spectrum", &values)?;
    let spacing = 1.0 / (length as f64 * signal.interval);
    let unit = signal.channel.unit().map(|unit| match mapping.quantity {
        Quantity::Density => format!("({unit})^2/Hz"),
        Quantity::Amplitude | Quantity::Rms => unit.to_owned(),
    });
    Ok(SpectralMap {
        record: record.name().to_owned(),
        channel: signal.channel.name().to_owned(),
        x,
        y: MapAxis {
            name: "frequency",
            unit: Some("Hz"),
            values: (1..=length / 2).map(|line| line as f64 * spacing).collect(),
        },
        values,
        quantity: mapping.quantity,
        unit,
        speeds: None,
        bandwidth: lines.bandwidth() * spacing,
        notes: Vec::new(),
    })
}
