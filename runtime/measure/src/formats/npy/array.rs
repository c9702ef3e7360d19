//! An array: its header, and its values channel by channel.

use super::kind::{Code, Field, Kind, fields};
use super::literal::Literal;
use crate::formats::input::room;
use crate::formats::numbers::bits;
use crate::formats::stream::{Fault, Stream};
use crate::formats::{Channel, ClockTime, Recording};

/// Values of one channel, with what follows from their type.
struct Values {
    name: String,
    kind: Kind,
    all: Vec<f64>,
    /// First of the stamps, of which `all` has the distances.
    first: Option<i64>,
    is_rounded: bool,
}

impl Stream<'_> {
    fn header(&mut self) -> Result<Literal, Fault> {
        /// Largest number of bytes of a header; NumPy refuses longer ones as well.
        const MAX_HEADER: u64 = 1 << 16;
        let mut begin = [0; 8];
        self.fill(&mut begin)?;
        if !begin.starts_with(super::ARRAY) {
            return Err(Fault::Broken("it does not begin as an array of NumPy".to_owned()));
        }
        let size = match begin[6] {
            1 => {
                let mut size = [0; 2];
                self.fill(&mut size)?;
                bits(&size, true)
            }
            2 | 3 => {
                let mut size = [0; 4];
                self.fill(&mut size)?;
                bits(&size, true)
            }
            other => return Err(Fault::Broken(format!("the version {other} of arrays is not known"))),
        };
        if size > MAX_HEADER {
            return Err(Fault::Broken(format!("a header of {size} bytes")));
        }
        let mut bytes = vec![0; size as usize];
        self.fill(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        Literal::parse(&text).ok_or_else(|| Fault::Broken("the header of the array cannot be read".to_owned()))
    }

    /// Reads an array and adds its channels.
    pub(super) fn read_array(&mut self, name: &str, recording: &mut Recording) -> Result<(), Fault> {
        /// Largest number of channels of an array: no recorder has as many.
        const MAX_CHANNELS: u64 = 1 << 16;
        let header = self.header()?;
        let broken = || Fault::Broken("the header of the array has no type or shape".to_owned());
        let shape = header.get("shape").and_then(Literal::numbers).ok_or_else(broken)?;
        let (fields, size) = header.get("descr").and_then(fields).ok_or_else(broken)?;
        let is_by_columns = header.get("fortran_order") == Some(&Literal::Truth(true));
        let count = shape.iter().try_fold(1_u64, |product, size| product.checked_mul(*size));
        let count = count.filter(|count| count.checked_mul(size.max(1)).is_some());
        let count = count.ok_or_else(|| Fault::Broken("it has more values than can be counted".to_owned()))?;
        let is_plain = matches!(fields.as_slice(), [field] if field.name.is_empty());
        for field in &fields {
            if let Code::Other(reason) = &field.kind.code {
                let full = if field.name.is_empty() { name.to_owned() } else { format!("{name}.{}", field.name) };
                recording.leave_out(full, reason.clone());
            }
        }
        let fields: Vec<Field> =
            fields.into_iter().filter(|field| !matches!(field.kind.code, Code::Other(_))).collect();
        if fields.is_empty() {
            return Ok(());
        }
        if count == 0 {
            recording.leave_out(name, "it is empty");
            return Ok(());
        }
        if count.saturating_mul(size) > self.left {
            return Err(Fault::Broken(format!("{count} values are announced, for which it is too short")));
        }
        let layout = Layout::of(&shape, is_by_columns);
        if is_by_columns && shape.iter().filter(|size| **size != 1).count() > 2 {
            let reason = format!("it is an array of {shape:?} numbers in the order of Fortran; save it in that of C");
            recording.leave_out(name, reason);
            return Ok(());
        }
        let width: u64 = fields.iter().map(|field| field.count).fold(0, u64::saturating_add);
        let total = layout.channels.saturating_mul(width);
        if total > MAX_CHANNELS {
            recording.leave_out(name, format!("it is an array of {shape:?} numbers, which are no signals"));
            return Ok(());
        }
        let values = count.saturating_mul(width);
        self.expand(values)?;
        let known = if self.expandable.is_none() { count / layout.channels.max(1) } else { 0 };
        let mut channels = Vec::new();
        for field in &fields {
            for index in 0..layout.channels * field.count {
                let base = if field.name.is_empty() { name } else { &field.name };
                let named = layout.name(base, index / field.count, field.count, index % field.count);
                let all = room(known).map_err(Fault::Memory)?;
                channels.push(Values { name: named, kind: field.kind.clone(), all, first: None, is_rounded: false });
            }
        }
        self.values(&fields, size, count, layout, &mut channels)?;
        let group = if is_plain { String::new() } else { name.to_owned() };
        add(recording, &group, channels);
        Ok(())
    }

    /// Reads the values of all elements, one after the other.
    fn values(
        &mut self,
        fields: &[Field],
        size: u64,
        count: u64,
        layout: Layout,
        channels: &mut [Values],
    ) -> Result<(), Fault> {
        /// Bytes that are read at once, or those of an element.
        const READ_BYTES: u64 = 1 << 14;
        let each = (READ_BYTES / size.max(1)).max(1);
        let mut piece = vec![0; (each * size).min(self.left) as usize];
        let mut index = 0;
        while index < count {
            let elements = each.min(count - index);
            let Some(part) = piece.get_mut(..(elements * size) as usize) else { break };
            self.fill(part)?;
            self.check_growth("an array", index + elements)?;
            for element in part.chunks_exact(size.max(1) as usize) {
                let mut first = 0;
                for field in fields {
                    let at = first + layout.channel(index) * field.count;
                    let width = field.kind.size as usize;
                    let begin = field.offset as usize;
                    for value in 0..field.count as usize {
                        let bytes = element.get(begin + value * width..begin + (value + 1) * width);
                        if let Some(channel) = channels.get_mut(at as usize + value) {
                            channel.push(bytes.unwrap_or_default());
                        }
                    }
                    first += layout.channels * field.count;
                }
                index += 1;
            }
        }
        Ok(())
    }
}

