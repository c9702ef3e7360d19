//! The numbers of a file, column by column.

use std::sync::Arc;

use costate_contract::machine::{OutOfMemory, Room, bytes};

use super::clock::{Clock, place};
use super::cut::LastColumn;
use super::decimal::{Decimal, Missing, Tells, missing, number, plain, tells};
use super::heading::{Heading, Wrapped, is_time, keeps_unit};
use super::lines::{Cells, Separator};
use super::names::names;
use super::options::CsvReader;
use super::sniff::Dialect;
use super::stamps::{even_clock, has_rate, last_digit, unusual};
use super::taken::{Clocked, Doubt, Taken, Units};
use super::text::Encoding;
use super::{CellFault, Channel, Record, RecordError, SampleFault};
use crate::record::interval;

/// Purpose of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Time,
    Date,
    /// The channel with this index.
    Channel(usize),
    Ignored,
    /// A column without a name, in which nothing may stand.
    Empty,
}

/// The columns, and the numbers read so far.
pub struct Table<'a> {
    file: &'a str,
    options: &'a CsvReader,
    separator: Separator,
    decimal: Option<Decimal>,
    roles: Vec<Role>,
    /// Name and unit of each column.
    names: Vec<(String, Option<String>)>,
    units: Units,
    /// Doubts about the units.
    doubts: Vec<Doubt>,
    clock: Clock,
    times: Vec<f64>,
    channels: Vec<Vec<f64>>,
    markers: Vec<(String, usize)>,
    /// Number of times that are equal to the one before, with the line of the first of them.
    repeated: usize,
    first_repeated: u64,
    /// The last line, if the text ends within it.
    cut: Option<Cut>,
    last_column: LastColumn,
}

/// A last line without an end.
#[derive(Debug, Clone, Copy)]
struct Cut {
    line: u64,
    is_left_out: bool,
}

impl<'a> Table<'a> {
    pub fn new(dialect: &Dialect, options: &'a CsvReader, file: &'a str) -> Result<Self, RecordError> {
        let (names, units, doubts) = names(dialect, options, file)?;
        let headings: Vec<Heading<'_>> =
            names.iter().map(|(name, unit)| Heading { name, unit: unit.as_deref() }).collect();
        let ignored: Vec<usize> =
            options.ignored.iter().map(|column| place(column, &headings, "ignore")).collect::<Result<_, _>>()?;
        let visible: Vec<Heading<'_>> = headings
            .iter()
            .enumerate()
            .map(|(at, heading)| if ignored.contains(&at) { Heading { name: "", unit: None } } else { *heading })
            .collect();
        let clock = Clock::find(dialect, &visible, options, file)?;
        let mut channels = Vec::new();
        let mut roles = Vec::with_capacity(names.len());
        for (column, (name, _)) in names.iter().enumerate() {
            let is_time = clock.column == Some(column);
            roles.push(match () {
                () if is_time && !options.has_clock() => Role::Time,
                () if clock.date == Some(column) => Role::Date,
                () if is_time || ignored.contains(&column) => Role::Ignored,
                // another time than the one that was named
                () if crate::record::csv::is_time(name) && (options.time_column.is_some() || options.has_clock()) => {
                    Role::Ignored
                }
                () if name.is_empty() => Role::Empty,
                () => {
                    channels.push(Vec::new());
                    Role::Channel(channels.len() - 1)
                }
            });
        }
        let table = Self {
            file,
            options,
            separator: dialect.separator,
            decimal: dialect.decimal,
            roles,
            units,
            doubts,
            clock,
            times: Vec::new(),
            channels,
            markers: Vec::new(),
            repeated: 0,
            first_repeated: 0,
            cut: None,
            last_column: LastColumn::new(),
            names,
        };
        table.check_names(dialect)?;
        Ok(table)
    }

    /// Checks the names of the channels.
    fn check_names(&self, dialect: &Dialect) -> Result<(), RecordError> {
        let file = || self.file.to_owned();
        let channels = || self.names.iter().zip(&self.roles).filter(|(_, role)| matches!(role, Role::Channel(_)));
        for (place, ((name, unit), _)) in channels().enumerate() {
            if channels().take(place).any(|((other, _), _)| other == name) {
                let (channel, record) = (name.clone(), file());
                let wrapped = dialect.heading.as_ref().filter(|_| self.units == Units::Parentheses);
                let clear = |cell: &&String| {
                    matches!(Heading::parse(cell), (heading,
                Wrapped::Parentheses) if heading.name == name)
                };
                let cells: Vec<String> =
                    wrapped.iter().flat_map(|(_, cells)| cells.iter().filter(clear)).cloned().collect();
                return Err(match (&*cells, wrapped) {
                    ([first, second, ..], Some((line, _))) => RecordError::Parentheses {
                        file: record,
                        line: *line,
                        first: first.clone(),
                        second: second.clone(),
                    },
                    _ => RecordError::Duplicate { record, channel },
                });
            }
            if is_time(name) {
                return Err(RecordError::ChannelName { record: file(), channel: name.clone() });
            }
            if let Some(unit) = unit.as_ref().filter(|unit| !keeps_unit(name, unit)) {
                let (channel, unit) = (name.clone(), unit.clone());
                return Err(RecordError::ChannelUnit { record: file(), channel, unit });
            }
        }
        Ok(())
    }

