//! Elements of level 5, in the file or in what was compressed.

use std::io::Read;

use costate_contract::machine::{OutOfMemory, Room};

use super::layout::{Kind, Layout};
use crate::formats::FormatError;
use crate::formats::input::Input;

/// Bytes that are read at once.
const PIECE: u64 = 1 << 14;

/// Bytes one after the other, with a number of them that is not exceeded.
pub(super) struct Stream<'a> {
    reader: &'a mut dyn Read,
    /// Bytes that may follow.
    pub left: u64,
    pub is_little_endian: bool,
    /// Bytes of numbers that compressed data may become; `None` where a number of bytes is that of a file, and not one
    /// that is announced.
    pub expandable: Option<u64>,
}

/// Reason why an element is not read.
#[derive(Debug)]
pub(super) enum Fault {
    Broken(String),
    Read(std::io::Error),
    Memory(OutOfMemory),
    /// Compressed data become more than a file may have.
    TooMuch,
}

impl Fault {
    pub fn broken(reason: impl Into<String>) -> Self {
        Self::Broken(reason.into())
    }

    pub fn in_file(self, input: &Input) -> FormatError {
        match self {
            Self::Broken(reason) => input.broken(reason),
            Self::Read(error) => {
                input.broken(format!("the data end early or are not compressed as they should be: {error}"))
            }
            Self::Memory(source) => input.memory(source),
            Self::TooMuch => input.too_much(),
        }
    }
}

/// The tag of an element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag {
    pub kind: u32,
    pub bytes: u64,
    /// Bytes behind the element that fill it.
    padding: u64,
}

impl<'a> Stream<'a> {
    pub fn new(reader: &'a mut dyn Read, left: u64, is_little_endian: bool) -> Self {
        Self { reader, left, is_little_endian, expandable: None }
    }

    /// Data that become at most so many bytes of numbers.
    pub fn compressed(reader: &'a mut dyn Read, is_little_endian: bool, expandable: u64) -> Self {
        Self { reader, left: u64::MAX, is_little_endian, expandable: Some(expandable) }
    }

    pub fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Fault> {
        let count = bytes.len() as u64;
        if count > self.left {
            return Err(Fault::broken(format!("{count} bytes are needed where {} are left of an element", self.left)));
        }
        self.reader.read_exact(bytes).map_err(Fault::Read)?;
        self.left -= count;
        Ok(())
    }

