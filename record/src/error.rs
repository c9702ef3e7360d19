//! What can be wrong with a record.

use std::fmt;

use costate_contract::shown::Exact;
use costate_contract::units::UnitError;

use super::gaps::Gap;

/// Why a time does not fit into a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SampleFault {
    /// NaN or infinite.
    NotFinite {
        /// The time.
        time: f64,
    },
    /// Equal to the one before it.
    Repeated {
        /// The time.
        time: f64,
    },
    /// Smaller than the one before it.
    Backwards {
        /// The time.
        time: f64,
        /// The one before it.
        before: f64,
    },
}

impl SampleFault {
    pub(super) fn of_time(time: f64, before: Option<f64>) -> Option<Self> {
        match before {
            _ if !time.is_finite() => Some(Self::NotFinite { time }),
            Some(before) if time == before => Some(Self::Repeated { time }),
            Some(before) if time < before => Some(Self::Backwards { time, before }),
            _ => None,
        }
    }
}

impl fmt::Display for SampleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { time } => write!(f, "the time {time} is not finite; remove the sample"),
            Self::Repeated { time } => {
                write!(f, "the time {} occurs twice; remove one of the samples", Exact(*time))
            }
            Self::Backwards { time, before } => {
                write!(
                    f,
                    "the time {} is smaller than {} before it; sort the samples by time",
                    Exact(*time),
                    Exact(*before)
                )
            }
        }
    }
}

