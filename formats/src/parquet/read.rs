//! Reading of columns of numbers.

use std::io::{Read, Seek};
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, TimeUnit, Type};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use ::parquet::data_type::DataType;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ColumnChunkMetaData;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::schema::types::ColumnDescriptor;
use costate_machine::Room;

use super::UNIT;
use super::checked::Checked;
use crate::input::Input;
use crate::{Channel, ClockTime, Format, FormatError, Group, Recording};

/// Values that are read at once.
const PIECE: usize = 1 << 13;

/// Bytes to which a page may expand for each of its own; dictionaries of equal values have more, but no measured ones.
const EXPANSION: u64 = 1 << 12;

pub(crate) fn read<S: Read + Seek>(source: &mut S, name: &str) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, Format::Parquet)?;
    let length = input.length();
    let bytes = input.bytes(length)?;
    let refused = |error: ParquetError| FormatError::Broken {
        file: name.to_owned(),
        format: Format::Parquet,
        at: 0,
        reason: error.to_string(),
    };
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(refused)?;
    let metadata = file.metadata().file_metadata();
    let keys: Vec<(String, String)> = metadata
        .key_value_metadata()
        .into_iter()
        .flatten()
        .filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?)))
        .collect();
    let unit = |name: &str| {
        keys.iter().find(|(key, _)| key.strip_prefix(UNIT) == Some(name)).map(|(_, unit)| unit.clone())
    };
    let schema = metadata.schema_descr_ptr();
    let mut recording = Recording::new(Format::Parquet);
    let mut group = Group::new("");
    let rows =
        u64::try_from(metadata.num_rows()).map_err(|_| input.broken("the number of rows is negative"))?;
    let room = Room {
        what: "a recording",
        count: rows as usize,
        counted: "rows",
        remedy: "split the file, or use a machine with more memory",
    };
    room.check(rows.saturating_mul(16)).map_err(|source| input.memory(source))?;
    if rows > length.saturating_mul(EXPANSION) {
        return Err(input.broken(format!("{rows} rows are announced in a file of {length} bytes")));
    }
    for (index, column) in schema.columns().iter().enumerate() {
        let column_name = column.path().string();
        let mut values = match Values::of(column) {
            Ok(values) => values,
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
                return Err(input.unsupported(
                    what,
                    "build with the feature `parquet-zstd`, or write it with Snappy, gzip or LZ4",
                ));
            }
            let announced = u64::try_from(row_group.metadata().num_rows()).unwrap_or(u64::MAX);
            let pages = Checked::new(row_group.get_column_page_reader(index).map_err(refused)?, column);
            let reader = get_column_reader(Arc::clone(column), Box::new(pages));
            let before = values.all.len() as u64;
            values.read(reader).map_err(refused)?;
            let found = values.all.len() as u64 - before;
            if found != announced {
                return Err(input
                    .broken(format!("`{column_name}` has {found} values in a group of {announced} rows")));
            }
        }
        if values.lost_digits {
            recording.notes.push(format!("`{column_name}` has whole numbers beyond 2^53, which are rounded"));
        }
        let is_stamp = values.ticks.is_some();
        let mut channel = Channel::new(column_name.clone(), values.all);
        channel.start = values.first.zip(values.ticks).map(|(first, ticks)| clock(first, ticks));
        channel.unit = if is_stamp { Some("s".to_owned()) } else { unit(&column_name) };
        if channel.values.is_empty() {
            recording.leave_out(column_name, "it has no values");
        } else {
            group.channels.push(channel);
        }
    }
    recording.texts =
        keys.into_iter().filter(|(key, _)| !key.starts_with(UNIT) && key != "ARROW:schema").collect();
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

/// The clock time of a stamp of so many ticks in a second.
fn clock(stamp: i64, ticks: i64) -> ClockTime {
    let nanoseconds = stamp.rem_euclid(ticks) * (1_000_000_000 / ticks);
    ClockTime::new(stamp.div_euclid(ticks), nanoseconds as u32, false)
}

