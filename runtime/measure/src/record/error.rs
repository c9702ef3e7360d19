//! Errors of records.

use costate_contract::shown::{Exact, Shown};
use costate_contract::units::UnitError;

use super::gaps::Gap;

/// Reason why a time does not fit into a record.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum SampleFault {
    /// The time is NaN or infinite.
    #[error("the time {time} is not finite; remove the sample")]
    NotFinite { time: f64 },
    /// The time is equal to the one before it.
    #[error("the time {} occurs twice; remove one of the samples", Exact(*.time))]
    Repeated { time: f64 },
    /// The time is smaller than the one before it.
    #[error("the time {} is smaller than {} before it; sort the samples by time", Exact(*.time), Exact(*.before))]
    Backwards { time: f64, before: f64 },
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

    /// Returns a further remedy for times in a file.
    fn remedy(&self) -> &'static str {
        match self {
            Self::Repeated { .. } => {
                "; if the times of an even clock have too few digits, set its rate by the option `rate`"
            }
            _ => "",
        }
    }
}

/// Fault of a cell in a file with columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CellFault {
    /// The cell is not a finite number.
    #[error(
        "is not a finite number; write it with a decimal point, as in 1.5e-3, or leave the cell of a missing sample \
         empty (times may not be missing); the option `decimal` and the option `thousands` set the signs in numbers, \
         the option `missing` sets a text for missing samples, and the option `ignore` leaves out a column"
    )]
    Number,
    /// The number has one sign, and either decimals or thousands may follow it.
    #[error(
        "may have decimals or thousands after its sign, and no number before it tells; set the option `decimal` to \
         the comma or the point, with the option `thousands` if it groups them"
    )]
    Decimal,
    /// The date is two dates, depending on the order of day and month.
    #[error(
        "may have the day or the month first, and no other date tells; set the option `dates` to the one that comes \
         first"
    )]
    DateOrder,
    /// The cell is not a date or time of day like those before it.
    #[error(
        "is not a date or time like those before it; write all as in 2024-05-01T10:00:00.25, or all as in 10:00:00.25"
    )]
    Stamp,
}

/// Describes cells that commas separate, which may be numbers with decimal commas; `names` is 0 where there are none.
fn commas(cells: usize, names: usize) -> String {
    match (names, cells) {
        (0, 2) => "is two whole numbers between commas or one number with a decimal comma, and no names above tell \
                   which"
            .to_owned(),
        (0, _) => format!(
            "is {cells} whole numbers between commas or {} numbers with decimal commas, and no names above tell which",
            cells / 2
        ),
        _ => format!(
            "has {cells} cells under {names} names: its numbers have decimal commas, and commas separate its cells as \
                 well, so that neither can be told from the other"
        ),
    }
}

/// Names the options by which cells between commas without names are read.
fn commas_remedy(cells: usize, names: usize) -> &'static str {
    match (names, cells) {
        (0, 2) => ", or set the option `decimal` to the comma for one number in each line, or to the point for two",
        (0, _) => ", or set the option `decimal` to the point for whole numbers",
        _ => "",
    }
}