/// A record that cannot be read, built or asked for what it does not have.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be opened, read or written.
    #[error("cannot access `{file}`")]
    File {
        /// The file's name.
        file: String,
        /// The reason.
        source: std::io::Error,
    },
    /// The file has more than there is memory for.
    #[error("`{file}` cannot be read")]
    Memory {
        /// The file's name.
        file: String,
        /// What it would take, and what there is.
        source: costate_machine::OutOfMemory,
    },
    /// The text is not CSV.
    #[error("`{file}` cannot be read or written as a table; quote cells that hold separators")]
    Table {
        /// The file's name.
        file: String,
        /// The reason.
        source: ::csv::Error,
    },
    /// Nothing but blank lines and comments.
    #[error(
        "`{file}` is empty; its first line must name the columns, such as `time [s],acceleration [m/s^2]`"
    )]
    Empty {
        /// The file's name.
        file: String,
    },
    /// The first line holds numbers only.
    #[error(
        "`{file}` line {line} holds numbers; put a line with the columns' names above it, such as `time [s],acceleration [m/s^2]`"
    )]
    NoHeader {
        /// The file's name.
        file: String,
        /// Line number, from 1.
        line: u64,
    },
    /// Names, but no numbers below them.
    #[error("`{file}` has column names in line {line} but no line with data below them")]
    NoData {
        /// The file's name.
        file: String,
        /// Line number of the header, from 1.
        line: u64,
    },
    /// No column for the time.
    #[error("`{file}` line {line} has no time column; name one `time` or `time [s]` (columns: {})", .columns.join(", "))]
    NoTime {
        /// The file's name.
        file: String,
        /// Line number of the header, from 1.
        line: u64,
        /// The columns that exist.
        columns: Vec<String>,
    },
    /// Two columns that could be the time.
    #[error(
        "`{file}` line {line} has two time columns, `{first}` and `{second}`; rename the one that is a channel"
    )]
    TwoTimes {
        /// The file's name.
        file: String,
        /// Line number of the header, from 1.
        line: u64,
        /// The first column's name.
        first: String,
        /// The second column's name.
        second: String,
    },
    /// A column without a name.
    #[error("`{file}` line {line}: column {column} has no name; name it or remove it")]
    Unnamed {
        /// The file's name.
        file: String,
        /// Line number of the header, from 1.
        line: u64,
        /// Number of the column, from 1.
        column: usize,
    },
    /// A line with too many or too few cells.
    #[error("`{file}` line {line} has {found} cells, the header has {expected}; complete or remove the line")]
    Ragged {
        /// The file's name.
        file: String,
        /// Line number, from 1.
        line: u64,
        /// Number of cells in this line.
        found: usize,
        /// Number of columns in the header.
        expected: usize,
    },
    /// A cell that is not a finite number.
    #[error(
        "`{file}` line {line}, column `{column}`: `{text}` is not a finite number; write it with a decimal point, as in 1.5e-3, or leave the cell of a missing sample empty (times may not be missing)"
    )]
    Number {
        /// The file's name.
        file: String,
        /// Line number, from 1.
        line: u64,
        /// The column's name.
        column: String,
        /// What the cell holds.
        text: String,
    },
    /// A time in a file that does not follow the one before it.
    #[error("`{file}` line {line}, column `{column}`: {fault}")]
    TimeInFile {
        /// The file's name.
        file: String,
        /// Line number, from 1.
        line: u64,
        /// The time column's name.
        column: String,
        /// What is wrong.
        fault: SampleFault,
    },
    /// A record without samples.
    #[error("`{record}` has no samples; give at least one time")]
    NoSamples {
        /// The record's name.
        record: String,
    },
    /// A time that does not follow the one before it.
    #[error("`{record}` sample {index}: {fault}")]
    Time {
        /// The record's name.
        record: String,
        /// Sample, from 0.
        index: usize,
        /// What is wrong.
        fault: SampleFault,
    },
    /// An infinite value.
    #[error(
        "`{record}`, channel `{channel}`, sample {index}: {value} cannot be measured; a missing sample is NaN", value = costate_contract::shown::Shown(*value)
    )]
    Value {
        /// The record's name.
        record: String,
        /// The channel's name.
        channel: String,
        /// Sample, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A channel that has not one value per time.
    #[error("`{record}`, channel `{channel}` has {values} values for {times} times; give one value per time")]
    Length {
        /// The record's name.
        record: String,
        /// The channel's name.
        channel: String,
        /// Number of values.
        values: usize,
        /// Number of times.
        times: usize,
    },
    /// A channel's name that a file could not carry.
    #[error(
        "`{record}`: `{channel}` cannot name a channel; it must not be empty, start or end with a blank, be the time, or end in a unit (which is given separately)"
    )]
    ChannelName {
        /// The record's name.
        record: String,
        /// The name.
        channel: String,
    },
    /// A channel's unit that a file could not carry.
    #[error(
        "`{record}`: `{unit}` cannot be the unit of the channel `{channel}`; it must not be empty, start or end with a blank, or hold `[`; leave out a unit that is not known"
    )]
    ChannelUnit {
        /// The record's name.
        record: String,
        /// The channel's name.
        channel: String,
        /// The unit.
        unit: String,
    },
    /// A channel of which all samples are missing.
    #[error("`{record}`, channel `{channel}` has no sample, all {times} are missing; choose another channel")]
    NoValues {
        /// The record's name.
        record: String,
        /// The channel's name.
        channel: String,
        /// Number of times.
        times: usize,
    },
    /// A channel with a gap where it must be known throughout.
    #[error(
        "`{record}`, channel `{channel}` has a gap {gap}, and an input that is missing is not known; cut the record there with `until` or `since`, fill the gap with what the input was, or drive the input with another signal"
    )]
    Gap {
        /// The record's name.
        record: String,
        /// The channel's name.
        channel: String,
        /// The gap.
        gap: Gap,
    },
    /// A channel that cannot be interpolated.
    #[error(
        "`{record}`, channel `{channel}` has one sample and drives no input; give a constant, or two samples at least"
    )]
    SingleSample {
        /// The record's name.
        record: String,
        /// The channel's name.
        channel: String,
    },
    /// More numbers than should be made of a record.
    #[error(
        "`{record}` from {start} to {end} s every {interval} s has {samples:.2e} samples, which are more than {limit} numbers together with its channels; look for a wrong time in it, cut it with `until` or `since`, or choose a longer interval", start = costate_contract::shown::Exact(*start), end = costate_contract::shown::Exact(*end), interval = costate_contract::shown::Exact(*interval)
    )]
    TooLong {
        /// The record's name.
        record: String,
        /// First time in s.
        start: f64,
        /// Last time in s.
        end: f64,
        /// The interval that was asked for in s.
        interval: f64,
        /// Number of samples that there would be.
        samples: f64,
        /// Number of channels.
        channels: usize,
        /// Largest number of samples times channels.
        limit: usize,
    },
    /// Two channels or columns with the same name.
    #[error("`{record}` has two columns named `{channel}`; rename one of them")]
    Duplicate {
        /// The record's name.
        record: String,
        /// The name.
        channel: String,
    },
    /// A channel that the record does not have.
    #[error("`{record}` has no channel `{channel}`; it has {}", .available.join(", "))]
    MissingChannel {
        /// The record's name.
        record: String,
        /// The name that was looked up.
        channel: String,
        /// The names that exist.
        available: Vec<String>,
    },
    /// A channel in a unit that what it is for does not have, or times in a unit of something else.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
}
