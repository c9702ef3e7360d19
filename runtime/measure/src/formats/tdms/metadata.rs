//! Segments, and the objects that they describe.

use std::collections::HashMap;
use std::rc::Rc;

use super::Part;
use super::value::{Kind, Property, long, text, word};
use crate::formats::input::Input;
use crate::formats::{FormatError, Recording};

/// A group or a channel.
#[derive(Debug, Default)]
pub(super) struct Object {
    /// Names of the group and the channel; none for the file.
    pub path: Vec<String>,
    pub properties: Vec<(String, Property)>,
    pub kind: Option<Kind>,
    /// Marks a line of a digital port.
    pub is_line: bool,
    /// Marks raw values of DAQmx.
    pub is_raw: bool,
    index: Option<Rc<Index>>,
}

impl Object {
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        match self.property(name) {
            Some(Property::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        match self.property(name) {
            Some(Property::Number(number)) => Some(*number),
            _ => None,
        }
    }
}

/// Place of the values of an object in a chunk.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Index {
    pub kind: Kind,
    /// Values in a chunk.
    pub values: u64,
    /// Bytes in a chunk, where they do not follow from the number of values.
    pub bytes: u64,
    pub raw: Option<Raw>,
}

/// Scalers of DAQmx.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Raw {
    pub scalers: Vec<Scaler>,
    /// Bytes of a row of each buffer.
    pub widths: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scaler {
    pub kind: Kind,
    pub buffer: usize,
    pub offset: u64,
    pub bit: Option<u32>,
    pub id: u32,
}

/// A segment of the file.
#[derive(Debug)]
pub(super) struct Segment {
    pub data: u64,
    pub end: u64,
    pub is_little_endian: bool,
    pub is_interleaved: bool,
    pub is_cut: bool,
    /// Objects with values, in the order of their values.
    pub entries: Rc<Vec<(usize, Rc<Index>)>>,
}

pub(super) fn read(input: &mut Input, recording: &mut Recording) -> Result<(Vec<Object>, Vec<Segment>), FormatError> {
    const METADATA: u32 = 1 << 1;
    const NEW_LIST: u32 = 1 << 2;
    const DATA: u32 = 1 << 3;
    const INTERLEAVED: u32 = 1 << 5;
    const BIG_ENDIAN: u32 = 1 << 6;
    let mut list = List::default();
    let mut segments: Vec<Segment> = Vec::new();
    while input.left() > 0 {
        let begin = input.position();
        if input.left() < 28 {
            recording.notes.push(
                "the file ends within the beginning of a segment, as if the recorder had been switched off".to_owned(),
            );
            break;
        }
        if &input.array::<4>()? != b"TDSm" {
            return Err(input.broken("a segment does not begin with `TDSm`"));
        }
        let contents = word(input, true)?;
        let is_little_endian = contents & BIG_ENDIAN == 0;
        let version = word(input, is_little_endian)?;
        if !matches!(version, 4712 | 4713) {
            return Err(input.unsupported(format!("the version {version}"), "write it in the version 1.0 or 2.0"));
        }
        let (next, data) = (long(input, is_little_endian)?, long(input, is_little_endian)?);
        let lead = begin + 28;
        let is_cut = next == u64::MAX || lead.saturating_add(next) > input.length();
        let end = if is_cut { input.length() } else { lead + next };
        if is_cut {
            recording
                .notes
                .push("the last segment is not complete, as if the recorder had been switched off".to_owned());
        }
        let data = lead.saturating_add(data);
        if data > end {
            match is_cut {
                // its description was not written
                true => break,
                false => return Err(input.broken("the values of a segment begin after its end")),
            }
        }
        if contents & METADATA != 0 {
            list.read(input, is_little_endian, contents & NEW_LIST != 0)?;
        }
        if contents & DATA != 0 && data < end {
            let entries = Rc::clone(&list.entries);
            segments.push(Segment {
                data,
                end,
                is_little_endian,
                is_interleaved: contents & INTERLEAVED != 0,
                is_cut,
                entries,
            });
        }
        input.go_to(end)?;
    }
    Ok((list.objects, segments))
}

/// All objects, and those with values in the present segment.
#[derive(Default)]
struct List {
    objects: Vec<Object>,
    places: HashMap<String, usize>,
    entries: Rc<Vec<(usize, Rc<Index>)>>,
    /// Entries of all segments that have a list of their own.
    copied: usize,
}

