//! Orders over the speed or over time.

use crate::record::Record;

use super::lines::{Lines, columns};
use super::passages::passages;
use super::{MapAxis, Mapping, Quantity, SpectralMap};
use crate::signal::error::positive;
use crate::signal::uniform::within_range;
use crate::signal::{SignalError, Tacho};

/// Computes the spectra of blocks of revolutions, of the signal over the angle, over the speed of the shaft in 1/min or
/// over the time: orders stay where they are while the speed changes. Every speed has the mean square of the blocks in
/// whose middles the shaft passes it.
///
/// Orders above the rate of the record are not there at low speeds: the map has NaN at such speeds.
///
/// # Errors
/// As of [`Tacho::over_angle`]; [`SignalError::Short`] for a record of less than a block, [`SignalError::Steady`] for a
/// speed that hardly changes, [`SignalError::Number`].
pub fn order_map(record: &Record, channel: &str, tacho: &Tacho, mapping: &Mapping) -> Result<SpectralMap, SignalError> {
    /// Samples of a revolution over the highest order: orders up to 0.8 of half of them keep their amplitudes.
    const SAMPLES_PER_ORDER: f64 = 2.5;
    let highest = positive("the highest order", mapping.highest_order, "give an order such as 20")?;
    let per_revolution = (SAMPLES_PER_ORDER * highest).ceil().max(4.0) as usize;
    let over = tacho.over_angle(record, &[channel], per_revolution)?;
    let revolutions = mapping.block_revolutions(tacho.revolutions());
    let length = per_revolution.saturating_mul(revolutions);
    let (times, samples) = (over.times(), over.times().len());
    if revolutions == 0 || samples < length {
        let what = "a block of revolutions, resampled over the angle,";
        return Err(SignalError::short(record.name(), what, samples, length.max(1)));
    }
    let signal = over.channel(channel)?;
    // a block is as long as its samples' intervals
    let speed = |start: usize| {
        let span = times.get(start + length - 1)? - times.get(start)?;
        Some(60.0 * (length - 1) as f64 / per_revolution as f64 / span)
    };
    let step = mapping.step(length)?;
    let found: Vec<(usize, f64)> = (0..=samples - length)
        .step_by(if mapping.over_time { step } else { step.min((length / 8).max(1)) })
        .filter_map(|start| Some((start, speed(start)?)))
        .collect();
    let (x, speeds, starts) = if mapping.over_time {
        let middle = |(start, _): &(usize, f64)| {
            Some(0.5 * (times.get(start + (length - 1) / 2)? + times.get(start + length / 2)?))
        };
        let x = MapAxis { name: "time", unit: Some("s"), values: found.iter().filter_map(middle).collect() };
        (x, found.iter().map(|one| one.1).collect(), found.iter().map(|one| vec![one.0]).collect())
    } else {
        let found = passages(record.name(), &found, mapping.speeds, length)?;
        let x = MapAxis { name: "speed", unit: Some("1/min"), values: found.speeds.clone() };
        (x, found.speeds, found.starts)
    };
    let spacing = 1.0 / revolutions as f64;
    let last = ((highest / spacing) as usize).min(length / 2);
    let mut lines = Lines::new(mapping, length, 1.0 / per_revolution as f64, last);
    let mut values = columns(&mut lines, signal.values(), &starts)?;
    within_range(&over, signal, "the spectrum of orders", &values)?;
    let orders: Vec<f64> = (1..=last).map(|line| line as f64 * spacing).collect();
    let notes = above_rate(record, &speeds, &orders, &mut values);
    let unit = signal.unit().map(|unit| match mapping.quantity {
        Quantity::Density => format!("({unit})^2/order"),
        Quantity::Amplitude | Quantity::Rms => unit.to_owned(),
    });
    Ok(SpectralMap {
        record: record.name().to_owned(),
        channel: channel.to_owned(),
        x,
        y: MapAxis { name: "order", unit: None, values: orders },
        values,
        quantity: mapping.quantity,
        unit,
        speeds: Some(speeds),
        bandwidth: lines.bandwidth() * spacing,
        notes,
    })
}

/// Removes orders that the rate of the record does not hold, at the speeds where it does not.
fn above_rate(record: &Record, speeds: &[f64], orders: &[f64], values: &mut [f64]) -> Vec<String> {
    let Some(interval) = record.interval() else { return Vec::new() };
    // the low pass of the angle's samples begins here
    let highest = 0.8 * 0.5 / interval;
    let mut removed = false;
    for (row, order) in values.chunks_exact_mut(speeds.len().max(1)).zip(orders) {
        for (value, speed) in row.iter_mut().zip(speeds) {
            if order * speed / 60.0 > highest {
                (*value, removed) = (f64::NAN, true);
            }
        }
    }
    let note = format!("orders above {highest:.0} Hz, 0.8 of half the sampling rate, are left out");
    if removed { vec![note] } else { Vec::new() }
}
