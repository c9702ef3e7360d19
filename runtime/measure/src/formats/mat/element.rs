//! Elements of level 5, in the file or in what was compressed.

use super::layout::{Kind, Layout};
use crate::formats::numbers::{NumberKind, bits};
use crate::formats::stream::{Fault, Stream};

/// The tag of an element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag {
    pub kind: u32,
    pub bytes: u64,
    /// Bytes after the element that fill it.
    padding: u64,
}

impl Stream<'_> {
    fn word(&mut self) -> Result<u32, Fault> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(bits(&bytes, self.is_little_endian) as u32)
    }

    /// Reads a tag; small elements have their number of bytes in the upper half of the first word.
    pub(super) fn tag(&mut self) -> Result<Tag, Fault> {
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

    /// Checks that nothing follows.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        self.skip(self.left)?;
        match self.reader.read(&mut [0]).map_err(Fault::Read)? {
            0 => Ok(()),
            _ => Err(Fault::broken("the compressed variable is longer than its array")),
        }
    }

    /// Bytes of a small element, such as a name.
    pub(super) fn text(&mut self, limit: u64) -> Result<Vec<u8>, Fault> {
        let tag = self.tag()?;
        if tag.bytes > limit {
            return Err(Fault::broken(format!("{} bytes where at most {limit} make sense", tag.bytes)));
        }
        let bytes = self.bytes(tag.bytes)?;
        self.skip(tag.padding)?;
        Ok(bytes)
    }

    /// The next bytes. Those that are compressed may not be there, so that they are not allocated before.
    pub(super) fn bytes(&mut self, count: u64) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < count {
            let begin = bytes.len();
            bytes.resize(begin + (count - begin as u64).min(1 << 12) as usize, 0);
            self.fill(bytes.get_mut(begin..).unwrap_or_default())?;
        }
        Ok(bytes)
    }

    /// Whole numbers of 4 bytes, such as dimensions.
    pub(super) fn words(&mut self, limit: u64) -> Result<Vec<u32>, Fault> {
        let bytes = self.text(limit)?;
        Ok(bytes.chunks_exact(4).map(|word| bits(word, self.is_little_endian) as u32).collect())
    }

    /// Numbers of an element, which must be as many as the array has.
    pub(super) fn numbers(&mut self, layout: Layout, lost_digits: &mut bool) -> Result<Vec<Vec<f64>>, Fault> {
        let tag = self.tag()?;
        let kind = kind(tag.kind)?;
        if layout.values().checked_mul(kind.size) != Some(tag.bytes) {
            return Err(Fault::broken(format!(
                "{} bytes for {} numbers of {} bytes",
                tag.bytes,
                layout.values(),
                kind.size
            )));
        }
        let channels = self.array(layout, kind, lost_digits)?;
        self.skip(tag.padding)?;
        Ok(channels)
    }

    /// Numbers without a tag.
    pub(super) fn array(&mut self, layout: Layout, kind: Kind, lost_digits: &mut bool) -> Result<Vec<Vec<f64>>, Fault> {
        /// Bytes that are read at once.
        const READ_BYTES: u64 = 1 << 14;
        let bytes = layout.values().saturating_mul(kind.size);
        if bytes > self.left {
            return Err(Fault::broken(format!("{} numbers are announced, for which it is too short", layout.values())));
        }
        self.expand(layout.values())?;
        let count = layout.channels();
        let known = if self.expandable.is_none() { layout.values() / count.max(1) } else { 0 };
        let mut channels: Vec<Vec<f64>> = Vec::new();
        for _ in 0..count {
            channels.push(crate::formats::input::room(known).map_err(Fault::Memory)?);
        }
        let (mut index, mut left) = (0, bytes);
        let mut piece = vec![0; READ_BYTES as usize];
        while left > 0 {
            let part = left.min(READ_BYTES);
            let Some(part_bytes) = piece.get_mut(..part as usize) else { break };
            self.fill(part_bytes)?;
            if index % (1 << 20) == 0 {
                self.check_growth("a variable", index + (1 << 20))?;
            }
            for bytes in part_bytes.chunks_exact(kind.size as usize) {
                let (value, is_exact) = kind.number.value(bytes, self.is_little_endian);
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

/// Kind of numbers with this number.
fn kind(number: u32) -> Result<Kind, Fault> {
    use NumberKind::{Float, Signed, Unsigned};
    let (number, size) = match number {
        1 => (Signed, 1),
        // also characters in UTF-8, UTF-16 and UTF-32
        2 | 16 => (Unsigned, 1),
        3 => (Signed, 2),
        4 | 17 => (Unsigned, 2),
        5 => (Signed, 4),
        6 | 18 => (Unsigned, 4),
        7 => (Float, 4),
        9 => (Float, 8),
        12 => (Signed, 8),
        13 => (Unsigned, 8),
        other => return Err(Fault::broken(format!("{other} is no type of numbers"))),
    };
    Ok(Kind { number, size })
}