    fn word(&mut self) -> Result<u32, Fault> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(if self.is_little_endian { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    /// Reads a tag; small elements have their number of bytes in the upper half of the first word.
    pub fn tag(&mut self) -> Result<Tag, Fault> {
        let first = self.word()?;
        let small = u64::from(first >> 16);
        if small != 0 {
            let padding =
                4_u64.checked_sub(small).ok_or_else(|| Fault::broken(format!("a small element of {small} bytes")))?;
            return Ok(Tag { kind: first & 0xffff, bytes: small, padding });
        }
        let bytes = u64::from(self.word()?);
        // a matrix and what is compressed have their whole length in the tag
        let padding = if matches!(first, 14 | 15) { 0 } else { bytes.wrapping_neg() % 8 };
        Ok(Tag { kind: first, bytes, padding })
    }

    /// Reads over so many bytes, of which the last may be missing at the end of a variable.
    pub fn skip(&mut self, bytes: u64) -> Result<(), Fault> {
        let mut left = bytes.min(self.left);
        let mut piece = [0; 256];
        while left > 0 {
            let part = left.min(piece.len() as u64) as usize;
            match piece.get_mut(..part) {
                Some(part) => self.fill(part)?,
                None => break,
            }
            left -= part as u64;
        }
        Ok(())
    }

    /// Checks that nothing follows.
    pub fn end(&mut self) -> Result<(), Fault> {
        self.skip(self.left)?;
        match self.reader.read(&mut [0]).map_err(Fault::Read)? {
            0 => Ok(()),
            _ => Err(Fault::broken("the compressed variable is longer than its array")),
        }
    }

    /// Bytes of a small element, such as a name.
    pub fn text(&mut self, limit: u64) -> Result<Vec<u8>, Fault> {
        let tag = self.tag()?;
        if tag.bytes > limit {
            return Err(Fault::broken(format!("{} bytes where at most {limit} make sense", tag.bytes)));
        }
        let bytes = self.bytes(tag.bytes)?;
        self.skip(tag.padding)?;
        Ok(bytes)
    }

    /// The next bytes. Those that are compressed may not be there, so that they are not allocated before.
    pub fn bytes(&mut self, count: u64) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < count {
            let begin = bytes.len();
            bytes.resize(begin + (count - begin as u64).min(1 << 12) as usize, 0);
            self.fill(bytes.get_mut(begin..).unwrap_or_default())?;
        }
        Ok(bytes)
    }

    /// Whole numbers of 4 bytes, such as dimensions.
    pub fn words(&mut self, limit: u64) -> Result<Vec<u32>, Fault> {
        let is_little_endian = self.is_little_endian;
        let bytes = self.text(limit)?;
        let word = |piece: &[u8]| {
            let fold = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
            if is_little_endian { piece.iter().rev().fold(0, fold) } else { piece.iter().fold(0, fold) }
        };
        Ok(bytes.chunks_exact(4).map(word).collect())
    }

    /// Numbers of an element, which must be as many as the array has.
    pub fn numbers(&mut self, layout: Layout, lost_digits: &mut bool) -> Result<Vec<Vec<f64>>, Fault> {
        let tag = self.tag()?;
        let kind = kind(tag.kind)?;
        if layout.values().checked_mul(kind.size()) != Some(tag.bytes) {
            return Err(Fault::broken(format!(
                "{} bytes for {} numbers of {} bytes",
                tag.bytes,
                layout.values(),
                kind.size()
            )));
        }
        let channels = self.array(layout, kind, lost_digits)?;
        self.skip(tag.padding)?;
        Ok(channels)
    }

    /// Numbers without a tag.
    pub fn array(&mut self, layout: Layout, kind: Kind, lost_digits: &mut bool) -> Result<Vec<Vec<f64>>, Fault> {
        let bytes = layout.values().saturating_mul(kind.size());
        if bytes > self.left {
            return Err(Fault::broken(format!("{} numbers are announced, for which it is too short", layout.values())));
        }
        if let Some(left) = &mut self.expandable {
            *left = left.checked_sub(layout.values().saturating_mul(8)).ok_or(Fault::TooMuch)?;
        }
        // numbers that are compressed are only known to be there when they have come
        let count = layout.channels();
        let known = if self.expandable.is_none() { layout.values() / count.max(1) } else { 0 };
        let mut channels: Vec<Vec<f64>> = Vec::new();
        for _ in 0..count {
            channels.push(crate::formats::input::room(known).map_err(Fault::Memory)?);
        }
        let (mut index, mut left) = (0, bytes);
        let mut piece = vec![0; PIECE as usize];
        while left > 0 {
            let part = left.min(PIECE);
            let Some(part_bytes) = piece.get_mut(..part as usize) else { break };
            self.fill(part_bytes)?;
            if self.expandable.is_some() && index % (1 << 20) == 0 {
                grows(index + (1 << 20)).map_err(Fault::Memory)?;
            }
            for bytes in part_bytes.chunks_exact(kind.size() as usize) {
                let (value, is_exact) = kind.value(bytes, self.is_little_endian);
                *lost_digits |= !is_exact;
                if let Some(values) = channels.get_mut(layout.channel(index)) {
                    values.push(value);
                }
                index += 1;
            }
            left -= part;
        }
        Ok(channels)
    }
}

/// Checks whether so many values, in vectors that grow, fit into memory.
fn grows(values: u64) -> Result<(), OutOfMemory> {
    let room = Room {
        what: "a variable",
        count: values as usize,
        counted: "values",
        remedy: "save fewer variables, or use a machine with more memory",
    };
    room.check(values.saturating_mul(16))
}

/// Kind of numbers with this number.
fn kind(number: u32) -> Result<Kind, Fault> {
    Ok(match number {
        1 => Kind::Signed(1),
        2 => Kind::Unsigned(1),
        3 => Kind::Signed(2),
        4 => Kind::Unsigned(2),
        5 => Kind::Signed(4),
        6 => Kind::Unsigned(4),
        7 => Kind::Float(4),
        9 => Kind::Float(8),
        12 => Kind::Signed(8),
        13 => Kind::Unsigned(8),
        // characters in UTF-8 and UTF-16
        16 => Kind::Unsigned(1),
        17 => Kind::Unsigned(2),
        18 => Kind::Unsigned(4),
        other => return Err(Fault::broken(format!("{other} is no type of numbers"))),
    })
}