impl List {
    fn read(&mut self, input: &mut Input, is_little_endian: bool, is_new: bool) -> Result<(), FormatError> {
        let mut entries = if is_new { Vec::new() } else { self.entries.to_vec() };
        let mut at: HashMap<usize, usize> =
            entries.iter().enumerate().map(|(place, (object, _))| (*object, place)).collect();
        let (mut gone, mut changed) = (false, is_new);
        let count = word(input, is_little_endian)?;
        for _ in 0..count {
            let path = text(input, is_little_endian)?;
            let place = self.place(&path);
            let header = word(input, is_little_endian)?;
            let Some(object) = self.objects.get_mut(place) else { continue };
            let index = match header {
                u32::MAX => {
                    gone |= at.contains_key(&place);
                    if let Some(entry) = at.remove(&place).and_then(|at| entries.get_mut(at)) {
                        entry.0 = usize::MAX;
                    }
                    None
                }
                0 => Some(object.index.clone().ok_or_else(|| {
                    input.broken(format!("`{path}` refers to an earlier description, which does not exist"))
                })?),
                _ => Some(Rc::new(index(input, is_little_endian, header)?)),
            };
            if let Some(index) = index {
                object.describe(&index).map_err(|reason| input.broken(format!("`{path}` {reason}")))?;
                object.index = Some(Rc::clone(&index));
                match at.get(&place).and_then(|at| entries.get_mut(*at)) {
                    Some((_, same)) if *same == index => {}
                    Some(entry) => {
                        changed = true;
                        *entry = (place, index);
                    }
                    None => {
                        changed = true;
                        at.insert(place, entries.len());
                        entries.push((place, index));
                    }
                }
            }
            for _ in 0..word(input, is_little_endian)? {
                let name = text(input, is_little_endian)?;
                let value = Property::read(input, is_little_endian)?;
                match object.properties.iter_mut().find(|(own, _)| *own == name) {
                    Some((_, old)) => *old = value,
                    None => object.properties.push((name, value)),
                }
            }
        }
        if gone {
            entries.retain(|(object, _)| *object != usize::MAX);
        }
        if changed || gone {
            // lists that are copied for a few changes each could fill the memory
            self.copied += entries.len();
            if self.copied.saturating_mul(size_of::<(usize, Rc<Index>)>()) as u64 > input.length() + (1 << 16) {
                return Err(input.unsupported(
                    "a list of channels that changes in every segment",
                    "write it anew without appending",
                ));
            }
            self.entries = Rc::new(entries);
        }
        Ok(())
    }

    fn place(&mut self, path: &str) -> usize {
        *self.places.entry(path.to_owned()).or_insert_with(|| {
            self.objects.push(Object { path: names(path), ..Object::default() });
            self.objects.len() - 1
        })
    }
}

impl Object {
    /// Takes the type of values of a description, which must be the same for all of them.
    fn describe(&mut self, index: &Index) -> Result<(), String> {
        let kind = match &index.raw {
            None => index.kind,
            Some(raw) => raw.scalers.first().map(|scaler| scaler.kind).ok_or("has raw values without a scaler")?,
        };
        self.is_raw = index.raw.is_some();
        self.is_line = index.raw.as_ref().is_some_and(|raw| raw.scalers.iter().any(|scaler| scaler.bit.is_some()));
        match self.kind {
            Some(old) if old != kind && index.values > 0 => Err("changes the type of its values".to_owned()),
            _ => {
                self.kind = Some(kind);
                Ok(())
            }
        }
    }
}

/// Names in a path such as `/'group'/'it''s'`.
fn names(path: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = path;
    while let Some(quoted) = rest.strip_prefix("/'") {
        let mut name = String::new();
        let mut characters = quoted.char_indices().peekable();
        let mut end = quoted.len();
        while let Some((at, c)) = characters.next() {
            match (c, characters.peek()) {
                ('\'', Some((_, '\''))) => {
                    characters.next();
                    name.push('\'');
                }
                ('\'', _) => {
                    end = at + 1;
                    break;
                }
                _ => name.push(c),
            }
        }
        names.push(name);
        rest = quoted.get(end..).unwrap_or_default();
    }
    names
}

/// Reads where the values of an object stand.
fn index(input: &mut Input, is_little_endian: bool, header: u32) -> Result<Index, FormatError> {
    const FORMAT_CHANGING: u32 = 0x1269;
    const DIGITAL_LINE: u32 = 0x126a;
    let number = word(input, is_little_endian)?;
    let dimension = word(input, is_little_endian)?;
    let values = long(input, is_little_endian)?;
    if dimension != 1 {
        return Err(input.broken(format!("values of {dimension} dimensions")));
    }
    if !matches!(header, FORMAT_CHANGING | DIGITAL_LINE) {
        let Some(kind) = Kind::of(number) else {
            return Err(input.broken(format!("{number:#x} is no type of values")));
        };
        let bytes = match kind {
            Kind::Text => long(input, is_little_endian)?,
            _ => values.checked_mul(kind.size()).ok_or_else(|| input.broken(format!("{values} values in a chunk")))?,
        };
        return Ok(Index { kind, values, bytes, raw: None });
    }
    let mut scalers = Vec::new();
    for _ in 0..word(input, is_little_endian)? {
        let number = word(input, is_little_endian)?;
        let Some(kind) = Kind::of_scaler(number) else {
            return Err(input.broken(format!("{number} is no type of raw values")));
        };
        let buffer = word(input, is_little_endian)? as usize;
        let offset = word(input, is_little_endian)?;
        let (offset, bit) = match header {
            FORMAT_CHANGING => {
                input.skip(4)?;
                (offset, None)
            }
            _ => {
                input.skip(1)?;
                (offset / 8, Some(offset % 8))
            }
        };
        scalers.push(Scaler { kind, buffer, offset: u64::from(offset), bit, id: word(input, is_little_endian)? });
    }
    let mut widths = Vec::new();
    for _ in 0..word(input, is_little_endian)? {
        widths.push(u64::from(word(input, is_little_endian)?));
    }
    let kind = scalers.first().map_or(Kind::Other(0), |scaler| scaler.kind);
    Ok(Index { kind, values, bytes: 0, raw: Some(Raw { scalers, widths }) })
}

/// Part of a block for one scaler.
pub(super) fn raw_part(object: usize, scaler: &Scaler) -> Part {
    Part { object, offset: scaler.offset, kind: scaler.kind, bit: scaler.bit }
}