    pub fn read_row(&mut self, cells: &Cells, line: &[u8], number: u64) -> Result<(), RecordError> {
        if cells.len() != self.roles.len() {
            self.check_width(cells, line, number)?;
        }
        for column in 0..self.roles.len() {
            let cell = cells.get(column, line);
            match self.roles.get(column) {
                Some(Role::Channel(channel)) => {
                    let channel = *channel;
                    let value = match plain(cell, self.decimal.unwrap_or(Decimal::Point).byte()) {
                        Some(value) if self.decimal.is_some() || !cell.contains(&b'.') => value,
                        _ => self.sample(cell, column, number)?,
                    };
                    if let Some(values) = self.channels.get_mut(channel) {
                        values.push(value);
                    }
                }
                Some(Role::Time) => {
                    let date = self.clock.date.map_or(&b""[..], |date| cells.get(date, line));
                    self.read_time(cell, date, number)?;
                }
                Some(Role::Empty) if !cell.is_empty() => {
                    return Err(RecordError::Unnamed { file: self.file.to_owned(), line: number, column: column + 1 });
                }
                _ => {}
            }
        }
        if self.options.has_clock() {
            self.read_time(b"", b"", number)?;
        }
        self.last_column.add(cells.get(self.roles.len().saturating_sub(1), line));
        Ok(())
    }

    /// Checks a line with more or fewer cells than columns: further ones may be empty, and what is left out may be
    /// missing.
    fn check_width(&self, cells: &Cells, line: &[u8], number: u64) -> Result<(), RecordError> {
        let (found, expected) = (cells.len(), self.roles.len());
        let spare = |role: &Role| matches!(role, Role::Ignored | Role::Empty);
        let is_right = match found > expected {
            true => (expected..found).all(|cell| cells.get(cell, line).is_empty()),
            false => self.roles.iter().skip(found).all(spare),
        };
        if is_right {
            return Ok(());
        }
        Err(RecordError::Ragged { file: self.file.to_owned(), line: number, found, expected })
    }

    /// Judges the last line of a text: one that is cut, without its last cells or within its time, is left out, and one
    /// with a shorter number than those above it is doubtful.
    pub fn end(&mut self, read: Result<(), RecordError>, number: u64, is_cut: bool) -> Result<(), RecordError> {
        let is_early = match (&read, self.times.as_slice()) {
            (Err(RecordError::TimeInFile { .. }), _) => true,
            (Ok(()), [.., before, last]) => self.repeated == 1 && before == last,
            _ => false,
        };
        if is_cut && is_early && self.roles.last() == Some(&Role::Time) {
            self.repeated = 0;
            self.keep(self.times.len().saturating_sub(1));
            self.cut = Some(Cut { line: number, is_left_out: true });
            return Ok(());
        }
        let lacks = match &read {
            Err(RecordError::Ragged { found, expected, .. }) => found < expected,
            // `1.5e` and `-` may have been numbers
            Err(RecordError::Cell { text, fault: CellFault::Number, .. }) => {
                let shorter = text.trim_end_matches(['e', 'E', '+', '-', '.', ',']);
                shorter.len() < text.len() && shorter.bytes().all(|byte| !byte.is_ascii_alphabetic())
            }
            _ => false,
        };
        match read {
            Err(_) if is_cut && lacks && self.truncate() > 0 => {
                self.cut = Some(Cut { line: number, is_left_out: true });
                Ok(())
            }
            Ok(()) if is_cut => {
                self.cut = Some(Cut { line: number, is_left_out: false });
                Ok(())
            }
            other => other,
        }
    }

    /// Removes cells of a line that was not read to its end; returns the number of lines.
    fn truncate(&mut self) -> usize {
        let lines = self.channels.iter().map(Vec::len).chain([self.times.len()]).min().unwrap_or(0);
        self.keep(lines);
        lines
    }

    /// Keeps this many lines.
    fn keep(&mut self, lines: usize) {
        self.channels.iter_mut().chain([&mut self.times]).for_each(|column| column.truncate(lines));
    }

