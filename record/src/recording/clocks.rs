//! Channels with common times, and records made of them.

use std::sync::Arc;

use costate_contract::units::{Purpose, Scale, is_unit};
use costate_formats::{Axis, Channel, ClockTime, Format, Group};

use super::error::ClockInfo;
use super::names::{is_interval, is_time, may_be_rate};
use super::{RecordingError, Times, same_axis};
use crate::csv::{is_usual, unusual};
use crate::{Doubt, Record, RecordError};

/// Sets of times with their channels, in the order of the file.
pub(super) struct Clocks {
    clocks: Vec<Clock>,
}

struct Clock {
    axis: Axis,
    start: Option<ClockTime>,
    samples: usize,
    channels: Vec<(String, Channel)>,
}

/// Plain data of a record.
pub(super) fn of_record(record: Record, format: Format) -> costate_formats::Recording {
    let mut recording = costate_formats::Recording::new(format);
    let mut group = Group::new("");
    let axis = axis_of(&record.times);
    for channel in record.channels {
        let values = Arc::try_unwrap(channel.values).unwrap_or_else(|shared| (*shared).clone());
        let mut own = Channel::new(channel.name, values);
        own.unit = channel.unit;
        own.axis = axis.clone();
        group.channels.push(own);
    }
    recording.groups.push(group);
    recording
}

/// The axis that gives exactly these times: equidistant only where that gives the same bits.
pub(crate) fn axis_of(times: &Arc<Vec<f64>>) -> Axis {
    if let (Some(&start), Some(step)) = (times.first(), crate::interval(times)) {
        let even = Axis::Even { start, step };
        if times.iter().enumerate().all(|(index, time)| even.at(index) == Some(*time)) {
            return even;
        }
    }
    Axis::Stamps(Arc::clone(times))
}

/// The channel or variable from which times come.
#[derive(Debug, Clone, Default)]
pub(super) struct TimeSource {
    /// Name of the channel of times; `None` for those of the file.
    channel: Option<String>,
    /// The unit of its numbers, if it is known.
    unit: Option<String>,
    /// True for an interval or rate that was given.
    is_given: bool,
    /// The variable of the rate.
    variable: Option<Variable>,
}

/// A variable with a rate or an interval.
#[derive(Debug, Clone)]
struct Variable {
    name: String,
    value: f64,
    /// True if the value was taken for an interval.
    is_interval: bool,
    /// True if name or unit tell which of both it is.
    is_clear: bool,
    /// The interval in s.
    interval: f64,
}

impl TimeSource {
    /// Doubts about times in s.
    pub fn doubts(&self, times: &[f64]) -> Vec<Doubt> {
        if let Some(Variable { name, value, is_interval, is_clear, interval }) = &self.variable {
            let (variable, value, is_interval, interval) = (name.clone(), *value, *is_interval, *interval);
            let doubt = Doubt::RateOf { variable, value, is_interval, interval };
            return if *is_clear && is_usual(interval) { Vec::new() } else { vec![doubt] };
        }
        let name = self.channel.as_deref().unwrap_or("time");
        let unit = self.unit.as_deref().unwrap_or("s");
        let assumed = self.unit.is_none() && self.channel.is_some();
        let found = match self.is_given {
            true => None,
            false => unusual(times, name, crate::csv::time_unit(unit).unwrap_or(unit), assumed),
        };
        found.into_iter().collect()
    }
}

