//! Options of reading columns: what a file does not say, or says in two ways.

use std::io::Read;
use std::path::Path;

use super::decimal::Decimal;
use super::lines::Separator;
use super::stamp::DateOrder;
use super::text::Encoding;
use super::{Record, RecordError, read};
use crate::record::Recording;

/// A column of a file: by name, without its unit, or by number from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Column {
    /// Name in the heading, or among those given by [`CsvReader::names`].
    Name(String),
    /// Number, from 1.
    Number(usize),
}

impl From<&str> for Column {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for Column {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl From<usize> for Column {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl std::fmt::Display for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(name) => write!(f, "`{name}`"),
            Self::Number(number) => write!(f, "number {number}"),
        }
    }
}

/// A reader of files with options, from [`Record::reader`]: of files with columns, such as CSV, and by
/// [`open`](Self::open) of those of measuring devices. Whatever is not set follows from the file, and [`Record::taken`]
/// says what was taken; what could be one thing or another is an error that names the option to set, a method of the
/// reader.
///
/// ```
/// # use costate_measure::record::{Decimal, Record, Separator};
/// let text = "1,234;5,000\n2,234;6,000\n";
/// let reader = Record::reader().no_heading().names(["time", "force"]).unit("force", "N");
/// // thousands or decimals?
/// assert!(reader.read_from(text.as_bytes(), "bench.csv").is_err());
/// let record = reader.decimal(Decimal::Comma).read_from(text.as_bytes(), "bench.csv")?;
/// assert_eq!(record.times(), [1.234, 2.234]);
/// assert_eq!(record.taken().map(|taken| taken.separator), Some(Separator::Semicolon));
/// # Ok::<(), costate_measure::record::RecordError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
pub struct CsvReader {
    pub(crate) separator: Option<Separator>,
    pub(crate) decimal: Option<Decimal>,
    pub(crate) thousands: bool,
    pub(crate) encoding: Option<Encoding>,
    pub(crate) skip: u64,
    pub(crate) no_heading: bool,
    pub(crate) names: Option<Vec<String>>,
    pub(crate) units: Vec<(String, String)>,
    pub(crate) time_column: Option<Column>,
    pub(crate) time_unit: Option<String>,
    pub(crate) rate: Option<f64>,
    pub(crate) every: Option<f64>,
    pub(crate) rate_of: Option<String>,
    pub(crate) groups: Vec<String>,
    pub(crate) channels: Vec<String>,
    pub(crate) dates: Option<DateOrder>,
    pub(crate) origin: Option<String>,
    pub(crate) missing: Vec<String>,
    pub(crate) ignored: Vec<Column>,
    pub(crate) part: Option<(f64, f64)>,
}

impl CsvReader {
    /// Returns true if the times are those of an even clock that is given.
    pub(super) fn has_clock(&self) -> bool {
        self.rate.is_some() || self.every.is_some()
    }

    /// Returns true for a column, from 0, that is known to be left out before the names in the file are.
    pub(super) fn ignores(&self, column: usize) -> bool {
        self.ignored.iter().any(|ignored| match ignored {
            Column::Number(number) => *number == column + 1,
            Column::Name(name) => {
                self.names.as_ref().and_then(|names| names.get(column)).is_some_and(|own| own == name)
            }
        })
    }

    /// Sets the character between cells.
    pub fn separator(mut self, separator: Separator) -> Self {
        self.separator = Some(separator);
        self
    }

    /// Sets the decimal sign.
    pub fn decimal(mut self, decimal: Decimal) -> Self {
        self.decimal = Some(decimal);
        self
    }

    /// Permits whole numbers with grouped thousands, `1.234` with decimal commas or `1,234` with decimal points.
    /// Numbers that have both signs, `1.234,5`, are read without it.
    pub fn thousands(mut self) -> Self {
        self.thousands = true;
        self
    }

