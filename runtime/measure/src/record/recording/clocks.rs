//! Channels with common times, and records made of them.

use std::sync::Arc;

use crate::formats::{Axis, Channel, ClockTime, Format, Group, LeftOut};

use super::error::ClockInfo;
use super::names::{full, heading, is_interval, is_place, matrix_of, may_be_rate, names_of, time_name, unit_of_time};
use super::own_times::{Found, OwnTimes, Place, is_open};
use super::time_source::{TimeSource, Variable, scale_of};
use super::{Chosen, RecordingError, Times, same_axis};
use crate::record::csv::{Heading, is_time, keeps_unit, time_unit, unwrapped};
use crate::record::{Record, RecordError};

/// Sets of times with their channels, in the order of the file.
pub(super) struct Clocks {
    clocks: Vec<Clock>,
    /// Chosen channels that no record can have, with the reason.
    pub left_out: Vec<LeftOut>,
}

struct Clock {
    axis: Axis,
    start: Option<ClockTime>,
    samples: usize,
    channels: Vec<(String, Channel)>,
}

/// Plain data of a record.
pub(super) fn of_record(record: Record, format: Format) -> crate::formats::Recording {
    let mut recording = crate::formats::Recording::new(format);
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
    if let (Some(&start), Some(step)) = (times.first(), crate::record::interval(times)) {
        let even = Axis::Even { start, step };
        if times.iter().enumerate().all(|(index, time)| even.at(index) == Some(*time)) {
            return even;
        }
    }
    Axis::Stamps(Arc::clone(times))
}

/// Gives times to the chosen channels for which the file has none, and those of a given clock to all where all have
/// some. Channels that remain without times are left out, but are an error if they were named or no others are there.
/// Returns what is left out, and the source of the times.
pub(super) fn give_times(
    file: &str,
    data: &mut crate::formats::Recording,
    (times, unit): (&Times, Option<&str>),
    chosen: &Chosen,
) -> Result<(Vec<LeftOut>, Option<TimeSource>), RecordError> {
    let (every, mut source) = given_interval(file, data, times)?;
    if every.is_some() {
        give_up_times(data, chosen);
    }
    let constants = constants(data);
    // a channel of times of the whole file, where groups have none of their own
    let named = match times {
        Times::Channel(name) => {
            let place = find(file, data, name)?;
            let times = seconds(file, data, place, unit)?;
            source = channel_at(data, place).map(|(_, channel)| TimeSource::of(channel, unit));
            Some((place, times.len(), Axis::Stamps(Arc::new(times))))
        }
        _ => None,
    };
    let mut given: Vec<(Place, Axis)> = Vec::new();
    let mut without: Vec<Place> = Vec::new();
    let own = OwnTimes::of(data);
    let mut known: Vec<(Place, Axis)> = Vec::new();
    for (index, group) in data.groups.iter().enumerate() {
        let mut is_doubtful = false;
        for (number, channel) in group.channels.iter().enumerate() {
            let place = (index, number);
            if !is_open(channel) || !chosen.keeps(&group.name, channel) {
                continue;
            }
            let axis = if let Some(step) = every {
                Some(Axis::Even { start: 0.0, step })
            } else if let Some((times, length, axis)) = &named {
                if *times == place {
                    continue;
                }
                (*length == channel.values.len()).then(|| axis.clone())
            } else {
                match own.find(place) {
                    Found::One(found) if found == place => continue,
                    Found::One(found) => match known.iter().find(|(place, _)| *place == found) {
                        Some((_, axis)) => Some(axis.clone()),
                        None => {
                            let axis = Axis::Stamps(Arc::new(seconds(file, data, found, unit)?));
                            if let Some((_, channel)) = channel_at(data, found) {
                                source.get_or_insert_with(|| TimeSource::of(channel, unit));
                            }
                            known.push((found, axis.clone()));
                            Some(axis)
                        }
                    },
                    // the same times under a second name
                    Found::Several => {
                        is_doubtful = true;
                        None
                    }
                    Found::None => None,
                }
            };
            match axis {
                Some(axis) => given.push((place, axis)),
                None => without.push(place),
            }
        }
        if is_doubtful {
            return Err(no_times(
                file,
                group,
                chosen,
                "several channels may be the time: name it by the option `time_column`",
            ));
        }
    }
    // the times themselves are no signals
    given.retain(|(place, _)| !(known.iter().any(|(time, _)| time == place) && own.has(*place)));
    let mut left_out = Vec::new();
    let has_others = !given.is_empty()
        || data.groups.iter().any(|group| {
            group.channels.iter().any(|channel| channel.axis != Axis::Unknown && chosen.keeps(&group.name, channel))
        });
    for place in without {
        let Some((group, channel)) = channel_at(data, place) else { continue };
        if !has_others || chosen.names(&group.name, channel) {
            return Err(no_times(file, group, chosen, &remedy(&constants)));
        }
        let reason = format!("the file does not say the times of its {} values", channel.values.len());
        left_out.push(LeftOut::new(full(&group.name, &channel.name), reason));
    }
    for ((group, channel), axis) in given {
        let found = data.groups.get_mut(group).and_then(|group| group.channels.get_mut(channel));
        if let Some(channel) = found {
            channel.axis = axis;
        }
    }
    for group in &mut data.groups {
        group.channels.retain(|channel| channel.axis != Axis::Unknown);
    }
    if times == &Times::Found
        && source.is_none()
        && let Some(unit) = unit
    {
        rescale(file, data, unit)?;
    }
    Ok((left_out, source))
}

