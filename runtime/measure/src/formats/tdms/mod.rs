//! TDMS, the measurements of LabVIEW: segments of both byte orders, interleaved or not, also with raw data of DAQmx.
//!
//! Scales of raw values (`NI_Scale`) are applied where they are linear or polynomial; a channel with another scale is
//! left out. Times of channels are those of their waveform properties.

mod blocks;
mod metadata;
mod scale;
mod value;

use std::collections::HashMap;
use std::io::{Read, Seek};

use crate::formats::input::Input;
use crate::formats::{Axis, Channel, Format, FormatError, Group, Recording};
use metadata::Object;
use scale::Scale;
use value::{Kind, Property};

/// Numbers of one object.
#[derive(Debug, Default)]
struct Numbers {
    real: Vec<f64>,
    imaginary: Vec<f64>,
    /// First of the stamps, of which `real` has the distances in s.
    first: Option<crate::formats::ClockTime>,
    lost_digits: bool,
}

pub(crate) fn read<S: Read + Seek>(source: &mut S, name: &str) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, Format::Tdms)?;
    let mut recording = Recording::new(Format::Tdms);
    let (objects, segments) = metadata::read(&mut input, &mut recording)?;
    let mut scales = Vec::new();
    for object in &objects {
        scales.push(Scale::of(object, &objects));
    }
    let mut counts = vec![0_u64; objects.len()];
    for segment in &segments {
        segment.count(&input, &mut counts)?;
    }
    let mut numbers = Vec::new();
    for (count, object) in counts.iter().zip(&objects) {
        let mut one = Numbers::default();
        if let Some(kind) = object.kind.filter(|kind| kind.is_number()) {
            // a line of a digital port is a bit
            let size = if object.is_line { 1 } else { kind.size() };
            one.real = input.room(*count, size)?;
            if kind.is_complex() {
                one.imaginary = input.room(*count, size)?;
            }
        }
        numbers.push(one);
    }
    for segment in &segments {
        segment.read(&mut input, &scales, &mut numbers)?;
    }
    sort(objects, numbers, &scales, &mut recording);
    Ok(recording)
}

/// Makes channels of objects.
fn sort(objects: Vec<Object>, numbers: Vec<Numbers>, scales: &[Result<Scale, String>], recording: &mut Recording) {
    let mut places: HashMap<String, usize> = HashMap::new();
    for ((object, numbers), scale) in objects.into_iter().zip(numbers).zip(scales) {
        let text = |name: &str| object.text(name).filter(|text| !text.is_empty()).map(str::to_owned);
        match object.path.as_slice() {
            [] => {
                let texts = object.properties.iter().filter_map(|(name, value)| match value {
                    Property::Text(text) => Some((name.clone(), text.clone())),
                    _ => None,
                });
                recording.texts.extend(texts);
            }
            [group] => {
                let place = place(&mut places, group, recording);
                if let Some(group) = recording.groups.get_mut(place) {
                    group.comment = text("description");
                }
            }
            [group, name, ..] => {
                let full = format!("{group}.{name}");
                match (object.kind, scale) {
                    (Some(kind), _) if !kind.is_number() => recording.leave_out(full, format!("its values are {kind}")),
                    (_, Err(reason)) => recording.leave_out(full, reason.clone()),
                    _ if numbers.real.is_empty() => recording.leave_out(full, "it has no values"),
                    (_, Ok(scale)) => {
                        if numbers.lost_digits {
                            recording.note_rounded(&full);
                        }
                        let channel = channel(&object, name, numbers, scale, recording);
                        let place = place(&mut places, group, recording);
                        if let Some(group) = recording.groups.get_mut(place) {
                            group.channels.push(channel);
                        }
                    }
                }
            }
        }
    }
    recording.groups.retain(|group| !group.channels.is_empty());
}

fn place(places: &mut HashMap<String, usize>, name: &str, recording: &mut Recording) -> usize {
    *places.entry(name.to_owned()).or_insert_with(|| {
        recording.groups.push(Group::new(name));
        recording.groups.len() - 1
    })
}

fn channel(object: &Object, name: &str, numbers: Numbers, scale: &Scale, recording: &mut Recording) -> Channel {
    let text = |name: &str| object.text(name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let start = match object.property("wf_start_time") {
        Some(Property::Time(time)) => Some(*time),
        _ => numbers.first,
    };
    let axis =
        match (object.number("wf_increment"), object.number("wf_start_offset"), text("wf_xunit_string").as_deref()) {
            (Some(step), offset, None | Some("s")) if step > 0.0 && step.is_finite() => {
                Axis::Even { start: offset.filter(|offset| offset.is_finite()).unwrap_or(0.0), step }
            }
            (Some(_), _, Some(unit)) => {
                recording.notes.push(format!("`{name}` is a waveform along an axis in `{unit}`, and not of time"));
                Axis::Unknown
            }
            _ => Axis::Unknown,
        };
    let unit =
        if numbers.first.is_some() { Some("s".to_owned()) } else { scale.unit.clone().or_else(|| text("unit_string")) };
    Channel {
        unit,
        axis,
        start,
        comment: text("description"),
        imaginary: numbers.imaginary,
        ..Channel::new(name, numbers.real)
    }
}

/// Kind of the values of an object within a segment, for blocks.
#[derive(Debug, Clone, Copy)]
struct Part {
    object: usize,
    offset: u64,
    kind: Kind,
    /// Bit of a digital line.
    bit: Option<u32>,
}
