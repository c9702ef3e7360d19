//! Values of segments: rows of bytes, of which each object has some.

use std::rc::Rc;

use super::metadata::{Index, Raw, Segment, raw_part};
use super::scale::Scale;
use super::value::{Kind, time};
use super::{Numbers, Part};
use crate::formats::FormatError;
use crate::formats::input::Input;
use crate::formats::numbers::{NumberKind, bits};

/// Rows of values.
struct Block {
    rows: u64,
    /// Bytes of a row.
    width: u64,
    parts: Vec<Part>,
}

impl Segment {
    /// Blocks of a chunk of values; the scales choose among several raw values.
    fn blocks(&self, input: &Input, scaler_of: &dyn Fn(usize) -> Option<u32>) -> Result<Vec<Block>, FormatError> {
        let has_raw = self.entries.iter().any(|(_, index)| index.raw.is_some());
        if has_raw {
            return self.raw_blocks(input, scaler_of);
        }
        let whole = |object: usize, kind: Kind| Part { object, offset: 0, kind, bit: None };
        let is_text_alone = self.entries.len() == 1 && self.entries.iter().all(|(_, index)| index.kind == Kind::Text);
        if !self.is_interleaved || is_text_alone {
            let block = |(object, index): &(usize, Rc<Index>)| match index.kind {
                Kind::Text => Block { rows: 1, width: index.bytes, parts: Vec::new() },
                kind => Block { rows: index.values, width: kind.size(), parts: vec![whole(*object, kind)] },
            };
            return Ok(self.entries.iter().map(block).collect());
        }
        let mut block =
            Block { rows: self.entries.first().map_or(0, |(_, index)| index.values), width: 0, parts: Vec::new() };
        for (object, index) in self.entries.iter() {
            if index.values != block.rows || index.kind == Kind::Text {
                return Err(input.broken("interleaved values of different number, or texts among them"));
            }
            block.parts.push(Part { offset: block.width, ..whole(*object, index.kind) });
            block.width += index.kind.size();
        }
        Ok(vec![block])
    }

    fn raw_blocks(&self, input: &Input, scaler_of: &dyn Fn(usize) -> Option<u32>) -> Result<Vec<Block>, FormatError> {
        let mut blocks: Vec<Block> = Vec::new();
        for (object, index) in self.entries.iter() {
            let Some(Raw { scalers, widths }) = &index.raw else {
                return Err(
                    input.unsupported("a segment with raw values of DAQmx and others", "write them into two files")
                );
            };
            if blocks.is_empty() {
                blocks = widths.iter().map(|width| Block { rows: 0, width: *width, parts: Vec::new() }).collect();
            }
            let is_same =
                blocks.len() == widths.len() && blocks.iter().zip(widths).all(|(block, width)| block.width == *width);
            if !is_same {
                return Err(input.broken("objects of a segment disagree about the width of their rows"));
            }
            let wanted = scaler_of(*object);
            for scaler in scalers {
                let Some(block) = blocks.get_mut(scaler.buffer) else {
                    return Err(input.broken("raw values of a buffer that does not exist"));
                };
                block.rows = block.rows.max(index.values);
                if scaler.offset + scaler.kind.size() > block.width {
                    return Err(input.broken("raw values stand after the end of their row"));
                }
                if scalers.len() == 1 || wanted == Some(scaler.id) {
                    block.parts.push(raw_part(*object, scaler));
                }
            }
        }
        Ok(blocks)
    }

    /// Calls `take` with every block and its number of rows, chunk by chunk.
    fn each(&self, blocks: &[Block], take: &mut Take) -> Result<(), FormatError> {
        let chunk = chunk(blocks);
        let total = self.end - self.data;
        for _ in 0..total.checked_div(chunk).unwrap_or(0) {
            for block in blocks {
                take(block, block.rows)?;
            }
        }
        let mut rest = total.checked_rem(chunk).unwrap_or(0);
        let part = rest;
        for block in blocks {
            let rows = match self.is_cut || blocks.len() == 1 {
                true => (rest / block.width.max(1)).min(block.rows),
                // a last chunk with as many parts of all of them
                false => (u128::from(block.rows) * u128::from(part) / u128::from(chunk.max(1))) as u64,
            };
            if rows == 0 {
                continue;
            }
            take(block, rows)?;
            rest = rest.saturating_sub(rows * block.width);
        }
        Ok(())
    }