/// Returns the sampling interval in s of a clock that is given, and its source.
fn given_interval(
    file: &str,
    data: &crate::formats::Recording,
    times: &Times,
) -> Result<(Option<f64>, Option<TimeSource>), RecordError> {
    let (interval, source) = match times {
        Times::Every(interval) => (*interval, Some(TimeSource::given())),
        Times::RateOf(name) => match channel_at(data, find(file, data, name)?) {
            Some((_, channel)) => {
                let variable = Variable::of(channel, file)?;
                (variable.interval, Some(TimeSource::of_variable(variable)))
            }
            None => return Ok((None, None)),
        },
        Times::Found | Times::Channel(_) => return Ok((None, None)),
    };
    if !(interval > 0.0 && interval.is_finite()) {
        return Err(RecordingError::Interval { file: file.to_owned(), interval }.into());
    }
    Ok((Some(interval), source))
}

/// Takes the times of all chosen channels away if all have some, since others are given; channels that are times alone
/// are no signals then.
fn give_up_times(data: &mut crate::formats::Recording, chosen: &Chosen) {
    let all = data.groups.iter().flat_map(|group| group.channels.iter().map(move |channel| (group, channel)));
    let is_timed = |channel: &Channel| channel.axis != Axis::Unknown || channel.values.len() <= 1;
    let mut kept = all.filter(|(group, channel)| chosen.keeps(&group.name, channel));
    if kept.all(|(_, channel)| is_timed(channel)) {
        let channels = data.groups.iter_mut().flat_map(|group| &mut group.channels);
        channels.for_each(|channel| channel.axis = Axis::Unknown);
    }
    for group in &mut data.groups {
        let is_signal = |channel: &Channel| channel.axis != Axis::Unknown || time_name(&channel.name).is_none();
        group.channels.retain(is_signal);
    }
}

/// Takes times of the file, which are numbers of s, for numbers of this unit.
fn rescale(file: &str, data: &mut crate::formats::Recording, unit: &str) -> Result<(), RecordError> {
    let seconds = scale_of(file, "time", unit)?.apply(1.0);
    for channel in data.groups.iter_mut().flat_map(|group| &mut group.channels) {
        channel.axis = match &channel.axis {
            Axis::Stamps(stamps) => Axis::Stamps(Arc::new(stamps.iter().map(|time| time * seconds).collect())),
            Axis::Even { start, step } => Axis::Even { start: start * seconds, step: step * seconds },
            other => other.clone(),
        };
    }
    Ok(())
}

fn channel_at(data: &crate::formats::Recording, (group, channel): Place) -> Option<(&Group, &Channel)> {
    let group = data.groups.get(group)?;
    Some((group, group.channels.get(channel)?))
}

fn no_times(file: &str, group: &Group, chosen: &Chosen, remedy: &str) -> RecordError {
    let open = group.channels.iter().filter(|channel| is_open(channel));
    let open: Vec<&Channel> = open.filter(|channel| chosen.keeps(&group.name, channel)).collect();
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
            format!(", or the option `rate_of` where a variable is the rate or the interval ({})", rates.join(", "))
        }
    };
    format!(
        "set the option `rate` in Hz, the option `every` in s, or the option `time_column` with the channel of \
         times{rate}"
    )
}