/// Gives times to the kept channels for which the file has none, and an even clock to all where all have some. Returns where times of
/// channels were taken from.
pub(super) fn give_times(
    file: &str,
    data: &mut costate_formats::Recording,
    (times, unit): (&Times, Option<&str>),
    is_kept: &dyn Fn(&str, &str) -> bool,
) -> Result<Option<TimeSource>, RecordError> {
    let mut source = None;
    let every = match times {
        Times::Every(interval) => {
            source = Some(TimeSource { is_given: true, ..TimeSource::default() });
            Some(*interval)
        }
        Times::RateOf(name) => {
            let variable = Variable::of(find(file, data, name)?, file)?;
            let interval = variable.interval;
            source = Some(TimeSource { variable: Some(variable), ..TimeSource::default() });
            Some(interval)
        }
        Times::Found | Times::Channel(_) => None,
    };
    if let Some(interval) = every.filter(|interval| !(*interval > 0.0 && interval.is_finite())) {
        return Err(RecordingError::Interval { file: file.to_owned(), interval }.into());
    }
    if every.is_some() {
        give_up_times(data, is_kept);
    }
    let constants = constants(data);
    // a channel of times of the whole file, where groups have none of their own
    let named = match times {
        Times::Channel(name) => {
            let channel = find(file, data, name)?;
            source = Some(TimeSource::of(channel, unit));
            Some((channel.values.len(), Axis::Stamps(Arc::new(seconds(file, channel, unit)?))))
        }
        _ => None,
    };
    for group in &mut data.groups {
        let is_open = |channel: &Channel| channel.axis == Axis::Unknown && channel.values.len() > 1;
        if !group.channels.iter().any(|channel| is_open(channel) && is_kept(&group.name, &channel.name)) {
            group.channels.retain(|channel| !(channel.axis == Axis::Unknown && channel.values.len() <= 1));
            continue;
        }
        let mut axes: Vec<(usize, Axis)> = Vec::new();
        let mut taken: Vec<usize> = Vec::new();
        if let Some(interval) = every {
            let lengths = group.channels.iter().map(|channel| channel.values.len());
            axes.extend(lengths.map(|length| (length, Axis::Even { start: 0.0, step: interval })));
        } else if let Some(axis) = &named {
            axes.push(axis.clone());
        } else {
            let is_own_time = |channel: &Channel| {
                is_open(channel) && is_time(&channel.name) && channel.imaginary.is_empty()
            };
            for (index, channel) in
                group.channels.iter().enumerate().filter(|(_, channel)| is_own_time(channel))
            {
                if axes.iter().any(|(length, _)| *length == channel.values.len()) {
                    return Err(no_times(
                        file,
                        group,
                        is_kept,
                        "several channels may be the time: name it by the option `time`",
                    ));
                }
                axes.push((channel.values.len(), Axis::Stamps(Arc::new(seconds(file, channel, unit)?))));
                source.get_or_insert_with(|| TimeSource::of(channel, unit));
                taken.push(index);
            }
        }
        for channel in group.channels.iter_mut().filter(|channel| is_open(channel)) {
            if let Some((_, axis)) = axes.iter().find(|(length, _)| *length == channel.values.len()) {
                channel.axis = axis.clone();
            }
        }
        if group.channels.iter().any(|channel| is_open(channel) && is_kept(&group.name, &channel.name)) {
            return Err(no_times(file, group, is_kept, &remedy(&constants)));
        }
        let named = match times {
            Times::Channel(name) => Some(name),
            _ => None,
        };
        let mut index = 0;
        group.channels.retain(|channel| {
            let is_taken = taken.contains(&index) || named == Some(&channel.name);
            index += 1;
            !is_taken && (channel.axis != Axis::Unknown)
        });
    }
    if times == &Times::Found
        && source.is_none()
        && let Some(unit) = unit
    {
        rescale(file, data, unit)?;
    }
    Ok(source)
}

/// Takes the times of all kept channels away if all have some, since others are given; channels that are times alone are no signals then.
fn give_up_times(data: &mut costate_formats::Recording, is_kept: &dyn Fn(&str, &str) -> bool) {
    let kept = |group: &Group| -> Vec<usize> {
        let all = group.channels.iter().enumerate();
        all.filter(|(_, channel)| is_kept(&group.name, &channel.name)).map(|(at, _)| at).collect()
    };
    let mut all = data.groups.iter().flat_map(|group| kept(group).into_iter().map(|at| &group.channels[at]));
    let is_timed = |channel: &Channel| channel.axis != Axis::Unknown || channel.values.len() <= 1;
    if all.all(is_timed) {
        let channels = data.groups.iter_mut().flat_map(|group| &mut group.channels);
        channels.for_each(|channel| channel.axis = Axis::Unknown);
    }
    for group in &mut data.groups {
        group.channels.retain(|channel| channel.axis != Axis::Unknown || !is_time(&channel.name));
    }
}

/// Takes times of the file, which are numbers of s, for numbers of this unit.
fn rescale(file: &str, data: &mut costate_formats::Recording, unit: &str) -> Result<(), RecordError> {
    let seconds = scale_of(file, "time", unit)?.apply(1.0);
    for channel in data.groups.iter_mut().flat_map(|group| &mut group.channels) {
        channel.axis = match &channel.axis {
            Axis::Stamps(stamps) => {
                Axis::Stamps(Arc::new(stamps.iter().map(|time| time * seconds).collect()))
            }
            Axis::Even { start, step } => Axis::Even { start: start * seconds, step: step * seconds },
            other => other.clone(),
        };
    }
    Ok(())
}

fn no_times(file: &str, group: &Group, is_kept: &dyn Fn(&str, &str) -> bool, remedy: &str) -> RecordError {
    let open =
        group.channels.iter().filter(|channel| channel.axis == Axis::Unknown && channel.values.len() > 1);
    let open: Vec<&Channel> = open.filter(|channel| is_kept(&group.name, &channel.name)).collect();
    RecordingError::NoTimes {
        file: file.to_owned(),
        channels: open.iter().map(|channel| channel.name.clone()).collect(),
        samples: open.iter().map(|channel| channel.values.len()).max().unwrap_or(0),
        remedy: remedy.to_owned(),
    }
    .into()
}

