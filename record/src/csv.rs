//! Records as text: a line of names with units, then one line of numbers per time.
//!
//! The reader asks how much memory the machine has left before it makes room for more lines.

use std::cell::Cell;
use std::io::{Read, Write};
use std::path::Path;

use ::csv::{QuoteStyle, StringRecord, WriterBuilder};
use costate_contract::tables::{CsvLines, name_and_unit};
use costate_contract::units::{Purpose, Scale};
use costate_files::NewFile;
use costate_machine::{OutOfMemory, Room, bytes};
use sha2::{Digest, Sha256};

use super::{Channel, Record, RecordError, SampleFault};

/// A column's heading: `acceleration [m/s^2]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Heading<'a> {
    pub name: &'a str,
    pub unit: Option<&'a str>,
}

impl<'a> Heading<'a> {
    /// Splits off a unit in brackets at the end; a name may consist of brackets alone, but may not be empty.
    pub fn parse(cell: &'a str) -> Self {
        match name_and_unit(cell) {
            ("", _) => Self { name: cell.trim(), unit: None },
            (name, unit) => Self { name, unit },
        }
    }

    /// Returns the text that is parsed to this heading. A name that ends in brackets is followed by an empty unit.
    fn text(&self) -> String {
        match self.unit {
            Some(unit) => format!("{} [{unit}]", self.name),
            None if Self::parse(self.name) == *self => self.name.to_owned(),
            None => format!("{} []", self.name),
        }
    }
}

/// Checks whether a heading with this name and unit is parsed to the same unit.
pub(super) fn keeps_unit(name: &str, unit: &str) -> bool {
    let heading = Heading { name, unit: Some(unit) };
    Heading::parse(&heading.text()) == heading
}

/// Parses the number in a cell, NaN for a missing sample; `None` for any other text.
fn sample(cell: &str) -> Option<f64> {
    match cell.parse::<f64>() {
        Ok(value) => (!value.is_infinite()).then_some(value),
        Err(_) => (cell.is_empty() || cell.eq_ignore_ascii_case("NA")).then_some(f64::NAN),
    }
}

/// A reader that computes the SHA-256 of the bytes it reads.
struct Hashed<'d, R> {
    reader: R,
    hash: Sha256,
    /// Number of bytes read.
    done: &'d Cell<u64>,
}

impl<R> Hashed<'_, R> {
    /// Returns the hash in hexadecimal digits.
    fn text(self) -> String {
        self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl<R: Read> Read for Hashed<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let read = self.reader.read(bytes)?;
        self.hash.update(&bytes[..read]);
        self.done.set(self.done.get() + read as u64);
        Ok(read)
    }
}

/// Checks whether this is the name of the time column.
pub(super) fn is_time(name: &str) -> bool {
    name.eq_ignore_ascii_case("time") || name == "t"
}

impl Record {
    /// Reads a CSV file; see [`from_csv`](Record::from_csv).
    ///
    /// # Errors
    /// [`RecordError`], naming the file, the line and the column.
    pub fn read_csv(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        match costate_files::open(path) {
            Ok(file) => {
                let length = file.metadata().ok().map(|metadata| metadata.len());
                Self::read_text(file, &name, length)
            }
            Err(source) => Err(RecordError::File { file: name, source: source.into() }),
        }
    }

    /// Reads comma, semicolon or tab separated text: a header such as `time [s],acceleration [m/s^2]`, then one
    /// line of numbers with decimal points per time. Units may be left out. The time column is called `time` or
    /// `t` and may be any column; times in another unit, `time [ms]`, are converted to seconds. A cell that is
    /// empty, `NaN` or `NA`, in small or capital letters, is a missing sample of its channel; times may not be
    /// missing. Lines that start with `#` and blank lines are skipped. Error messages call the text `name`.
    ///
    /// # Errors
    /// [`RecordError`], naming the line and the column.
    pub fn from_csv(reader: impl Read, name: &str) -> Result<Self, RecordError> {
        Self::read_text(reader, name, None)
    }

