//! UFF58: functions at nodal degrees of freedom, in text (58) and binary (58b).
//!
//! All eight cases of record 12 are read: real or complex, single or double precision, even or uneven abscissa. Units
//! are those of the labels, or follow from the data type and the data set 164 where it is in SI units.

mod data;
mod header;
mod lines;
mod units;
mod write;

use std::io::{Read, Seek};
use std::sync::Arc;

use crate::formats::input::Input;
use crate::formats::{Axis, Channel, Format, FormatError, Group, LeftOut, Recording, Spectrum, SpectrumKind};
use data::Values;
use header::Header;
use lines::{Lines, trimmed};
use units::Units;

pub use write::{Encoding, write};

/// A data set 58 with its numbers.
struct Function {
    header: Header,
    values: Values,
}

pub(crate) fn read<S: Read + Seek>(source: &mut S, name: &str) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, Format::Uff)?;
    let bytes = input.bytes(input.length())?;
    let mut lines = Lines::new(&bytes, name);
    let mut recording = Recording::new(Format::Uff);
    let mut units = Units::default();
    let mut functions = Vec::new();
    let mut others: Vec<(String, usize)> = Vec::new();
    while let Some(line) = lines.next() {
        if line.is_empty() {
            continue;
        }
        if line != "-1" {
            return Err(lines.broken(format!(
                "`{}` stands between data sets, which begin and end with `-1`",
                shortened(line.as_ref())
            )));
        }
        let mut kind = lines.next_raw();
        // some writers begin a data set twice
        while kind.as_deref().map(trimmed) == Some("-1") {
            kind = lines.next_raw();
        }
        let Some(kind) = kind else { break };
        let kind = kind.into_owned();
        match kind.trim().split([' ', 'b', 'B']).next().unwrap_or_default() {
            "58" => functions.push(function(&mut lines, &kind)?),
            "164" => units = Units::read(&mut lines)?,
            number if number.parse::<u32>().is_ok() => {
                match others.iter_mut().find(|(other, _)| other == number) {
                    Some((_, times)) => *times += 1,
                    None => others.push((number.to_owned(), 1)),
                }
                lines.skip_set()?;
            }
            _ => return Err(lines.broken(format!("`{}` is no number of a data set", shortened(&kind)))),
        }
    }
    for (number, times) in others.into_iter().filter(|(number, _)| number != "151") {
        recording.left_out.push(LeftOut::new(format!("data sets {number} ({times})"), "they hold no signals"));
    }
    sort(functions, &units, &mut recording);
    Ok(recording)
}

fn shortened(text: &str) -> String {
    text.trim().chars().take(20).collect()
}

/// Reads one data set 58, after its number.
fn function(lines: &mut Lines, kind: &str) -> Result<Function, FormatError> {
    let header = Header::read(lines, kind)?;
    let values = data::read(lines, &header)?;
    Ok(Function { header, values })
}

/// Makes channels of functions of time, and spectra of those of frequency.
fn sort(functions: Vec<Function>, units: &Units, recording: &mut Recording) {
    let names = names(&functions);
    for (index, (Function { header, values }, name)) in functions.into_iter().zip(names).enumerate() {
        let note = header.step_note(&name);
        match purpose(&header) {
            Purpose::Channel => match header.seconds() {
                Some(factor) => {
                    recording.notes.extend(note);
                    add_channel(recording, channel(header, values, name, units, factor));
                }
                None => {
                    let reason = format!("its abscissa is in `{}`, which is no unit of time", header.abscissa.unit);
                    recording.left_out.push(LeftOut::new(name, reason));
                }
            },
            Purpose::Spectrum(kind) => recording.spectra.push(spectrum(kind, header, values, units)),
            Purpose::None => {
                let reason = format!(
                    "data set 58 number {} is of function type {} over an abscissa of type {}, which is neither a \
                         signal over time nor a spectrum",
                    index + 1,
                    header.function,
                    header.abscissa.kind
                );
                recording.left_out.push(LeftOut::new(name, reason));
            }
        }
    }
}

enum Purpose {
    Channel,
    Spectrum(SpectrumKind),
    None,
}

