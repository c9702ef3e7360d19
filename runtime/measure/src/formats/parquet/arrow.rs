//! The notes of Arrow in a file next to its schema: durations, which have no type in Parquet and are stored as plain
//! numbers.
//!
//! The metadata `ARROW:schema` is a message of Arrow, a flatbuffer, in base64.

use std::collections::HashMap;

use super::meaning::Tick;

/// Ticks of the columns of durations, by the path of the column; none for a text that is no such message.
pub(super) fn durations(text: &str) -> HashMap<String, Tick> {
    let mut found = HashMap::new();
    let Some(bytes) = base64(text) else { return found };
    // a mark and the length stand before the message; older writers leave the mark out
    let skipped = if bytes.starts_with(&[0xff; 4]) { 8 } else { 4 };
    let buffer = Buffer(bytes.get(skipped..).unwrap_or_default());
    let fields = buffer.follow(0).and_then(|message| buffer.link(message, 2)).and_then(|schema| buffer.link(schema, 1));
    if let Some(fields) = fields {
        let mut seen = 0;
        buffer.fields(fields, "", 0, &mut seen, &mut found);
    }
    found
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut bits) = (0_u32, 0);
    for character in text.bytes().filter(|byte| *byte != b'=') {
        let digit = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        word = word << 6 | u32::from(digit);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    Some(bytes)
}

/// A flatbuffer: tables with slots, of which each has its distance from the beginning of the table.
struct Buffer<'a>(&'a [u8]);

impl Buffer<'_> {
    fn bytes<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    fn word(&self, at: usize) -> Option<usize> {
        self.bytes(at).map(|bytes| u32::from_le_bytes(bytes) as usize)
    }

    /// Position to which the distance at this position leads.
    fn follow(&self, at: usize) -> Option<usize> {
        at.checked_add(self.word(at)?)
    }

    /// Position of a slot of a table.
    fn slot(&self, table: usize, slot: usize) -> Option<usize> {
        let back = i32::from_le_bytes(self.bytes(table)?);
        let slots = usize::try_from(i64::try_from(table).ok()? - i64::from(back)).ok()?;
        let size = usize::from(u16::from_le_bytes(self.bytes(slots)?));
        let at = 4 + 2 * slot;
        if at + 2 > size {
            return None;
        }
        let distance = usize::from(u16::from_le_bytes(self.bytes(slots.checked_add(at)?)?));
        (distance != 0).then(|| table.checked_add(distance)).flatten()
    }

    /// Table or vector in a slot.
    fn link(&self, table: usize, slot: usize) -> Option<usize> {
        self.follow(self.slot(table, slot)?)
    }

    fn fields(&self, vector: usize, path: &str, depth: usize, seen: &mut usize, found: &mut HashMap<String, Tick>) {
        const DURATION: u8 = 18;
        /// Largest depth of structures within structures.
        const MAX_DEPTH: usize = 16;
        /// Largest number of columns whose types are noted.
        const MAX_COLUMNS: usize = 1 << 16;
        let count = self.word(vector).unwrap_or(0);
        for index in 0..count {
            *seen += 1;
            let field = vector.checked_add(4 + 4 * index).and_then(|at| self.follow(at));
            let (Some(field), true) = (field, *seen <= MAX_COLUMNS) else { return };
            let Some(name) = self.link(field, 0).and_then(|at| self.text(at)) else { continue };
            let path = if path.is_empty() { name } else { format!("{path}.{name}") };
            let kind = self.slot(field, 2).and_then(|at| self.bytes(at)).map_or(0, |[kind]: [u8; 1]| kind);
            if kind == DURATION {
                let unit = self.link(field, 3).and_then(|duration| self.slot(duration, 0));
                // the slot is left out where it is 1
                let unit = unit.and_then(|at| self.bytes(at)).map_or(1, u16::from_le_bytes);
                let tick = match unit {
                    0 => Tick::SECOND,
                    1 => Tick::MILLI,
                    2 => Tick::MICRO,
                    _ => Tick::NANO,
                };
                found.insert(path, tick);
            } else if let Some(children) = self.link(field, 5).filter(|_| depth < MAX_DEPTH) {
                self.fields(children, &path, depth + 1, seen, found);
            }
        }
    }

    fn text(&self, at: usize) -> Option<String> {
        let begin = at.checked_add(4)?;
        let bytes = self.0.get(begin..begin.checked_add(self.word(at)?)?)?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By pyarrow: `a: duration[s], b: double, c: duration[ms], s: struct<d: duration[us]>, e: duration[ns]`.
    const SCHEMA: &str = include_str!("arrow_schema.txt");

    #[test]
    fn durations_of_a_schema() {
        let found = durations(SCHEMA.trim());
        let mut names: Vec<(&str, Tick)> = found.iter().map(|(name, tick)| (name.as_str(), *tick)).collect();
        names.sort_by_key(|(name, _)| *name);
        assert_eq!(names, [("a", Tick::SECOND), ("c", Tick::MILLI), ("e", Tick::NANO), ("s.d", Tick::MICRO)]);
    }

    #[test]
    fn what_is_no_schema_says_nothing() {
        for length in 0..SCHEMA.trim().len() {
            // any part ends without a panic
            durations(&SCHEMA[..length]);
        }
        assert!(durations("").is_empty() && durations("/////w==").is_empty() && durations("no").is_empty());
    }
}