    /// Reads text whose length in bytes may be known.
    fn read_text(reader: impl Read, name: &str, length: Option<u64>) -> Result<Self, RecordError> {
        let failed = |source: ::csv::Error| {
            let file = name.to_owned();
            if !source.is_io_error() {
                return RecordError::Table { file, source };
            }
            match source.into_kind() {
                ::csv::ErrorKind::Io(source) => RecordError::File { file, source },
                _ => RecordError::Empty { file },
            }
        };
        let done = Cell::new(0);
        let mut hashed = Hashed { reader, hash: Sha256::new(), done: &done };
        let mut lines = CsvLines::new(&mut hashed).map_err(failed)?;
        let Some((line, header)) = lines.next_line().map_err(failed)? else {
            return Err(RecordError::Empty { file: name.to_owned() });
        };
        let header = header.clone();
        let mut columns = Columns::from_header(&header, line, name)?;
        while let Some((line, row)) = lines.next_line().map_err(failed)? {
            columns
                .make_room(done.get(), length)
                .map_err(|source| RecordError::Memory { file: name.to_owned(), source })?;
            columns.read_row(row, line, name)?;
        }
        if columns.table[columns.time].is_empty() {
            return Err(RecordError::NoData { file: name.to_owned(), line });
        }
        let record = columns.record(name);
        Ok(Record { sha256: Some(hashed.text()), ..record })
    }

    /// Writes the record as a file that [`read_csv`](Record::read_csv) reads back bit by bit.
    ///
    /// # Errors
    /// [`RecordError::File`], [`RecordError::Table`].
    pub fn write_csv(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
        let path = path.as_ref();
        let failed = |source| RecordError::File { file: path.display().to_string(), source };
        let mut file = NewFile::create(path).map_err(failed)?;
        self.to_csv(&mut file)?;
        file.finish().map_err(failed)
    }

    /// Writes the record as comma separated text: every number with the fewest digits that give the same bits,
    /// and an empty cell for a missing sample.
    ///
    /// # Errors
    /// [`RecordError::Table`].
    pub fn to_csv(&self, mut writer: impl Write) -> Result<(), RecordError> {
        let failed = |source| RecordError::Table { file: self.name.clone(), source };
        let headings = self
            .channels
            .iter()
            .map(|channel| Heading { name: &channel.name, unit: channel.unit.as_deref() }.text());
        let headings: Vec<_> = std::iter::once("time [s]".to_owned()).chain(headings).collect();
        // Readers would take these characters for separators.
        let others = headings.iter().any(|heading| heading.contains(['\t', ';']));
        let style = if others { QuoteStyle::Always } else { QuoteStyle::Necessary };
        let mut header = WriterBuilder::new().quote_style(style).from_writer(&mut writer);
        header.write_record(headings).map_err(failed)?;
        header.flush().map_err(|error| failed(error.into()))?;
        drop(header);
        let mut writer = WriterBuilder::new().from_writer(writer);
        for (i, time) in self.times.iter().enumerate() {
            let values = self.channels.iter().map(|channel| match channel.values[i] {
                value if value.is_nan() => String::new(),
                value => format!("{value:?}"),
            });
            writer.write_record(std::iter::once(format!("{time:?}")).chain(values)).map_err(failed)?;
        }
        writer.flush().map_err(|error| failed(error.into()))
    }
}

/// Initial capacity of a table, in lines.
const FIRST_ROOM: usize = 1 << 12;

/// The header, and the numbers read so far.
struct Columns<'a> {
    headings: Vec<Heading<'a>>,
    time: usize,
    /// Conversion of the times to seconds.
    scale: Scale,
    /// The numbers, column by column.
    table: Vec<Vec<f64>>,
}