/// Ways to give times, with the variables that may be a rate or an interval.
fn remedy(constants: &[(String, f64)]) -> String {
    let rates: Vec<String> = constants
        .iter()
        .filter(|(name, _)| may_be_rate(name) || is_interval(name))
        .take(4)
        .map(|(name, value)| format!("`{name}` is {value}"))
        .collect();
    let rate = match rates.is_empty() {
        true => String::new(),
        false => {
            format!(
                ", or the option `rate_of` where a variable is the rate or the interval ({})",
                rates.join(", ")
            )
        }
    };
    format!(
        "set the option `rate` in Hz, the option `every` in s, or the option `time` with the channel of times{rate}"
    )
}

/// Variables of one value.
fn constants(data: &costate_formats::Recording) -> Vec<(String, f64)> {
    let all = data.groups.iter().flat_map(|group| &group.channels);
    all.filter_map(|channel| match channel.values.as_slice() {
        [value, rest @ ..] if rest.iter().all(|other| other == value) => Some((channel.name.clone(), *value)),
        _ => None,
    })
    .collect()
}

fn find<'a>(
    file: &str,
    data: &'a costate_formats::Recording,
    name: &str,
) -> Result<&'a Channel, RecordError> {
    let all = || data.groups.iter().flat_map(|group| &group.channels);
    all().find(|channel| channel.name == name).ok_or_else(|| {
        let names: Vec<&str> = all().map(|channel| channel.name.as_str()).collect();
        RecordError::MissingChannel {
            record: file.to_owned(),
            channel: name.to_owned(),
            available: super::names::nearest(name, &names),
        }
    })
}

impl Variable {
    /// Takes the only value of a variable for an interval or a rate, as its unit or else its name says.
    fn of(channel: &Channel, file: &str) -> Result<Self, RecordError> {
        let (name, bracketed) = costate_contract::tables::name_and_unit(&channel.name);
        let value = match channel.values.as_slice() {
            [value, rest @ ..] if rest.iter().all(|other| other == value) => *value,
            values => {
                let (file, channel, values, wanted) =
                    (file.to_owned(), name.to_owned(), values.len(), "one".to_owned());
                return Err(RecordingError::Length { file, channel, values, wanted }.into());
            }
        };
        let unit = channel.unit.as_deref().or(bracketed).map(str::trim).filter(|unit| is_unit(unit));
        let of_time = unit.and_then(crate::csv::time_unit);
        let (is_interval, interval) = match (of_time, unit) {
            (Some(unit), _) => (true, scale_of(file, name, unit)?.apply(value)),
            (None, Some(unit)) => {
                let origin = format!("`{file}`");
                let rate =
                    Purpose { origin: &origin, column: name, quantity: "the sampling rate", wanted: "Hz" };
                (false, 1.0 / rate.conversion(unit)?.apply(value))
            }
            (None, None) if is_interval(name) => (true, value),
            (None, None) => (false, 1.0 / value),
        };
        let is_clear = unit.is_some() || is_interval || may_be_rate(name);
        Ok(Self { name: name.to_owned(), value, is_interval, is_clear, interval })
    }
}

fn scale_of(file: &str, column: &str, unit: &str) -> Result<Scale, RecordError> {
    let origin = format!("`{file}`");
    Ok(Purpose { origin: &origin, column, quantity: "the time of a record", wanted: "s" }.conversion(unit)?)
}

impl TimeSource {
    /// A channel of times, whose numbers may have been given a unit.
    fn of(channel: &Channel, unit: Option<&str>) -> Self {
        let (name, bracketed) = costate_contract::tables::name_and_unit(&channel.name);
        let unit = unit.or(channel.unit.as_deref()).or(bracketed).map(str::to_owned);
        Self { channel: Some(name.to_owned()), unit, ..Self::default() }
    }
}

/// Values of a channel of times in s, which must increase.
fn seconds(file: &str, channel: &Channel, given: Option<&str>) -> Result<Vec<f64>, RecordError> {
    let (name, bracketed) = costate_contract::tables::name_and_unit(&channel.name);
    let unit = given.or(channel.unit.as_deref()).or(bracketed);
    let scale = unit.map(|unit| scale_of(file, name, unit)).transpose()?;
    let times: Vec<f64> = channel
        .values
        .iter()
        .map(|value| scale.as_ref().map_or(*value, |scale| scale.apply(*value)))
        .collect();
    let mut before = f64::NEG_INFINITY;
    for (index, &value) in times.iter().enumerate() {
        if !(value.is_finite() && value > before) {
            let (file, channel) = (file.to_owned(), channel.name.clone());
            return Err(RecordingError::Time { file, channel, index, value, before }.into());
        }
        before = value;
    }
    Ok(times)
}