/// Values of a column.
struct Values {
    all: Vec<f64>,
    /// Marks a column in which values may be missing.
    is_optional: bool,
    is_unsigned: bool,
    /// Ticks in a second of stamps of time, which become distances from the first one in s.
    ticks: Option<i64>,
    first: Option<i64>,
    lost_digits: bool,
}

impl Values {
    fn of(column: &Arc<ColumnDescriptor>) -> Result<Self, String> {
        if column.max_rep_level() > 0 {
            return Err("its values are lists".to_owned());
        }
        let (mut is_unsigned, mut ticks) = (false, None);
        match column.logical_type_ref() {
            None | Some(LogicalType::Date) => {}
            Some(LogicalType::Integer(integer)) => is_unsigned = !integer.is_signed,
            Some(LogicalType::Timestamp(stamp)) => ticks = Some(ticks_of(&stamp.unit)),
            Some(other) => return Err(format!("its values are of the type {other:?}")),
        }
        if matches!(column.physical_type(), Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY | Type::INT96) {
            return Err("its values are no numbers".to_owned());
        }
        let (all, first, lost_digits) = Default::default();
        Ok(Self { all, is_optional: column.max_def_level() > 0, is_unsigned, ticks, first, lost_digits })
    }

    fn read(&mut self, reader: ColumnReader) -> Result<(), ParquetError> {
        let is_unsigned = self.is_unsigned;
        match reader {
            ColumnReader::BoolColumnReader(reader) => {
                self.each(reader, |_, value| f64::from(u8::from(*value)))
            }
            ColumnReader::FloatColumnReader(reader) => self.each(reader, |_, value| f64::from(*value)),
            ColumnReader::DoubleColumnReader(reader) => self.each(reader, |_, value| *value),
            ColumnReader::Int32ColumnReader(reader) if is_unsigned => {
                self.each(reader, |_, value| f64::from(*value as u32))
            }
            ColumnReader::Int32ColumnReader(reader) => self.each(reader, |_, value| f64::from(*value)),
            ColumnReader::Int64ColumnReader(reader) => self.each(reader, |own, value| own.whole(*value)),
            _ => Ok(()),
        }
    }

    fn whole(&mut self, value: i64) -> f64 {
        const LARGEST: u64 = 1 << 53;
        if let Some(ticks) = self.ticks {
            let first = *self.first.get_or_insert(value);
            return (i128::from(value) - i128::from(first)) as f64 / ticks as f64;
        }
        if self.is_unsigned {
            self.lost_digits |= value as u64 > LARGEST;
            return value as u64 as f64;
        }
        self.lost_digits |= value.unsigned_abs() > LARGEST;
        value as f64
    }

    fn each<T: DataType>(
        &mut self,
        mut reader: ColumnReaderImpl<T>,
        number: impl Fn(&mut Self, &T::T) -> f64,
    ) -> Result<(), ParquetError> {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        loop {
            values.clear();
            levels.clear();
            let levels_of = if self.is_optional { Some(&mut levels) } else { None };
            let (records, _, _) = reader.read_records(PIECE, levels_of, None, &mut values)?;
            if records == 0 {
                return Ok(());
            }
            let mut read = values.iter();
            if self.is_optional {
                // the largest level is that of a value which is there
                let largest = levels.iter().copied().max().unwrap_or(0);
                let all_missing = values.is_empty();
                for level in &levels {
                    let is_there = *level == largest && !all_missing;
                    let value = if is_there {
                        read.next().map_or(f64::NAN, |value| number(self, value))
                    } else {
                        f64::NAN
                    };
                    self.all.push(value);
                }
            } else {
                for value in read {
                    let value = number(self, value);
                    self.all.push(value);
                }
            }
        }
    }
}

fn ticks_of(unit: &TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    }
}