/// The elements of an array that belong to one channel.
#[derive(Debug, Clone, Copy)]
struct Layout {
    channels: u64,
    /// Elements of a channel.
    length: u64,
    /// Marks channels that are rows, or a vector.
    are_rows: bool,
    is_vector: bool,
    /// Marks elements of a column that stand one after the other.
    is_by_columns: bool,
}

impl Layout {
    fn of(shape: &[u64], is_by_columns: bool) -> Self {
        let count: u64 = shape.iter().fold(1, |product, size| product.saturating_mul(*size));
        if shape.iter().filter(|size| **size != 1).count() <= 1 {
            return Self { channels: 1, length: count, are_rows: true, is_vector: true, is_by_columns };
        }
        let rows = shape.first().copied().unwrap_or(1);
        let columns = count / rows.max(1);
        let are_rows = columns > rows && shape.len() == 2;
        let (channels, length) = if are_rows { (rows, columns) } else { (columns, rows) };
        Self { channels, length, are_rows, is_vector: false, is_by_columns }
    }

    /// The channel of an element, in the order of the file.
    fn channel(self, index: u64) -> u64 {
        match self.are_rows == self.is_by_columns {
            // the channels of an element take turns
            true if !self.is_vector => index % self.channels.max(1),
            _ => index / self.length.max(1),
        }
    }

    fn name(self, base: &str, channel: u64, count: u64, value: u64) -> String {
        let name = match (self.is_vector, self.are_rows) {
            (true, _) => base.to_owned(),
            (false, true) => format!("{base}[{channel},:]"),
            (false, false) => format!("{base}[:,{channel}]"),
        };
        match (count > 1, self.is_vector) {
            (false, _) => name,
            (true, true) => format!("{name}[:,{value}]"),
            (true, false) => format!("{name}[{value}]"),
        }
    }
}

impl Values {
    fn push(&mut self, bytes: &[u8]) {
        let value = match self.kind.code {
            Code::Stamp(nanoseconds) => match self.kind.whole(bytes) {
                Some(stamp) => {
                    let first = *self.first.get_or_insert(stamp);
                    seconds((i128::from(stamp) - i128::from(first)) * nanoseconds)
                }
                None => f64::NAN,
            },
            Code::Span(nanoseconds) => {
                self.kind.whole(bytes).map_or(f64::NAN, |span| seconds(i128::from(span) * nanoseconds))
            }
            _ => {
                let (value, is_exact) = self.kind.value(bytes);
                self.is_rounded |= !is_exact;
                value
            }
        };
        self.all.push(value);
    }
}

fn seconds(nanoseconds: i128) -> f64 {
    nanoseconds as f64 / 1e9
}

/// Adds channels to a group.
fn add(recording: &mut Recording, group: &str, channels: Vec<Values>) {
    for values in channels.iter().filter(|values| values.is_rounded) {
        recording.note_rounded(&values.name);
    }
    let channels = channels.into_iter().map(|values| {
        let mut channel = Channel::new(values.name, values.all);
        channel.is_time = matches!(values.kind.code, Code::Stamp(_) | Code::Span(_));
        if channel.is_time {
            channel.unit = Some("s".to_owned());
        }
        if let (Code::Stamp(nanoseconds), Some(first)) = (values.kind.code, values.first) {
            let total = i128::from(first) * nanoseconds;
            let whole = i64::try_from(total.div_euclid(1_000_000_000)).unwrap_or(i64::MAX);
            channel.start = Some(ClockTime::new(whole, total.rem_euclid(1_000_000_000) as u32, true));
        }
        channel
    });
    recording.add_channels(group, channels);
}
