//! MDF4: the channel groups of a measurement, each with the times of its master channel.
//!
//! Values are physical ones, after the conversion of their channel; those that the file marks as invalid are NaN.

mod numbers;

use std::io::{Read, Seek};
use std::sync::Arc;

use falcon_mdf::blocks::SyncType;
use falcon_mdf::{Channel as Signal, ChannelGroup, Mf4Error, Mf4File, OpenOptions};

use crate::formats::input::{Input, most_expanded};
use crate::formats::{Axis, Channel, ClockTime, Format, FormatError, Group, Recording};

pub(crate) fn read<S: Read + Seek>(source: &mut S, name: &str) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, Format::Mdf)?;
    let bytes = input.bytes(input.length())?;
    // what begins with a smaller number is MDF of version 2 or 3
    if bytes.get(8).is_some_and(|digit| matches!(digit, b'2' | b'3')) {
        return Err(
            input.unsupported("version 3 and earlier", "convert it to MDF 4, which the tools that write it can")
        );
    }
    let length = bytes.len() as u64;
    let mut options = OpenOptions::default();
    options.max_alloc = usize::try_from(length).unwrap_or(usize::MAX);
    options.max_decompressed = options.max_decompressed.min(most_expanded(length));
    let refused = |error: Mf4Error| FormatError::broken(name, Format::Mdf, 0, error.to_string());
    let file = Mf4File::from_bytes_with_options(bytes, options).map_err(refused)?;
    let mut recording = Recording::new(Format::Mdf);
    if !file.comment().is_empty() {
        recording.texts.push(("comment".to_owned(), file.comment().to_owned()));
    }
    if file.unfinalized().is_some() {
        recording.notes.push("the file was not finished, as if the recorder had been switched off".to_owned());
    }
    let nanoseconds = file.start_time().timestamp_ns;
    let start =
        ClockTime::new(nanoseconds.div_euclid(1_000_000_000), nanoseconds.rem_euclid(1_000_000_000) as u32, false);
    for (index, group) in file.data_groups().iter().flat_map(|group| &group.channel_groups).enumerate() {
        if !group.is_vlsd() {
            // channels without bytes of their own count their samples
            let channels = group.channels.len() as u64;
            input.expand(group.sample_count.saturating_mul(channels).saturating_mul(8))?;
            add(&file, group, index, (nanoseconds > 0).then_some(start), &mut recording);
        }
    }
    Ok(recording)
}

/// Adds the channels of a group.
fn add(file: &Mf4File, group: &ChannelGroup, index: usize, start: Option<ClockTime>, recording: &mut Recording) {
    let name = match group.acquisition_name.trim() {
        "" => format!("group {}", index + 1),
        name => name.to_owned(),
    };
    let axis = match axis(file, group) {
        Ok(axis) => {
            let unit = group.master_channel().map_or("s", |master| master.unit.trim());
            if !matches!(unit, "" | "s" | "sec" | "second" | "seconds") {
                let note = format!("the times of `{name}` are taken in s, as the format has them, and not in `{unit}`");
                recording.notes.push(note);
            }
            axis
        }
        Err(reason) => {
            recording.notes.push(format!("`{name}` has no times: {reason}"));
            Axis::Unknown
        }
    };
    let mut all = Group::new(name.clone());
    all.comment = Some(group.comment.clone()).filter(|comment| !comment.is_empty());
    for signal in group.channels.iter().filter(|signal| !(signal.is_master() && axis != Axis::Unknown)) {
        match channel(file, signal, &axis, &mut recording.notes) {
            Ok(mut channel) => {
                channel.start = start;
                all.channels.push(channel);
            }
            Err(reason) => recording.leave_out(format!("{name}.{}", signal.name), reason),
        }
    }
    if !all.channels.is_empty() {
        recording.groups.push(all);
    }
}

/// Times of a group.
fn axis(file: &Mf4File, group: &ChannelGroup) -> Result<Axis, String> {
    let Some(master) = group.master_channel() else { return Err("it has no master channel".to_owned()) };
    if master.sync_type != SyncType::Time {
        return Err(format!("its master channel `{}` is no time", master.name));
    }
    let times = numbers::read(file, master)?;
    if !times.imaginary.is_empty() {
        return Err(format!("its master channel `{}` is complex", master.name));
    }
    Ok(Axis::Stamps(Arc::new(times.real)))
}

fn channel(file: &Mf4File, signal: &Signal, axis: &Axis, notes: &mut Vec<String>) -> Result<Channel, String> {
    let numbers::Numbers { mut real, imaginary, validity, note } = numbers::read(file, signal)?;
    notes.extend(note.map(|note| format!("`{}` {note}", signal.name)));
    if let Some(validity) = validity {
        real.iter_mut().zip(validity).filter(|(_, is_valid)| !is_valid).for_each(|(value, _)| *value = f64::NAN);
    }
    if real.is_empty() {
        return Err("it has no values".to_owned());
    }
    let axis = match axis {
        Axis::Stamps(stamps) if stamps.len() != real.len() => {
            return Err(format!("it has {} values for {} times", real.len(), stamps.len()));
        }
        axis => axis.clone(),
    };
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    Ok(Channel {
        unit: given(&signal.unit),
        comment: given(&signal.comment),
        source: signal.source.as_ref().and_then(|source| given(&source.name)),
        axis,
        imaginary,
        ..Channel::new(signal.name.clone(), real)
    })
}