impl Clocks {
    /// Sorts channels by their times.
    pub fn of(file: &str, channels: impl Iterator<Item = (String, Channel)>) -> Result<Self, RecordError> {
        let mut clocks: Vec<Clock> = Vec::new();
        for (group, channel) in channels {
            if !channel.imaginary.is_empty() {
                return Err(RecordingError::Complex { file: file.to_owned(), channel: channel.name }.into());
            }
            let samples = channel.values.len();
            let fits = |clock: &&mut Clock| {
                clock.samples == samples
                    && clock.start == channel.start
                    && same_axis(&clock.axis, &channel.axis)
            };
            match clocks.iter_mut().find(fits) {
                Some(clock) => clock.channels.push((group, channel)),
                None => {
                    let (axis, start) = (channel.axis.clone(), channel.start);
                    clocks.push(Clock { axis, start, samples, channels: vec![(group, channel)] });
                }
            }
        }
        clocks.retain(|clock| clock.samples > 0);
        match clocks.is_empty() {
            true => Err(RecordingError::NoChannels { file: file.to_owned() }.into()),
            false => Ok(Self { clocks }),
        }
    }

    /// Makes a record of each set of times, of which there may be one alone.
    pub fn records(self, file: &str, sha256: Option<&str>, is_one: bool) -> Result<Vec<Record>, RecordError> {
        if is_one && self.clocks.len() > 1 {
            let clocks = self.clocks.iter().map(Clock::info).collect();
            return Err(RecordingError::Clocks { file: file.to_owned(), clocks }.into());
        }
        let first = self.clocks.iter().filter_map(|clock| clock.start).min();
        let count = self.clocks.len();
        let mut records = Vec::new();
        for (index, clock) in self.clocks.into_iter().enumerate() {
            let shift = match (clock.start, first) {
                (Some(start), Some(first)) => start.since(first),
                _ => 0.0,
            };
            let name = if count > 1 { format!("{file} #{}", index + 1) } else { file.to_owned() };
            let record = clock.record(name, shift)?;
            records.push(Record { sha256: sha256.map(str::to_owned), ..record });
        }
        Ok(records)
    }
}

impl Clock {
    fn info(&self) -> ClockInfo {
        let mut groups: Vec<String> = self.channels.iter().map(|(group, _)| group.clone()).collect();
        groups.dedup();
        let interval = match &self.axis {
            Axis::Even { step, .. } => Some(*step),
            Axis::Stamps(stamps) => crate::interval(stamps),
            _ => None,
        };
        let channels = self.channels.iter().map(|(_, channel)| channel.name.clone()).collect();
        ClockInfo { groups, channels, samples: self.samples, interval }
    }

    fn record(self, name: String, shift: f64) -> Result<Record, RecordError> {
        let times: Vec<f64> = match &self.axis {
            Axis::Stamps(stamps) if shift == 0.0 => stamps.to_vec(),
            axis => (0..self.samples).map_while(|index| axis.at(index)).map(|time| time + shift).collect(),
        };
        let mut record = Record::new(times).map_err(|error| renamed(error, &name))?.named(name);
        let all: Vec<(String, String)> =
            self.channels.iter().map(|(group, channel)| (group.clone(), channel.name.clone())).collect();
        for (group, channel) in self.channels {
            let is_double = all.iter().filter(|(_, name)| *name == channel.name).count() > 1;
            let full = if is_double && !group.is_empty() {
                format!("{group}.{}", channel.name)
            } else {
                channel.name
            };
            let (name, unit) = clean(&full, channel.unit.as_deref());
            record = record.with_channel(name, unit.as_deref(), channel.values)?;
        }
        Ok(record)
    }
}

/// The error of times with the name of the record.
fn renamed(error: RecordError, name: &str) -> RecordError {
    match error {
        RecordError::NoSamples { .. } => RecordError::NoSamples { record: name.to_owned() },
        RecordError::Time { index, fault, .. } => RecordError::Time { record: name.to_owned(), index, fault },
        other => other,
    }
}

/// A name and unit that a record can have: a unit in brackets behind the name is its unit, and blanks around both are none of them.
fn clean(name: &str, unit: Option<&str>) -> (String, Option<String>) {
    let unit = unit.map(str::trim).filter(|unit| !unit.is_empty() && *unit != "-");
    match (costate_contract::tables::name_and_unit(name.trim()), unit) {
        ((plain, Some(bracketed)), None) if !plain.is_empty() => {
            (plain.to_owned(), Some(bracketed.to_owned()))
        }
        ((plain, Some(bracketed)), Some(unit)) if bracketed == unit => {
            (plain.to_owned(), Some(unit.to_owned()))
        }
        _ => (name.trim().to_owned(), unit.map(str::to_owned)),
    }
}
