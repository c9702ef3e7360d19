//! Options of reading records: what a file does not say, or says in two ways. They are the fields of `[reading]`, and
//! with the feature `clap` options of the command line.

use std::path::Path;

use costate_measure::record::{CsvReader, DateOrder, Decimal, Encoding, Record, RecordError, Separator};
use serde::{Deserialize, Deserializer};

use crate::seen::{Observe, Seen};
use crate::values::{Duration, Pair, Rate, Scalar, Several, Time, instead, number, sections};
use crate::words::Word;

/// The heading of these options in the help of a command.
#[cfg(feature = "clap")]
const HEADING: &str = "How records are read";

/// The channels of a file that are taken, their times, and the way in which columns are written.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub struct RecordOptions {
    /// Takes the channels with this name or pattern: `*` stands for any text, `?` for one character. May be given
    /// several times.
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATTERN", num_args = 1.., help_heading = HEADING))]
    channels: Vec<String>,
    /// Takes the channels of the groups with this name or pattern. May be given several times.
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATTERN", num_args = 1.., help_heading = HEADING))]
    group: Vec<String>,
    /// The channel or column of times, where the file does not tell; a column also by its number from 1.
    #[serde(deserialize_with = "column")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "CHANNEL", conflicts_with_all = ["rate", "every", "rate_of"], help_heading = HEADING)
    )]
    time: Option<String>,
    /// The unit of times that are numbers, such as `ms`.
    #[cfg_attr(feature = "clap", arg(long, value_name = "UNIT", help_heading = HEADING))]
    time_unit: Option<String>,
    /// The sampling rate in Hz: times are those of an even clock, and not those of the file.
    #[serde(deserialize_with = "number::<Rate, _>")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "HZ", conflicts_with_all = ["every", "rate_of"], help_heading = HEADING)
    )]
    rate: Option<f64>,
    /// The sampling interval in s, in place of a rate.
    #[serde(deserialize_with = "number::<Duration, _>")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SECONDS", conflicts_with = "rate_of", help_heading = HEADING)
    )]
    every: Option<f64>,
    /// The variable whose only value is the sampling rate in Hz, or the interval if it is called so, such as `dt`.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHANNEL", help_heading = HEADING))]
    rate_of: Option<String>,
    /// Takes the samples from one time to another, in s.
    #[serde(deserialize_with = "part")]
    #[cfg_attr(feature = "clap", arg(long, num_args = 2, value_names = ["FROM", "TO"], help_heading = HEADING))]
    part: Option<Vec<f64>>,
    /// The decimal sign of numbers in columns.
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIGN", help_heading = HEADING))]
    decimal: Option<Word<Decimal>>,
    /// Permits whole numbers with grouped thousands, such as `1.234` beside decimal commas.
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING))]
    thousands: bool,
    /// The character between the cells of a line.
    #[cfg_attr(feature = "clap", arg(long, value_name = "SEPARATOR", help_heading = HEADING))]
    separator: Option<Word<Separator>>,
    /// The encoding of the characters of text.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ENCODING", help_heading = HEADING))]
    encoding: Option<Word<Encoding>>,
    /// Leaves out this many lines at the beginning of a text.
    #[cfg_attr(feature = "clap", arg(long, value_name = "LINES", help_heading = HEADING))]
    skip_lines: Option<u64>,
    /// Takes the first line of numbers for a sample: columns have numbers from 1, or the names of `--names`.
    #[cfg_attr(feature = "clap", arg(long, help_heading = HEADING))]
    no_heading: bool,
    /// Names of all columns, the one of times included, in place of those in the file.
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME,..", value_delimiter = ',', help_heading = HEADING))]
    names: Vec<String>,
    /// A text that stands for a missing sample. May be given several times.
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEXT", help_heading = HEADING))]
    missing: Vec<String>,
    /// Leaves out this column, by its name or its number from 1. May be given several times.
    #[serde(deserialize_with = "columns")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLUMN", help_heading = HEADING))]
    ignore: Vec<String>,
    /// The order of day and month in dates such as `03/04/2024`.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ORDER", help_heading = HEADING))]
    dates: Option<Word<DateOrder>>,
    /// The number or date from which times count, written as in the file; in s for files without columns.
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME", help_heading = HEADING))]
    counting_from: Option<String>,
}

