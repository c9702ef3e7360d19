//! Averaged densities and cross densities of several channels.

use std::f64::consts::{PI, TAU};

use costate_numerics::fourier::{Complex, Transform};

use crate::record::Record;

use super::Averaging;
use crate::signal::SignalError;
use crate::signal::error::limited;
use crate::signal::uniform::{Uniform, uniform};

/// Densities of channels with each other.
#[derive(Debug)]
pub(super) struct Cross {
    /// In Hz.
    pub frequencies: Vec<f64>,
    /// For every frequency, the one-sided densities E[conj(X_i) X_k] of channels i and k, row by row.
    pub lines: Vec<Vec<Complex<f64>>>,
    pub averages: usize,
    /// Number of independent averages.
    pub effective: f64,
    pub units: Vec<Option<String>>,
    pub notes: Vec<String>,
}

/// The windows of the samples of a segment, for inputs and for outputs.
struct Windows {
    inputs: Vec<f64>,
    outputs: Vec<f64>,
    /// Sum of the squares of the window without those of blows.
    power: f64,
}

/// The lines of a segment: by a fast transform, or one by one.
enum Lines {
    Fast { transform: Transform, lines: Vec<usize> },
    Single { frequencies: Vec<f64>, interval: f64 },
}

impl Lines {
    fn of(&mut self, values: impl Iterator<Item = f64>) -> Vec<Complex<f64>> {
        match self {
            Self::Fast { transform, lines } => {
                let mut all: Vec<_> = values.map(|value| Complex::new(value, 0.0)).collect();
                transform.apply(&mut all);
                lines.iter().map(|line| all.get(*line).copied().unwrap_or_default()).collect()
            }
            Self::Single { frequencies, interval } => {
                let values: Vec<f64> = values.collect();
                let line = |frequency: &f64| {
                    let step = -TAU * frequency * *interval;
                    let terms = values.iter().enumerate();
                    terms.map(|(i, value)| Complex::from_polar(*value, step * i as f64)).sum()
                };
                frequencies.iter().map(line).collect()
            }
        }
    }
}

/// Averages the densities of `channels`, of which the first `inputs` are inputs; `with_ends` has the lines at 0 Hz and
/// half the rate as well.
pub(super) fn cross(
    records: &[&Record],
    channels: &[&str],
    inputs: usize,
    averaging: &Averaging,
    with_ends: bool,
) -> Result<Cross, SignalError> {
    let signals = signals(records, channels, averaging)?;
    let Some((first, shortest)) = records.first().zip(records.iter().min_by_key(|record| record.times().len())) else {
        return Err(SignalError::short("no record", "a spectrum", 0, 1));
    };
    let interval = signals.first().and_then(|all| all.first()).map_or(f64::NAN, |signal| signal.interval);
    averaging.check(shortest, interval)?;
    let length = averaging.length.unwrap_or_else(|| shortest.times().len());
    let (frequencies, mut lines) = grid(averaging, length, interval, with_ends)?;
    let windows = windows(averaging, length, interval);
    let step = length - ((averaging.overlap * length as f64) as usize).min(length - 1);
    let count = channels.len();
    let mut sums = vec![vec![Complex::default(); count * count]; frequencies.len()];
    let (mut averages, mut overlaps) = (0_usize, 0.0);
    let mean_of = |values: &[f64]| averaging.length.map_or(0.0, |_| values.iter().sum::<f64>() / values.len() as f64);
    for signals in &signals {
        let samples = signals.first().map_or(0, |signal| signal.values.len());
        let means: Vec<f64> = signals.iter().map(|signal| mean_of(signal.values)).collect();
        let own = (samples - length) / step + 1;
        averages += own;
        overlaps += overlap_sum(&windows.inputs, own, step, averaging.time_constant.is_some());
        for start in (0..own).map(|k| k * step) {
            let of_channels: Vec<_> = signals
                .iter()
                .zip(&means)
                .enumerate()
                .map(|(channel, (signal, mean))| {
                    let part = signal.values.get(start..start + length).unwrap_or_default();
                    // a density keeps what is slower than a segment, which is a drift beside a response
                    let mean = if with_ends { *mean } else { mean_of(part) };
                    let window = if channel < inputs { &windows.inputs } else { &windows.outputs };
                    lines.of(part.iter().zip(window).map(|(value, weight)| (value - mean) * weight))
                })
                .collect();
            for (line, sums) in sums.iter_mut().enumerate() {
                let at = |channel: &Vec<Complex<f64>>| channel.get(line).copied().unwrap_or_default();
                let pairs = of_channels.iter().flat_map(|a| of_channels.iter().map(move |b| at(a).conj() * at(b)));
                sums.iter_mut().zip(pairs).for_each(|(sum, product)| *sum += product);
            }
        }
    }
    for (frequency, line) in frequencies.iter().zip(&mut sums) {
        // a line stands for its negative frequency as well, but for 0 and half the rate
        let at_end = *frequency == 0.0 || (frequency * 2.0 * interval - 1.0).abs() < 1e-9;
        let sides = if at_end { 1.0 } else { 2.0 };
        let scale = sides * interval / (windows.power * averages as f64);
        line.iter_mut().for_each(|value| *value *= scale);
        for (channel, name) in channels.iter().enumerate() {
            if !line.get(channel * (count + 1)).is_some_and(|density| density.re.is_finite()) {
                let (record, channel) = (first.name().to_owned(), (*name).to_owned());
                return Err(SignalError::Range { record, channel, what: "the density" });
            }
        }
    }
    let effective = (averages as f64).powi(2) / overlaps;
    let units = channels.iter().map(|name| Ok(first.channel(name)?.unit().map(str::to_owned)));
    let units = units.collect::<Result<_, SignalError>>()?;
    let notes = notes(averaging, &signals, inputs, &windows);
    Ok(Cross { frequencies, lines: sums, averages, effective, units, notes })
}