    /// The doubt about a last line without an end: a number may have lost its last digits, if those above it have more.
    fn cut_doubt(&self) -> Option<Doubt> {
        let Cut { line, is_left_out } = self.cut?;
        let column = self.names.len().checked_sub(1)?;
        let name = || self.names.get(column).map_or(String::new(), |(name, _)| name.clone());
        if is_left_out {
            return Some(Doubt::Cut { line, column: None });
        }
        let values = match self.roles.last() {
            Some(Role::Channel(channel)) => self.channels.get(*channel)?.as_slice(),
            _ => &self.times,
        };
        self.last_column.is_shortened(values).then(|| Doubt::Cut { line, column: Some(name()) })
    }

    fn cell_error(&self, cell: &[u8], column: usize, line: u64, fault: CellFault) -> RecordError {
        let column = self.names.get(column).map_or(String::new(), |(name, _)| name.clone());
        let text = String::from_utf8_lossy(cell).into_owned();
        RecordError::Cell { file: self.file.to_owned(), line, column, text, fault }
    }

    /// Reads what is no plain number, and the first number with a decimal sign.
    #[cold]
    fn sample(&mut self, cell: &[u8], column: usize, line: u64) -> Result<f64, RecordError> {
        match missing(cell, &self.options.missing) {
            Some(Missing::Plain) => return Ok(f64::NAN),
            Some(Missing::Marked) => {
                self.mark(cell);
                return Ok(f64::NAN);
            }
            None => {}
        }
        let decimal = self.settle(cell, column, line)?;
        number(cell, decimal, self.options.thousands)
            .ok_or_else(|| self.cell_error(cell, column, line, CellFault::Number))
    }

    /// Returns the decimal sign, which the first number that has one determines.
    fn settle(&mut self, cell: &[u8], column: usize, line: u64) -> Result<Decimal, RecordError> {
        if self.decimal.is_some() || !cell.iter().any(|byte| matches!(byte, b'.' | b',')) {
            return Ok(self.decimal.unwrap_or(Decimal::Point));
        }
        match tells(cell) {
            Some(Tells::Decimal(sign)) => self.decimal = Some(sign),
            Some(Tells::Either(Decimal::Point)) if self.separator != Separator::Semicolon => {
                self.decimal = Some(Decimal::Point);
            }
            Some(Tells::Either(_)) => {
                return Err(self.cell_error(cell, column, line, CellFault::Decimal));
            }
            _ => {}
        }
        Ok(self.decimal.unwrap_or(Decimal::Point))
    }

    fn mark(&mut self, cell: &[u8]) {
        /// Largest number of different texts for missing samples that are counted.
        const MAX_MARKERS: usize = 32;
        let text = String::from_utf8_lossy(cell);
        if let Some((_, count)) = self.markers.iter_mut().find(|(other, _)| *other == text) {
            *count += 1;
        } else if self.markers.len() < MAX_MARKERS {
            self.markers.push((text.into_owned(), 1));
        }
    }

    fn read_time(&mut self, cell: &[u8], date: &[u8], line: u64) -> Result<(), RecordError> {
        let column = self.clock.column.unwrap_or_default();
        let decimal = match self.decimal {
            Some(decimal) => decimal,
            None => self.settle(cell, column, line)?,
        };
        let Some(time) = self.clock.time(cell, date, decimal) else {
            let missing = missing(cell, &self.options.missing).is_some();
            if !self.clock.is_dated() || missing {
                return Err(self.cell_error(cell, column, line, CellFault::Number));
            }
            let (column, text) = (self.clock.name().to_owned(), String::from_utf8_lossy(cell).into_owned());
            let fault = CellFault::Stamp;
            return Err(RecordError::Cell { file: self.file.to_owned(), line, column, text, fault });
        };
        let fault = match self.times.last() {
            Some(last) if time > *last && time.is_finite() => None,
            before => SampleFault::of_time(time, before.copied()),
        };
        self.times.push(time);
        match fault {
            None => {}
            Some(SampleFault::Repeated { .. }) => {
                if self.repeated == 0 {
                    self.first_repeated = line;
                }
                self.repeated += 1;
            }
            Some(fault) => return Err(self.time_error(line, fault)),
        }
        Ok(())
    }

    fn time_error(&self, line: u64, fault: SampleFault) -> RecordError {
        let column = self.clock.name().to_owned();
        RecordError::TimeInFile { file: self.file.to_owned(), line, column, fault }
    }

    /// Number of samples that were read, and the one that the header states; that of all channels together is left out.
    pub fn stated(&self, dialect: &Dialect) -> Option<[usize; 2]> {
        let read = self.times.len();
        let stated = dialect.samples.filter(|stated| *stated != read * self.channels.len())?;
        Some([read + usize::from(self.cut.as_ref().is_some_and(|cut| cut.is_left_out)), stated])
    }