impl<'a> Columns<'a> {
    fn from_header(header: &'a StringRecord, line: u64, file: &str) -> Result<Self, RecordError> {
        let file = || file.to_owned();
        if header.iter().all(|cell| cell.parse::<f64>().is_ok()) {
            return Err(RecordError::NoHeader { file: file(), line });
        }
        let headings: Vec<_> = header.iter().map(Heading::parse).collect();
        for (column, heading) in headings.iter().enumerate() {
            if heading.name.is_empty() {
                return Err(RecordError::Unnamed { file: file(), line, column: column + 1 });
            }
            if headings[..column].iter().any(|other| other.name == heading.name) {
                return Err(RecordError::Duplicate { record: file(), channel: heading.name.to_owned() });
            }
        }
        let mut times = (0..headings.len()).filter(|&column| is_time(headings[column].name));
        let Some(time) = times.next() else {
            let columns = headings.iter().map(|heading| heading.name.to_owned()).collect();
            return Err(RecordError::NoTime { file: file(), line, columns });
        };
        if let Some(other) = times.next() {
            let [first, second] = [time, other].map(|column| headings[column].name.to_owned());
            return Err(RecordError::TwoTimes { file: file(), line, first, second });
        }
        let scale = match headings[time].unit {
            None => Scale::ONE,
            Some(unit) => {
                let (origin, column) = (format!("`{}` line {line}", file()), headings[time].name);
                Purpose { origin: &origin, column, quantity: "the time of a record", wanted: "s" }
                    .conversion(unit)?
            }
        };
        let table = vec![Vec::new(); headings.len()];
        Ok(Self { headings, time, scale, table })
    }

    /// Makes a record of the numbers read.
    fn record(self, file: &str) -> Record {
        let mut times = Vec::new();
        let mut channels = Vec::new();
        for (column, (heading, mut values)) in self.headings.iter().zip(self.table).enumerate() {
            // unused capacity is released where that is worth a copy
            if values.capacity() > values.len() + values.len() / 8 {
                values.shrink_to_fit();
            }
            if column == self.time {
                times = values;
            } else {
                let unit = heading.unit.map(str::to_owned);
                channels.push(Channel { name: heading.name.to_owned(), unit, values: values.into() });
            }
        }
        Record { name: file.to_owned(), times: times.into(), channels, sha256: None }
    }

    fn read_row(&mut self, row: &StringRecord, line: u64, file: &str) -> Result<(), RecordError> {
        let file = || file.to_owned();
        let expected = self.headings.len();
        if row.len() != expected {
            return Err(RecordError::Ragged { file: file(), line, found: row.len(), expected });
        }
        for (column, (text, values)) in row.iter().zip(&mut self.table).enumerate() {
            match sample(text).filter(|value| column != self.time || value.is_finite()) {
                Some(time) if column == self.time => values.push(self.scale.apply(time)),
                Some(value) => values.push(value),
                None => {
                    let column = self.headings[column].name.to_owned();
                    return Err(RecordError::Number { file: file(), line, column, text: text.to_owned() });
                }
            }
        }
        let last = self.table[self.time].split_last();
        let fault = last.and_then(|(time, before)| SampleFault::of_time(*time, before.last().copied()));
        match fault {
            None => Ok(()),
            Some(fault) => {
                let column = self.headings[self.time].name.to_owned();
                Err(RecordError::TimeInFile { file: file(), line, column, fault })
            }
        }
    }

    /// Makes room for one more line. A full table gets the capacity for the rest of the text, estimated from the
    /// lines in the first `done` bytes, or half as much again where the length is not known; the machine is asked
    /// for the memory before it is allocated.
    fn make_room(&mut self, done: u64, length: Option<u64>) -> Result<(), OutOfMemory> {
        let (lines, room) = self.table.first().map_or((0, 0), |column| (column.len(), column.capacity()));
        if lines < room {
            return Ok(());
        }
        let expected = length.filter(|_| lines > 0 && done > 0).map(|length| {
            let all = lines as f64 * (length as f64 / done as f64) * 1.02;
            (all as usize).max(lines + lines / 10)
        });
        let wanted = expected.unwrap_or(room + room / 2).max(FIRST_ROOM);
        let asked = Room {
            what: "a record",
            count: wanted,
            counted: "lines",
            remedy: "leave out channels that are not needed, cut the record, or use a machine with more memory",
        };
        let needed = bytes(wanted.saturating_mul(self.table.len()), size_of::<f64>());
        asked.check(needed)?;
        for column in &mut self.table {
            column.try_reserve_exact(wanted - lines).map_err(|_| asked.missing(needed, None))?;
        }
        Ok(())
    }
}