/// Reason why a record cannot be read or built, or lacks the requested data.
///
/// `column` and `line` are counted from 1, `index` from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum RecordError {
    /// The file cannot be opened, read or written.
    #[error("cannot access `{file}`")]
    File { file: String, source: std::io::Error },
    /// The file is no text.
    #[error("`{file}`: {fault}")]
    NotText { file: String, fault: crate::record::NotText },
    /// The data of the file do not fit into memory.
    #[error("`{file}` cannot be read")]
    Memory { file: String, source: costate_contract::machine::OutOfMemory },
    /// The text is not CSV.
    #[error("`{file}` cannot be read or written as a table; quote cells that hold separators")]
    Table { file: String, source: ::csv::Error },
    /// The file has only blank lines and comments.
    #[error("`{file}` is empty; its first line must name the columns, such as `time [s],acceleration [m/s^2]`")]
    Empty { file: String },
    /// The first line holds numbers only.
    #[error(
        "`{file}` line {line} holds numbers; put a line with the columns' names above it, such as `time \
             [s],acceleration [m/s^2]`, or set the option `rate` for a file without times, or the option `no_heading` \
             with the option `time_column` for the number of the column of times"
    )]
    NoHeader { file: String, line: u64 },
    /// The file has column names, but no numbers below them.
    #[error("`{file}` has column names in line {line} but no line with data below them")]
    NoData { file: String, line: u64 },
    /// The file has no time column.
    #[error("`{file}` line {line} has no time column; name one `time` or `time [s]`, or set the option `time_column`, \
         or the option `rate` for a file without times (columns: {})", .columns.join(", "))]
    NoTime { file: String, line: u64, columns: Vec<String> },
    /// Two columns are named as the time.
    #[error(
        "`{file}` line {line} has two time columns, `{first}` and `{second}`; rename the one that is a channel, or \
             set the option `time_column`, and the option `ignore` for the other"
    )]
    TwoTimes { file: String, line: u64, first: String, second: String },
    /// A column without a name.
    #[error(
        "`{file}` line {line}: column {column} has no name; name it or remove it, or set the option `ignore` to \
             {column}"
    )]
    Unnamed { file: String, line: u64, column: usize },
    /// A line has too many or too few cells.
    #[error(
        "`{file}` line {line} has {found} cells, the header has {expected}; complete or remove the line, and separate \
             cells by semicolons where numbers have decimal commas"
    )]
    Ragged { file: String, line: u64, found: usize, expected: usize },
    /// Numbers have decimal commas in a file that separates cells by commas, or may have them where there are no
    /// names.
    #[error(
        "`{file}` line {line} {}; export the file with semicolons or tabs between cells, or with decimal points{}",
        commas(*.cells, *.names), commas_remedy(*.cells, *.names)
    )]
    DecimalCommas { file: String, line: u64, cells: usize, names: usize },
    /// A segment of a file begins anew.
    #[error(
        "`{file}` line {line}: the times of the segment below begin anew, and its header does not say when (`Time`); \
             write each segment into a file of its own, with the header of the file above it, or one header for all"
    )]
    Anew { file: String, line: u64 },
    /// A cell is not what its column needs.
    #[error("`{file}` line {line}, column `{column}`: `{text}` {fault}")]
    Cell { file: String, line: u64, column: String, text: String, fault: CellFault },
    /// A quote is opened and never closed.
    #[error("`{file}` line {line}: a cell begins with a quote that is never closed; close it, or remove it")]
    OpenQuote { file: String, line: u64 },
    /// Two headings differ only in parentheses that may hold units.
    #[error(
        "`{file}` line {line}: `{first}` and `{second}` are one name if the parentheses hold units; set the option \
             `names`"
    )]
    Parentheses { file: String, line: u64, first: String, second: String },
    /// An option of a reader does not fit the file, or one of a record is impossible.
    #[error("the option `{option}` is {value}; it must be {limit}")]
    Option { option: &'static str, value: String, limit: String },
    /// A time in a file is not later than the one before it.
    #[error("`{file}` line {line}, column `{column}`: {fault}{}", .fault.remedy())]
    TimeInFile { file: String, line: u64, column: String, fault: SampleFault },
    /// A record has no samples.
    #[error("`{record}` has no samples; give at least one time")]
    NoSamples { record: String },
    /// A time is not later than the one before it.
    #[error("`{record}` sample {index}: {fault}")]
    Time { record: String, index: usize, fault: SampleFault },
    /// A value is infinite.
    #[error(
        "`{record}`, channel `{channel}`, sample {index}: {value} is not a finite number; write a missing sample as \
             NaN", value = Shown(*value)
    )]
    Value { record: String, channel: String, index: usize, value: f64 },
    /// A channel does not have one value per time.
    #[error("`{record}`, channel `{channel}` has {values} values for {times} times; give one value per time")]
    Length { record: String, channel: String, values: usize, times: usize },
    /// The name of a channel could not be read back from a file.
    #[error(
        "`{record}`: `{channel}` cannot name a channel; it must not be empty, start or end with a blank, be the time, \
             or end in a unit (which is given separately)"
    )]
    ChannelName { record: String, channel: String },
    /// The unit of a channel could not be read back from a file.
    #[error(
        "`{record}`: `{unit}` cannot be the unit of the channel `{channel}`; it must not be empty, start or end with \
             a blank, or hold `[`; leave out a unit that is not known"
    )]
    ChannelUnit { record: String, channel: String, unit: String },
    /// All samples of a channel are missing.
    #[error("`{record}`, channel `{channel}` has no sample, all {times} are missing; choose another channel")]
    NoValues { record: String, channel: String, times: usize },
    /// A channel that must be known throughout has a gap.
    #[error(
        "`{record}`, channel `{channel}` has a gap {gap}, in which the input is not known; cut the record there, such \
             as by the option `part`, fill the gap with the actual input, or give the input another signal"
    )]
    Gap { record: String, channel: String, gap: Gap },
    /// A channel has too few samples to be interpolated.
    #[error(
        "`{record}`, channel `{channel}` has one sample, which is too few for an input; give a constant, or at least \
             two samples"
    )]
    SingleSample { record: String, channel: String },
    /// A record would be resampled to too many numbers.
    #[error(
        "`{record}` from {start} to {end} s every {interval} s has {samples:.2e} samples, which exceeds the limit of \
             {limit} numbers in all channels; check it for a wrong time, cut it, such as by the option `part`, or \
             choose a longer interval", start = Exact(*start), end = Exact(*end), interval = Exact(*interval)
    )]
    TooLong { record: String, start: f64, end: f64, interval: f64, samples: f64, channels: usize, limit: usize },
    /// Two channels or columns have the same name.
    #[error("`{record}` has two columns named `{channel}`; rename one of them, or set the option `names`")]
    Duplicate { record: String, channel: String },
    /// The record does not have this channel.
    #[error("`{record}` has no channel `{channel}`; it has {}", .available.join(", "))]
    MissingChannel { record: String, channel: String, available: Vec<String> },
    /// The unit of a channel is not one of the wanted quantity, or that of the times is not one of time.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
    /// A file of a measuring device makes no record.
    #[error(transparent)]
    Recording(Box<crate::record::RecordingError>),
}