    /// Adds the number of values of each object.
    pub fn count(&self, input: &Input, counts: &mut [u64]) -> Result<(), FormatError> {
        let blocks = self.blocks(input, &|_| None)?;
        if chunk(&blocks) == 0 {
            return Err(input.broken(format!("{} bytes of values that no object has", self.end - self.data)));
        }
        self.each(&blocks, &mut |block, rows| {
            for part in &block.parts {
                if let Some(count) = counts.get_mut(part.object) {
                    *count += rows;
                }
            }
            Ok(())
        })
    }

    /// Reads the values of each object.
    pub fn read(
        &self,
        input: &mut Input,
        scales: &[Result<Scale, String>],
        numbers: &mut [Numbers],
    ) -> Result<(), FormatError> {
        /// Bytes that are read at once.
        const READ_BYTES: u64 = 1 << 14;
        let scaler_of =
            |object: usize| scales.get(object).and_then(|scale| scale.as_ref().ok()).and_then(|scale| scale.scaler);
        let blocks = self.blocks(input, &scaler_of)?;
        let mut position = self.data;
        self.each(&blocks, &mut |block, rows| {
            let begin = position;
            position += rows * block.width;
            if block.parts.is_empty() {
                return Ok(());
            }
            input.go_to(begin)?;
            let mut left = rows * block.width;
            let piece = (READ_BYTES / block.width.max(1)).max(1) * block.width;
            while left > 0 {
                let bytes = input.bytes(left.min(piece))?;
                left -= bytes.len() as u64;
                for row in bytes.chunks_exact(block.width as usize) {
                    for part in &block.parts {
                        if let (Some(numbers), Some(Ok(scale))) =
                            (numbers.get_mut(part.object), scales.get(part.object))
                        {
                            part.push(row, self.is_little_endian, scale, numbers);
                        }
                    }
                }
            }
            Ok(())
        })
    }
}

/// Bytes of a chunk.
fn chunk(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| block.rows.saturating_mul(block.width)).fold(0, u64::saturating_add)
}

type Take<'a> = dyn FnMut(&Block, u64) -> Result<(), FormatError> + 'a;

impl Part {
    fn push(&self, row: &[u8], is_little_endian: bool, scale: &Scale, numbers: &mut Numbers) {
        let (from, size) = (self.offset as usize, self.kind.size() as usize);
        let Some(bytes) = row.get(from..from + size) else { return };
        let number = |kind: NumberKind, bytes: &[u8]| kind.value(bytes, is_little_endian);
        let (value, is_exact) = match self.kind {
            Kind::Float(_) => number(NumberKind::Float, bytes),
            Kind::Unsigned(_) | Kind::Bool => number(NumberKind::Unsigned, bytes),
            Kind::Signed(_) => number(NumberKind::Signed, bytes),
            Kind::Complex(_) => {
                let (real, imaginary) = bytes.split_at_checked(size / 2).unwrap_or_default();
                numbers.imaginary.push(number(NumberKind::Float, imaginary).0);
                number(NumberKind::Float, real)
            }
            Kind::Time => {
                let time = time(bytes, is_little_endian);
                (time.since(*numbers.first.get_or_insert(time)), true)
            }
            Kind::Text | Kind::Other(_) => return,
        };
        numbers.lost_digits |= !is_exact;
        // a line of a digital port is a bit
        let value = match self.bit {
            Some(bit) if !matches!(self.kind, Kind::Float(_) | Kind::Time) => {
                (bits(bytes, is_little_endian) >> bit & 1) as f64
            }
            _ => value,
        };
        numbers.real.push(scale.apply(value));
    }
}