/// The channels of all records, which must have the same interval and units and, as repetitions, the same length.
fn signals<'a>(
    records: &[&'a Record],
    channels: &[&str],
    averaging: &Averaging,
) -> Result<Vec<Vec<Uniform<'a>>>, SignalError> {
    for (index, channel) in channels.iter().enumerate() {
        if channels.iter().take(index).any(|other| other == channel) {
            return Err(SignalError::Repeated { channel: (*channel).to_owned() });
        }
    }
    let all = records
        .iter()
        .map(|record| channels.iter().map(|channel| uniform(record, channel, "a spectrum", 8)).collect())
        .collect::<Result<Vec<Vec<Uniform<'a>>>, _>>()?;
    let Some(first) = all.first() else { return Ok(all) };
    for (index, (own, record)) in all.iter().zip(records).enumerate().skip(1) {
        let refused = |what| Err(SignalError::Repetition { index, record: record.name().to_owned(), what });
        for (a, b) in own.iter().zip(first) {
            if (a.interval / b.interval - 1.0).abs() > 1e-6 {
                return refused("sampling interval");
            }
            if a.channel.unit() != b.channel.unit() {
                return refused("units");
            }
            if averaging.length.is_none() && a.values.len() != b.values.len() {
                return refused("number of samples");
            }
        }
        let same = |other: &Vec<Uniform<'_>>| other.iter().zip(own).all(|(a, b)| a.values == b.values);
        if let Some(earlier) = all.iter().take(index).position(same) {
            return Err(SignalError::Twice { first: earlier, second: index, record: record.name().to_owned() });
        }
    }
    Ok(all)
}

/// The frequencies in Hz and the way to their lines.
fn grid(
    averaging: &Averaging,
    length: usize,
    interval: f64,
    with_ends: bool,
) -> Result<(Vec<f64>, Lines), SignalError> {
    let spacing = 1.0 / (length as f64 * interval);
    let half = 0.5 / interval;
    let (from, to) = averaging.band.unwrap_or((0.0, half));
    if let Some(frequencies) = &averaging.frequencies {
        let mut before = 0.0;
        for &value in frequencies {
            let limits = format!("above {before} Hz, or the one before it, and below {half} Hz, half of the rate");
            let is_within = value > before && value < half;
            before = limited(is_within, ("the frequency", value), limits, "give each frequency once, increasing")?;
        }
    }
    let (frequencies, lines) = match &averaging.frequencies {
        Some(wanted) => {
            let kept: Vec<f64> = wanted.iter().copied().filter(|f| (from..=to).contains(f)).collect();
            (kept.clone(), Lines::Single { frequencies: kept, interval })
        }
        None => {
            let inner = |line: &usize| with_ends || (*line > 0 && 2 * line < length);
            let at = |line: usize| line as f64 * spacing;
            // the ends of a band may be rounded
            let room = 1e-9 * spacing;
            let kept = |line: &usize| inner(line) && (from - room..=to + room).contains(&at(*line));
            let lines: Vec<usize> = (0..=length / 2).filter(kept).collect();
            let frequencies = lines.iter().map(|line| at(*line)).collect();
            (frequencies, Lines::Fast { transform: Transform::forward(length), lines })
        }
    };
    if frequencies.is_empty() {
        return Err(SignalError::Band { from, to, spacing, half });
    }
    Ok((frequencies, lines))
}