    /// Makes a record of the numbers read, of which so many were there and were stated.
    pub fn record(
        mut self,
        dialect: &Dialect,
        encoding: Encoding,
        samples: Option<[usize; 2]>,
    ) -> Result<Record, RecordError> {
        let Some(first) = self.times.first().copied() else {
            let line = dialect.heading.as_ref().map_or(dialect.first, |(line, _)| *line);
            return Err(RecordError::NoData { file: self.file.to_owned(), line });
        };
        let mut doubts = std::mem::take(&mut self.doubts);
        if self.repeated > 0 {
            let cells = dialect.rows.iter().filter_map(|(_, cells)| cells.get(self.clock.column?));
            let digit = last_digit(cells, self.clock.seconds());
            match even_clock(&mut self.times, self.repeated, digit) {
                Some(doubt) => doubts.push(doubt),
                None => {
                    let before = self.times.windows(2).find(|pair| pair.first() == pair.last());
                    let time = before.and_then(|pair| pair.first()).copied().unwrap_or(first);
                    return Err(self.time_error(self.first_repeated, SampleFault::Repeated { time }));
                }
            }
        }
        let mut time = self.clock.clocked();
        if let Some(unit) = self.clock.unit().filter(|_| self.options.time_unit.is_none()) {
            let first = self.clock.origin() + self.times.first().copied().unwrap_or(0.0);
            doubts.extend(unusual(&self.times, first, self.clock.name(), unit, &dialect.rates));
        }
        if let Clocked::Column { assumed, .. } = &mut time {
            *assumed &= interval(&self.times).and_then(|interval| has_rate(interval, &dialect.rates)).is_none();
        }
        doubts.extend(self.cut_doubt());
        let fewer = samples.filter(|[samples, stated]| samples < stated);
        doubts.extend(fewer.map(|[samples, stated]| Doubt::Fewer { samples, stated }));
        let taken = Taken {
            encoding,
            separator: self.separator,
            decimal: self.decimal,
            heading: dialect.heading.as_ref().map(|(line, _)| *line),
            before: dialect.before.clone(),
            units: self.units,
            time,
            markers: self.markers,
            left_out: left_out(&self.names, &self.roles),
            doubts,
        };
        // unused capacity is released where that is worth a copy
        let fitted = |mut values: Vec<f64>| {
            if values.capacity() > values.len() + values.len() / 8 {
                values.shrink_to_fit();
            }
            Arc::new(values)
        };
        let times = fitted(self.times);
        let names = self.names.into_iter().zip(&self.roles).filter(|(_, role)| matches!(role, Role::Channel(_)));
        let channels = names
            .zip(self.channels)
            .map(|(((name, unit), _), values)| Channel { name, unit, values: fitted(values), places: Vec::new() })
            .collect();
        let name = self.file.to_owned();
        let doubts = Arc::new(taken.doubts.clone());
        let has_assumed_times = matches!(taken.time, Clocked::Column { assumed: true, .. });
        let (sha256, taken, longest_gap) = (None, Some(Arc::new(taken)), None);
        Ok(Record { name, times, channels, sha256, taken, doubts, longest_gap, has_assumed_times })
    }

    /// Makes room for one more line. A full table gets the capacity for the rest of the text, estimated from the
    /// lines in the first `done` bytes, or half as much again where the length is not known; the machine is asked
    /// for the memory before it is allocated.
    pub fn make_room(&mut self, done: u64, length: Option<u64>) -> Result<(), OutOfMemory> {
        /// Initial capacity of a table, in lines.
        const FIRST_CAPACITY: usize = 1 << 12;
        let (lines, room) = (self.times.len(), self.times.capacity());
        if lines < room {
            return Ok(());
        }
        let expected = length.filter(|_| lines > 0 && done > 0).map(|length| {
            let all = lines as f64 * (length as f64 / done as f64) * 1.02;
            (all as usize).max(lines + lines / 10)
        });
        let wanted = expected.unwrap_or(room + room / 2).max(FIRST_CAPACITY);
        let asked = Room {
            what: "a record",
            count: wanted,
            counted: "lines",
            remedy: "leave out channels that are not needed, cut the record, or use a machine with more memory",
        };
        let needed = bytes(wanted.saturating_mul(self.channels.len() + 1), size_of::<f64>());
        asked.check(needed)?;
        for column in self.channels.iter_mut().chain([&mut self.times]) {
            column.try_reserve_exact(wanted - lines).map_err(|_| asked.missing(needed, None))?;
        }
        Ok(())
    }
}

/// Returns the names of columns that are not read.
fn left_out(names: &[(String, Option<String>)], roles: &[Role]) -> Vec<String> {
    let out = |(at, ((name, _), role)): (usize, (&(String, Option<String>), &Role))| match role {
        Role::Ignored | Role::Empty if name.is_empty() => Some(format!("column {}", at + 1)),
        Role::Ignored => Some(format!("`{name}`")),
        _ => None,
    };
    names.iter().zip(roles).enumerate().filter_map(out).collect()
}