sections!(RecordOptions);

fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Several::deserialize(deserializer).map(|texts| texts.0)
}

fn column<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Column::deserialize(deserializer).map(|column| Some(column.0))
}

fn columns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Several::deserialize(deserializer)?.0.into_iter().map(|Column(column)| column).collect())
}

fn part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<f64>>, D::Error> {
    let Pair(Time(from), Time(to)) = Pair::deserialize(deserializer)?;
    Ok(Some(vec![from, to]))
}

/// The name of a column, or its number.
struct Column(String);

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const WANTED: &str = "the name of a column in quotes, or its number from 1";
        match Scalar::read(deserializer, WANTED)? {
            Scalar::Text(name) => Ok(Self(name)),
            Scalar::Integer(number) if number >= 0 => Ok(Self(number.to_string())),
            _ => Err(instead(WANTED)),
        }
    }
}

impl RecordOptions {
    /// Returns true if the clock, or its unit, is given.
    pub fn gives_times(&self) -> bool {
        let Self { time_unit, rate, every, rate_of, .. } = self;
        time_unit.is_some() || rate.is_some() || every.is_some() || rate_of.is_some()
    }

    /// Returns the reader with these options.
    pub fn reader(&self) -> CsvReader {
        let mut reader = Record::reader();
        reader = self.channels.iter().fold(reader, CsvReader::channels);
        reader = self.group.iter().fold(reader, CsvReader::group);
        reader = self.missing.iter().fold(reader, CsvReader::missing);
        reader = self.ignore.iter().fold(reader, |reader, column| reader.ignore(column.as_str()));
        reader = given(reader, self.time.as_deref(), CsvReader::time_column);
        reader = given(reader, self.time_unit.as_ref(), CsvReader::time_unit);
        reader = given(reader, self.rate, CsvReader::rate);
        reader = given(reader, self.every, CsvReader::every);
        reader = given(reader, self.rate_of.as_ref(), CsvReader::rate_of);
        reader = given(reader, self.decimal, |reader, Word(sign)| reader.decimal(sign));
        reader = given(reader, self.separator, |reader, Word(separator)| reader.separator(separator));
        reader = given(reader, self.encoding, |reader, Word(encoding)| reader.encoding(encoding));
        reader = given(reader, self.skip_lines, CsvReader::skip_lines);
        reader = given(reader, self.dates, |reader, Word(order)| reader.dates(order));
        reader = given(reader, self.counting_from.as_ref(), CsvReader::counting_from);
        if let Some([from, to]) = self.part.as_deref() {
            reader = reader.part(*from, *to);
        }
        if self.thousands {
            reader = reader.thousands();
        }
        if self.no_heading {
            reader = reader.no_heading();
        }
        if self.names.is_empty() { reader } else { reader.names(&self.names) }
    }
}

/// Sets an option if it is given.
pub fn given<T, V>(of: T, value: Option<V>, set: impl FnOnce(T, V) -> T) -> T {
    match value {
        Some(value) => set(of, value),
        None => of,
    }
}

/// Reads a record for a run, a fit or a filter. Rounded times are replaced by those
/// of the clock that gives them.
///
/// # Errors
/// [`RecordError`].
pub fn read_record(path: &Path, reader: &CsvReader, observe: Observe<'_>) -> Result<Record, RecordError> {
    let record = reader.open(path)?.record()?;
    observe(Seen::Record(&record));
    Ok(record.with_times_of_clock())
}

/// Returns the samples of a record from 0 s on, the begin of a run, and tells `observe` how many come before it.
///
/// # Errors
/// [`RecordError::NoSamples`] if all do.
pub fn since_begin(record: Record, observe: Observe<'_>) -> Result<Record, RecordError> {
    match record.times().iter().take_while(|time| **time < 0.0).count() {
        0 => Ok(record),
        early => {
            observe(Seen::Early { record: &record, count: early });
            record.since(0.0)
        }
    }
}