fn windows(averaging: &Averaging, length: usize, interval: f64) -> Windows {
    let base: Vec<f64> = (0..length).map(|i| averaging.window.at(i as f64 / length as f64)).collect();
    let power = base.iter().map(|weight| weight * weight).sum();
    let time = |i: usize| i as f64 * interval;
    let decay = averaging.time_constant.map_or(0.0, f64::recip);
    let outputs: Vec<f64> = base.iter().enumerate().map(|(i, weight)| weight * (-time(i) * decay).exp()).collect();
    let force = |time: f64| {
        let Some((from, until)) = averaging.force else { return 1.0 };
        let outside = (from - time).max(time - until).max(0.0) / (0.1 * (until - from));
        0.5 + 0.5 * (PI * outside.min(1.0)).cos()
    };
    let inputs = outputs.iter().enumerate().map(|(i, weight)| weight * force(time(i))).collect();
    Windows { inputs, outputs, power }
}

/// Sum over pairs of segments of the squared correlation of their lines, for a random input with even densities (Welch
/// 1967): the number of segments if they do not overlap.
fn overlap_sum(window: &[f64], segments: usize, step: usize, apart: bool) -> f64 {
    let mut sum = segments as f64;
    if apart {
        return sum;
    }
    let power: f64 = window.iter().map(|weight| weight * weight).sum();
    for lag in (1..segments).take_while(|lag| lag * step < window.len()) {
        let shifted = window.get(lag * step..).unwrap_or_default();
        let common: f64 = window.iter().zip(shifted).map(|(a, b)| a * b).sum();
        sum += 2.0 * (segments - lag) as f64 * (common / power).powi(2);
    }
    sum
}

/// Sentences about blows that do not fit into their windows.
fn notes(averaging: &Averaging, signals: &[Vec<Uniform<'_>>], inputs: usize, windows: &Windows) -> Vec<String> {
    /// Largest part of the energy of a force that a window takes off without a warning.
    const MAX_LOSS: f64 = 0.01;
    /// Largest part of the greatest value of an output that its last tenth reaches without a warning.
    const MAX_REMAINDER: f64 = 0.05;
    if averaging.length.is_some() || averaging.window != crate::signal::Window::Rectangular {
        return Vec::new();
    }
    let mut notes = Vec::new();
    for channel in 0..signals.first().map_or(0, Vec::len) {
        let own = || signals.iter().filter_map(|all| all.get(channel));
        let name = own().next().map_or("", |signal| signal.channel.name());
        if channel < inputs && averaging.force.is_some() {
            let taken = |signal: &Uniform<'_>| {
                let energy = |weights: &[f64]| -> f64 {
                    signal.values.iter().zip(weights).map(|(value, weight)| (value * weight).powi(2)).sum()
                };
                1.0 - energy(&windows.inputs) / energy(&windows.outputs)
            };
            let most = own().map(taken).fold(0.0, f64::max);
            if most > MAX_LOSS {
                notes.push(format!(
                    "the force window takes off up to {:.0} % of the energy of `{name}`, which is noise if the blow \
                         is inside",
                    100.0 * most
                ));
            }
        }
        let left = |signal: &Uniform<'_>| {
            let sizes: Vec<f64> =
                signal.values.iter().zip(&windows.outputs).map(|(value, weight)| (value * weight).abs()).collect();
            let largest = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
            largest(sizes.get(sizes.len() - sizes.len() / 10..).unwrap_or_default()) / largest(&sizes)
        };
        let most = own().map(left).fold(0.0, f64::max);
        if channel >= inputs && most > MAX_REMAINDER {
            notes.push(format!(
                "the last tenth of a repetition still has {:.0} % of the largest value of `{name}`: if it is not \
                     periodic, take longer pieces or an exponential window",
                100.0 * most
            ));
        }
    }
    notes
}