    /// Sets the encoding of the characters.
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = Some(encoding);
        self
    }

    /// Leaves out this many lines at the beginning of the file, whatever they hold.
    pub fn skip_lines(mut self, lines: u64) -> Self {
        self.skip = lines;
        self
    }

    /// Takes the first line of numbers for the first sample, not for names; columns are named by
    /// [`names`](Self::names), or by their numbers from 1 on.
    pub fn no_heading(mut self) -> Self {
        self.no_heading = true;
        self
    }

    /// Names all columns, the one with the times included, in place of the names in the file.
    pub fn names<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.names = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Gives a channel a unit, in place of the one in the file.
    pub fn unit(mut self, channel: impl Into<String>, unit: impl Into<String>) -> Self {
        self.units.push((channel.into(), unit.into()));
        self
    }

    /// Sets the column or channel with the times: its name, or the number of a column from 1. A channel gives its
    /// values to those of the same length for which the file has no times.
    pub fn time_column(mut self, column: impl Into<Column>) -> Self {
        self.time_column = Some(column.into());
        self
    }

    /// Sets the unit of times that are numbers, such as `"ms"`.
    pub fn time_unit(mut self, unit: impl Into<String>) -> Self {
        self.time_unit = Some(unit.into());
        self
    }

    /// Takes the times from an even clock with this rate in Hz, from 0 s on, and not from the file, in files of devices
    /// for the channels without times, or for all if all have some. A file without names is read without a further
    /// option then.
    pub fn rate(mut self, rate: f64) -> Self {
        self.rate = Some(rate);
        self
    }

    /// Takes the times from an even clock with this interval in s, from 0 s on, and not from the file.
    pub fn every(mut self, interval: f64) -> Self {
        self.every = Some(interval);
        self
    }

    /// Takes the rate in Hz of an even clock from a variable or column that has one value alone, such as `fs`; that of
    /// a variable whose name or unit is one of an interval, such as `dt`, is the interval.
    pub fn rate_of(mut self, channel: impl Into<String>) -> Self {
        self.rate_of = Some(channel.into());
        self
    }

    /// Keeps the groups of a file of a measuring device with this name or pattern; see [`Recording::group`].
    pub fn group(mut self, pattern: impl Into<String>) -> Self {
        self.groups.push(pattern.into());
        self
    }

    /// Keeps the channels with this name or pattern; see [`Recording::channels`].
    pub fn channels(mut self, pattern: impl Into<String>) -> Self {
        self.channels.push(pattern.into());
        self
    }

    /// Sets the order of day and month in dates such as `03/04/2024`.
    pub fn dates(mut self, order: DateOrder) -> Self {
        self.dates = Some(order);
        self
    }

    /// Counts the times from this number or date, written as in the file, without loss of digits: files of several
    /// recorders with one clock have one time so. Files without columns take a number of s.
    pub fn counting_from(mut self, origin: impl Into<String>) -> Self {
        self.origin = Some(origin.into());
        self
    }

    /// Takes cells with this text for missing samples.
    pub fn missing(mut self, text: impl Into<String>) -> Self {
        self.missing.push(text.into());
        self
    }

    /// Leaves out a column, such as one with texts: its name, or its number from 1.
    pub fn ignore(mut self, column: impl Into<Column>) -> Self {
        self.ignored.push(column.into());
        self
    }

    /// Takes the samples from one time in s to another; times stay what they are.
    pub fn part(mut self, from: f64, to: f64) -> Self {
        self.part = Some((from, to));
        self
    }

    /// Opens a file of any format with these options: those of columns count for CSV alone.
    ///
    /// ```
    /// # use costate_measure::record::Record;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("mast.csv");
    /// std::fs::write(&path, "force [N]\n1.5\n1.6\n")?;
    /// let record = Record::reader().rate(610.35).open(&path)?.record()?;
    /// assert_eq!(record.times()[1], 1.0 / 610.35);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`Recording::open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Recording, RecordError> {
        Recording::open_with(path.as_ref(), self)
    }

    /// Reads a file with columns.
    ///
    /// # Errors
    /// [`RecordError`], naming the file, the line and the column.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Record, RecordError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        match costate_contract::files::open(path) {
            Ok(file) => {
                let length = file.metadata().ok().map(|metadata| metadata.len());
                read::read(self, file, &name, length)
            }
            Err(source) => Err(RecordError::File { file: name, source: source.into() }),
        }
    }

    /// Reads text; error messages call it `name`.
    ///
    /// # Errors
    /// [`RecordError`], naming the line and the column.
    pub fn read_from(&self, reader: impl Read, name: &str) -> Result<Record, RecordError> {
        read::read(self, reader, name, None)
    }
}
