//! Reading of columns of numbers.

use std::io::{Read, Seek};
use std::sync::Arc;

use ::parquet::basic::Compression;
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use ::parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ColumnChunkMetaData;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use costate_contract::machine::Room;

use super::UNIT;
use super::arrow::durations;
use super::checked::Checked;
use super::meaning::{Meaning, big_endian, decimal};
use crate::formats::input::Input;
use crate::formats::numbers::{MAX_EXACT, half};
use crate::formats::{Channel, Format, FormatError, Group, Recording};

/// Key of what Arrow says of the columns.
const ARROW: &str = "ARROW:schema";

pub(crate) fn read<S: Read + Seek>(source: &mut S, name: &str) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, Format::Parquet)?;
    let length = input.length();
    let bytes = input.bytes(length)?;
    let refused = |error: ParquetError| FormatError::broken(name, Format::Parquet, 0, error.to_string());
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(refused)?;
    let metadata = file.metadata().file_metadata();
    let keys: Vec<(String, String)> = metadata
        .key_value_metadata()
        .into_iter()
        .flatten()
        .filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?)))
        .collect();
    let unit =
        |name: &str| keys.iter().find(|(key, _)| key.strip_prefix(UNIT) == Some(name)).map(|(_, unit)| unit.clone());
    let spans = keys.iter().find(|(key, _)| key == ARROW).map(|(_, text)| durations(text)).unwrap_or_default();
    let schema = metadata.schema_descr_ptr();
    let mut recording = Recording::new(Format::Parquet);
    let mut group = Group::new("");
    let rows = u64::try_from(metadata.num_rows()).map_err(|_| input.broken("the number of rows is negative"))?;
    let room = Room {
        what: "a recording",
        count: rows as usize,
        counted: "rows",
        remedy: "split the file, or use a machine with more memory",
    };
    room.check(rows.saturating_mul(16)).map_err(|source| input.memory(source))?;
    let meanings: Vec<_> = schema
        .columns()
        .iter()
        .map(|column| Meaning::of(column, spans.get(&column.path().string()).copied()))
        .collect();
    // a run of equal values takes a few bytes
    let channels = meanings.iter().filter(|meaning| meaning.is_ok()).count() as u64;
    input.expand(rows.saturating_mul(8).saturating_mul(channels))?;
    'columns: for (index, (column, meaning)) in schema.columns().iter().zip(meanings).enumerate() {
        let column_name = column.path().string();
        let mut values = match meaning {
            Ok(meaning) => Values::new(meaning, column.max_def_level()),
            Err(reason) => {
                recording.leave_out(column_name, reason);
                continue;
            }
        };
        for number in 0..file.num_row_groups() {
            let row_group = file.get_row_group(number).map_err(refused)?;
            let chunk = row_group.metadata().columns().get(index);
            if !chunk.is_some_and(|chunk| is_inside(chunk, length)) {
                return Err(input.broken(format!("`{column_name}` stands outside the file")));
            }
            let codec = chunk.map(ColumnChunkMetaData::compression);
            if let Some(what) = codec.and_then(unread) {
                return Err(input
                    .unsupported(what, "build with the feature `parquet-zstd`, or write it with Snappy, gzip or LZ4"));
            }
            let announced = u64::try_from(row_group.metadata().num_rows()).unwrap_or(u64::MAX);
            let pages = Checked::new(row_group.get_column_page_reader(index).map_err(refused)?, column);
            let reader = get_column_reader(Arc::clone(column), Box::new(pages));
            let before = values.all.len() as u64;
            match values.read(reader) {
                Ok(()) => {}
                Err(ParquetError::NYI(reason)) => {
                    recording.leave_out(column_name, reason);
                    continue 'columns;
                }
                Err(error) => return Err(refused(error)),
            }
            let found = values.all.len() as u64 - before;
            if found != announced {
                return Err(input.broken(format!("`{column_name}` has {found} values in a group of {announced} rows")));
            }
        }
        if values.lost_digits {
            recording.note_rounded(&column_name);
        }
        let mut channel = Channel::new(column_name.clone(), values.all);
        if let (Meaning::Stamp(tick, is_local), Some(first)) = (values.meaning, values.first) {
            channel.start = Some(tick.clock(first, is_local));
        }
        channel.is_time = values.meaning.is_time();
        channel.unit = if channel.is_time { Some("s".to_owned()) } else { unit(&column_name) };
        if channel.values.is_empty() {
            recording.leave_out(column_name, "it has no values");
        } else {
            group.channels.push(channel);
        }
    }
    recording.texts = keys.into_iter().filter(|(key, _)| !key.starts_with(UNIT) && key != ARROW).collect();
    if !group.channels.is_empty() {
        recording.groups.push(group);
    }
    Ok(recording)
}