fn purpose(header: &Header) -> Purpose {
    const UNKNOWN: i64 = 0;
    const TIME: i64 = 17;
    const FREQUENCY: i64 = 18;
    let spectrum = |kind| match header.abscissa.kind {
        FREQUENCY | UNKNOWN => Purpose::Spectrum(kind),
        _ => Purpose::None,
    };
    match (header.function, header.abscissa.kind) {
        (1, TIME | UNKNOWN) | (0, TIME) => Purpose::Channel,
        (0, FREQUENCY) => Purpose::Spectrum(SpectrumKind::Linear),
        (2, _) => spectrum(SpectrumKind::Auto),
        (3, _) => spectrum(SpectrumKind::Cross),
        (4, _) => spectrum(SpectrumKind::FrequencyResponse),
        (5, _) => spectrum(SpectrumKind::Transmissibility),
        (6, _) => spectrum(SpectrumKind::Coherence),
        (9, _) => spectrum(SpectrumKind::PowerDensity),
        (10, _) => spectrum(SpectrumKind::EnergyDensity),
        (12, _) => spectrum(SpectrumKind::Linear),
        (26, _) => spectrum(SpectrumKind::MultipleCoherence),
        _ => Purpose::None,
    }
}

/// Names of all functions: the first identification line where it distinguishes functions, otherwise the degree of
/// freedom of the response, otherwise both with the number of the data set.
fn names(functions: &[Function]) -> Vec<String> {
    let is_signal = |function: &&Function| matches!(purpose(&function.header), Purpose::Channel);
    let is_alone = |name: &str, of: &dyn Fn(&Header) -> String| {
        !name.is_empty() && functions.iter().filter(is_signal).filter(|other| of(&other.header) == name).count() <= 1
    };
    let identity = |header: &Header| header.ids.first().cloned().unwrap_or_default();
    let place = |header: &Header| header.response.to_string();
    let names = functions.iter().enumerate().map(|(index, function)| {
        let (first, second) = (identity(&function.header), place(&function.header));
        if is_alone(&first, &identity) {
            first
        } else if is_alone(&second, &place) {
            second
        } else {
            let first = if first.is_empty() { second } else { first };
            format!("{first} #{}", index + 1)
        }
    });
    names.collect()
}

fn channel(header: Header, values: Values, name: String, units: &Units, seconds: f64) -> Channel {
    let axis = match (values.abscissa, header.start, header.step) {
        (Some(stamps), ..) => Axis::Stamps(Arc::new(stamps.into_iter().map(|stamp| stamp * seconds).collect())),
        (None, start, step) if step > 0.0 => Axis::Even { start: start * seconds, step: step * seconds },
        // one value has no interval
        (None, start, _) => Axis::Stamps(Arc::new(vec![start * seconds; values.real.len()])),
    };
    let source = (header.response != crate::formats::Dof::default()).then(|| header.response.to_string());
    let comment = header.comment();
    Channel {
        unit: units.of(&header.ordinate, header.response.direction),
        axis,
        source,
        comment,
        imaginary: values.imaginary,
        ..Channel::new(name, values.real)
    }
}

/// Puts a channel into the group with its times.
fn add_channel(recording: &mut Recording, mut channel: Channel) {
    let fits = |group: &&mut Group| {
        group
            .channels
            .first()
            .is_some_and(|first| first.axis == channel.axis && first.values.len() == channel.values.len())
    };
    match recording.groups.iter_mut().find(fits) {
        Some(group) => {
            if let Some(first) = group.channels.first() {
                channel.axis = first.axis.clone();
            }
            group.channels.push(channel);
        }
        None => {
            let mut group = Group::new(format!("times {}", recording.groups.len() + 1));
            group.channels.push(channel);
            recording.groups.push(group);
        }
    }
}

fn spectrum(kind: SpectrumKind, header: Header, values: Values, units: &Units) -> Spectrum {
    let axis = match values.abscissa {
        Some(stamps) => Axis::Stamps(Arc::new(stamps)),
        None if header.step > 0.0 => Axis::Even { start: header.start, step: header.step },
        None => Axis::Stamps(Arc::new(vec![header.start; values.real.len()])),
    };
    let reference = match kind {
        SpectrumKind::Auto | SpectrumKind::PowerDensity | SpectrumKind::EnergyDensity | SpectrumKind::Linear => None,
        _ => Some(header.reference.clone()),
    };
    let reference_unit = match &reference {
        Some(dof) => units.of(&header.denominator, dof.direction),
        None => None,
    };
    let comment = header.comment();
    Spectrum {
        kind,
        name: header.ids.first().cloned().unwrap_or_default(),
        unit: units.of(&header.ordinate, header.response.direction),
        reference_unit,
        response: header.response,
        reference,
        axis,
        frequency_unit: if header.abscissa.unit.is_empty() { "Hz".to_owned() } else { header.abscissa.unit },
        real: values.real,
        imaginary: values.imaginary,
        comment,
    }
}

/// The text without blanks and without the word that stands for no text.
fn given(text: &str) -> String {
    let text = trimmed(text);
    if text.eq_ignore_ascii_case("none") { String::new() } else { text.to_owned() }
}