/// Variables of one value.
fn constants(data: &crate::formats::Recording) -> Vec<(String, f64)> {
    let all = data.groups.iter().flat_map(|group| &group.channels);
    all.filter_map(|channel| match channel.values.as_slice() {
        [value, rest @ ..] if rest.iter().all(|other| other == value) => Some((channel.name.clone(), *value)),
        _ => None,
    })
    .collect()
}

/// Finds a channel by its name, that with its group, or that of its place in the file.
fn find(file: &str, data: &crate::formats::Recording, wanted: &str) -> Result<Place, RecordError> {
    let mut all = Vec::new();
    for (index, group) in data.groups.iter().enumerate() {
        for (number, channel) in group.channels.iter().enumerate() {
            all.push(((index, number), names_of(&group.name, channel)));
        }
    }
    // names with the group or the place, which follow the first one, go before a name alone
    let called = |skipped: usize| {
        let fits = |names: &[String]| names.iter().skip(skipped).any(|name| name == wanted);
        all.iter().filter(|(_, names)| fits(names)).collect::<Vec<_>>()
    };
    let mut found = match called(1).as_slice() {
        [] => called(0),
        found => found.to_vec(),
    };
    // a column of the only matrix, by its number
    let columns = || all.iter().filter_map(|one| Some((one, matrix_of(one.1.first()?)?)));
    if let (true, Ok(number)) = (found.is_empty(), wanted.parse::<usize>())
        && let Some((_, matrix)) = columns().next()
        && columns().all(|(_, other)| other == matrix)
    {
        found.extend(number.checked_sub(1).and_then(|at| columns().nth(at)).map(|(one, _)| one));
    }
    let complete = |names: &[String]| names.get(1).or(names.first()).cloned().unwrap_or_default();
    match found.as_slice() {
        [(place, _)] => Ok(*place),
        [] => {
            let names: Vec<String> = all.iter().map(|(_, names)| complete(names)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let (record, channel) = (file.to_owned(), wanted.to_owned());
            Err(RecordError::MissingChannel { record, channel, available: super::names::nearest(wanted, &names) })
        }
        several => {
            let names = several.iter().map(|(_, names)| complete(names)).collect();
            Err(RecordingError::Ambiguous { file: file.to_owned(), channel: wanted.to_owned(), names }.into())
        }
    }
}

/// Values of a channel of times in s, which must increase; in a unit that was given, or that of the channel.
fn seconds(
    file: &str,
    data: &crate::formats::Recording,
    place: Place,
    given: Option<&str>,
) -> Result<Vec<f64>, RecordError> {
    let Some((_, channel)) = channel_at(data, place) else { return Ok(Vec::new()) };
    let heading = heading(&channel.name);
    let scale = unit_of_time(channel, given)
        .map(|unit| scale_of(file, heading.name, time_unit(unit).unwrap_or(unit)))
        .transpose()?;
    let times: Vec<f64> =
        channel.values.iter().map(|value| scale.as_ref().map_or(*value, |scale| scale.apply(*value))).collect();
    match fault(times.iter().copied()) {
        None => Ok(times),
        Some((index, value, before)) => {
            let (file, channel) = (file.to_owned(), channel.name.clone());
            Err(RecordingError::Time { file, channel, index, value, before }.into())
        }
    }
}

/// The first time that is not finite, or does not come after the one before it: its index, and both.
fn fault(times: impl Iterator<Item = f64>) -> Option<(usize, f64, f64)> {
    let mut before = f64::NEG_INFINITY;
    for (index, value) in times.enumerate() {
        if !(value.is_finite() && value > before) {
            return Some((index, value, before));
        }
        before = value;
    }
    None
}

impl Clocks {
    /// Sorts the chosen channels by their times; `left_out` has those that have none.
    pub fn of(
        file: &str,
        data: crate::formats::Recording,
        chosen: &Chosen,
        mut left_out: Vec<LeftOut>,
    ) -> Result<Self, RecordError> {
        let mut clocks: Vec<Clock> = Vec::new();
        let mut complex = None;
        let channels = data
            .groups
            .into_iter()
            .flat_map(|group| group.channels.into_iter().map(move |channel| (group.name.clone(), channel)));
        for (group, channel) in channels.filter(|(group, channel)| chosen.keeps(group, channel)) {
            if !channel.imaginary.is_empty() {
                let error = RecordingError::Complex { file: file.to_owned(), channel: channel.name.clone() };
                if chosen.names(&group, &channel) {
                    return Err(error.into());
                }
                left_out.push(LeftOut::new(
                    full(&group, &channel.name),
                    "it has complex values, which no signal over time has",
                ));
                complex = complex.or(Some(error));
                continue;
            }
            let samples = channel.values.len();
            let fits = |clock: &&mut Clock| {
                clock.samples == samples && clock.start == channel.start && same_axis(&clock.axis, &channel.axis)
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
        let faults: Vec<_> = clocks.iter().map(Clock::fault).collect();
        // the error of a record says the rest where no times are right
        if faults.iter().any(Option::is_none) {
            let mut faults = faults.into_iter();
            clocks.retain(|clock| match faults.next().flatten() {
                None => true,
                Some((index, value, before)) => {
                    let reason = format!("its times do not increase: value {index} is {value} s, after {before} s");
                    let channels = clock.channels.iter();
                    left_out.extend(channels.map(|(group, channel)| LeftOut::new(full(group, &channel.name), &reason)));
                    false
                }
            });
        }
        match (clocks.is_empty(), complex) {
            (false, _) => Ok(Self { clocks, left_out }),
            (true, Some(error)) if chosen.is_restricted() => Err(error.into()),
            (true, _) => {
                let (file, is_chosen) = (file.to_owned(), chosen.is_restricted());
                left_out.splice(0..0, data.left_out);
                Err(RecordingError::NoChannels { file, left_out, is_chosen }.into())
            }
        }
    }

    /// Makes a record of each set of times; several are an error where `must_be_one`.
    pub fn records(self, file: &str, sha256: Option<&str>, must_be_one: bool) -> Result<Vec<Record>, RecordError> {
        if must_be_one && self.clocks.len() > 1 {
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
            Axis::Stamps(stamps) => crate::record::interval(stamps),
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
        let mut names: Vec<String> = Vec::new();
        let short: Vec<String> = self.channels.iter().map(|(_, channel)| channel.name.clone()).collect();
        for (index, (group, channel)) in self.channels.into_iter().enumerate() {
            let is_repeated = short.iter().filter(|name| **name == channel.name).count() > 1;
            let mut places = names_of(&group, &channel);
            let complete = full(&group, &channel.name);
            let called = if is_repeated { &complete } else { &channel.name };
            let (mut name, unit) = clean(called, channel.unit.as_deref());
            if is_time(&name) || name.is_empty() || names.contains(&name) {
                name = clean(&complete, None).0;
            }
            if is_time(&name) || name.is_empty() || names.contains(&name) {
                name = format!("{name} #{}", index + 1).trim().to_owned();
            }
            if is_repeated {
                // the short name is not that of one channel
                places.retain(|place| *place != channel.name);
            }
            record = record.with_channel(name.clone(), unit.as_deref(), channel.values)?.found_as(places);
            names.push(name);
        }
        Ok(record)
    }

    /// The first of the times that does not increase.
    fn fault(&self) -> Option<(usize, f64, f64)> {
        fault((0..self.samples).map_while(|index| self.axis.at(index)))
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

/// A name and unit that a record can have: a unit in brackets after the name is its unit, blanks around both are not
/// kept, and other brackets are parentheses.
fn clean(name: &str, unit: Option<&str>) -> (String, Option<String>) {
    let unit = unit.map(|unit| unwrapped(unit.trim())).filter(|unit| !unit.is_empty() && *unit != "-");
    let plain = |text: &str| text.replace('[', "(").replace(']', ")");
    let (short, bracketed) = costate_contract::tables::name_and_unit(name.trim());
    let (name, unit) = match (bracketed.filter(|text| !is_place(text)), unit) {
        (Some(bracketed), None) if !short.is_empty() => (short, Some(bracketed)),
        (Some(bracketed), Some(unit)) if bracketed == unit => (short, Some(unit)),
        _ => (name.trim(), unit),
    };
    let is_clear = Heading::in_brackets(name) == Heading { name, unit: None };
    let name = if is_clear { name.to_owned() } else { plain(name) };
    let unit = unit.map(|unit| if keeps_unit(&name, unit) { unit.to_owned() } else { plain(unit) });
    (name, unit)
}