/// Checks whether the pages of a column stand within a file of this length, which the reader takes for granted.
fn is_inside(chunk: &ColumnChunkMetaData, length: u64) -> bool {
    let starts = [chunk.dictionary_page_offset(), Some(chunk.data_page_offset()), chunk.index_page_offset()];
    let inside = |start: i64| {
        let (start, size) = (u64::try_from(start).ok(), u64::try_from(chunk.compressed_size()).ok());
        start.zip(size).and_then(|(start, size)| start.checked_add(size)).is_some_and(|end| end <= length)
    };
    // pages begin with the dictionary, from which on the size is counted
    let first = starts.iter().flatten().copied().min().unwrap_or(-1);
    inside(first) && starts.iter().flatten().all(|start| *start >= 0) && chunk.num_values() >= 0
}

/// A compression that this build does not have.
fn unread(codec: Compression) -> Option<&'static str> {
    match codec {
        Compression::ZSTD(_) if !cfg!(feature = "parquet-zstd") => Some("compression by Zstandard"),
        Compression::BROTLI(_) => Some("compression by Brotli"),
        Compression::LZO => Some("compression by LZO"),
        _ => None,
    }
}

/// Values of a column.
struct Values {
    all: Vec<f64>,
    meaning: Meaning,
    /// Level of a value that is there; 0 where none can be missing.
    level: i16,
    /// First of the stamps, of which `all` has the distances.
    first: Option<i128>,
    lost_digits: bool,
}

impl Values {
    fn new(meaning: Meaning, level: i16) -> Self {
        Self { all: Vec::new(), meaning, level, first: None, lost_digits: false }
    }

    fn read(&mut self, reader: ColumnReader) -> Result<(), ParquetError> {
        let is_unsigned = self.meaning == Meaning::Unsigned;
        match reader {
            ColumnReader::BoolColumnReader(reader) => self.each(reader, |_, value| f64::from(u8::from(*value))),
            ColumnReader::FloatColumnReader(reader) => self.each(reader, |_, value| f64::from(*value)),
            ColumnReader::DoubleColumnReader(reader) => self.each(reader, |_, value| *value),
            ColumnReader::Int32ColumnReader(reader) if is_unsigned => {
                self.each(reader, |_, value| f64::from(*value as u32))
            }
            ColumnReader::Int32ColumnReader(reader) => self.each(reader, |own, value| own.whole(i128::from(*value))),
            ColumnReader::Int64ColumnReader(reader) if is_unsigned => {
                self.each(reader, |own, value| own.whole(i128::from(*value as u64)))
            }
            ColumnReader::Int64ColumnReader(reader) => self.each(reader, |own, value| own.whole(i128::from(*value))),
            ColumnReader::Int96ColumnReader(reader) => self.each(reader, |own, value| own.whole(nanoseconds(value))),
            ColumnReader::ByteArrayColumnReader(reader) => {
                self.each(reader, |own, value: &ByteArray| own.bytes(value.data()))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                self.each(reader, |own, value: &FixedLenByteArray| own.bytes(value.data()))
            }
        }
    }

    fn whole(&mut self, value: i128) -> f64 {
        match self.meaning {
            Meaning::Stamp(tick, _) => tick.seconds(value - *self.first.get_or_insert(value)),
            Meaning::Span(tick) => tick.seconds(value),
            Meaning::Decimal(scale) => decimal(value, scale),
            Meaning::Plain | Meaning::Unsigned | Meaning::Half => {
                self.lost_digits |= value.unsigned_abs() > u128::from(MAX_EXACT);
                value as f64
            }
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> f64 {
        match (self.meaning, bytes) {
            (Meaning::Half, [low, high]) => half(u16::from_le_bytes([*low, *high])),
            (Meaning::Half, _) => f64::NAN,
            _ => big_endian(bytes).map_or(f64::NAN, |digits| self.whole(digits)),
        }
    }

    fn each<T: DataType>(
        &mut self,
        mut reader: ColumnReaderImpl<T>,
        number: impl Fn(&mut Self, &T::T) -> f64,
    ) -> Result<(), ParquetError> {
        /// Values that are read at once.
        const READ_VALUES: usize = 1 << 13;
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        loop {
            values.clear();
            levels.clear();
            let levels_of = if self.level > 0 { Some(&mut levels) } else { None };
            let (records, _, _) = reader.read_records(READ_VALUES, levels_of, None, &mut values)?;
            if records == 0 {
                return Ok(());
            }
            let mut read = values.iter();
            if self.level == 0 {
                for value in read {
                    let value = number(self, value);
                    self.all.push(value);
                }
                continue;
            }
            for level in &levels {
                let value = match *level == self.level {
                    true => read.next().map_or(f64::NAN, |value| number(self, value)),
                    false => f64::NAN,
                };
                self.all.push(value);
            }
        }
    }
}

/// Nanoseconds since 1970 of a time of 96 bits: those of the day, and the Julian day.
fn nanoseconds(value: &Int96) -> i128 {
    const EPOCH: i128 = 2_440_588;
    const DAY: i128 = 86_400_000_000_000;
    let [low, high, day] = [0, 1, 2].map(|index| i128::from(value.data().get(index).copied().unwrap_or(0)));
    (day - EPOCH) * DAY + (high << 32 | low)
}
