//! Descriptions of what a reader has taken a file to be.

use std::fmt;

use costate_contract::shown::Exact;
use serde::Serialize;

use super::decimal::Decimal;
use super::lines::Separator;
use super::stamp::DateOrder;
use super::text::Encoding;

/// Findings of a reader about a file of columns, or what it was given. Its `Display` says it in a few lines, the doubts
/// last.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Taken {
    /// Encoding of the characters.
    pub encoding: Encoding,
    /// Character between cells.
    pub separator: Separator,
    /// Decimal sign; `None` if no number has one.
    pub decimal: Option<Decimal>,
    /// Number of the line with the names of the columns, from 1; `None` if there is none.
    pub heading: Option<u64>,
    /// Lines before the heading, without comments and blank lines; the first hundred of them.
    pub before: Vec<String>,
    /// Place of the units.
    pub units: Units,
    /// Origin of the times.
    pub time: Clocked,
    /// Texts that say that a sample is missing, other than empty cells, `NaN` and `NA`, and how often each occurs.
    pub markers: Vec<(String, usize)>,
    /// Columns that were left out, since they were empty, or at the caller's wish.
    pub left_out: Vec<String>,
    /// Doubts about what was taken.
    pub doubts: Vec<Doubt>,
}

/// Place of the units in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Units {
    /// There are none.
    Nowhere,
    /// In brackets after the names, `force [N]`.
    Brackets,
    /// In parentheses after the names, `force (N)`.
    Parentheses,
    /// In the row with this number, below the names.
    Row(u64),
}

/// Times of a file, and how they were read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub enum Clocked {
    /// Numbers of a column.
    Column {
        /// Name of the column, with its date if that stands in a column of its own.
        column: String,
        /// Unit of the numbers.
        unit: String,
        /// True if the unit was neither in the file nor given.
        assumed: bool,
        /// The number from which times count, as the file writes it; `None` for times that are those of the file.
        origin: Option<String>,
    },
    /// Dates with times of day.
    Dates {
        /// Name of the column, with its date if that stands in a column of its own.
        column: String,
        /// Order of day and month, where it matters.
        order: Option<DateOrder>,
        /// The stamp from which times count, as the file writes it.
        origin: String,
    },
    /// Times of day, in s since midnight; a time that is smaller by half a day or more is one of the next day.
    TimesOfDay {
        /// Name of the column.
        column: String,
        /// Number of midnights in the record.
        midnights: usize,
    },
    /// A rate that was given.
    Rate {
        /// The rate in Hz.
        rate: f64,
    },
    /// An interval that was given.
    Interval {
        /// The interval in s.
        interval: f64,
    },
    /// No column of the file has them, and none are given.
    Nowhere,
}

/// Doubt about what a file means, which the caller can settle by an option of the reader.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub enum Doubt {
    /// Times that would be more usual in another unit.
    TimeUnit {
        /// Name of the column.
        column: String,
        /// The unit that was taken.
        unit: String,
        /// True if the file does not name it.
        assumed: bool,
        /// Median of the intervals in s.
        interval: f64,
        /// Duration of the record in s.
        duration: f64,
        /// The rate in Hz that a line above the names states, and that the times have in the other unit.
        stated: Option<f64>,
        /// The unit in which the times would be usual.
        other: &'static str,
    },
    /// A column that was taken in inches, and may be an input.
    Inches {
        /// The heading, `p (in)`.
        heading: String,
        /// The name of the column.
        name: String,
    },
    /// A variable of the sampling rate or interval, of which it is not clear what it is.
    RateOf {
        /// Name of the variable.
        variable: String,
        /// The value of the variable.
        value: f64,
        /// True if it was taken for an interval, false for a rate.
        is_interval: bool,
        /// The sampling interval in s that follows.
        interval: f64,
    },
    /// A text that ends within its last line, as one whose copy or recording was interrupted.
    Cut {
        /// Number of the line, from 1.
        line: u64,
        /// The column whose last number may lack digits; `None` for a line that lacks cells or digits of its
        /// time, and was left out.
        column: Option<String>,
    },
    /// Fewer samples than the header of the file states, as of one whose copy or recording was interrupted.
    Fewer {
        /// Number of samples in the file.
        samples: usize,
        /// The number that the header states.
        stated: usize,
    },
    /// Times that repeat because they have too few digits, in place of which those of an even clock were taken.
    Stamps {
        /// Number of times that were equal to the one before them.
        repeated: usize,
        /// The last digit of the times in s.
        digit: f64,
        /// The interval of the even clock in s.
        interval: f64,
        /// Largest distance in s of a time in the file from that of the clock.
        deviation: f64,
    },
}

/// Rounds a measured interval to four digits.
fn rounded(interval: f64) -> Exact {
    Exact(format!("{interval:.3e}").parse().unwrap_or(interval))
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeUnit { column, unit, assumed, interval, duration, stated, other } => {
                let taken = if *assumed { "has no unit and is taken in" } else { "is in" };
                let (interval, duration) = (rounded(*interval), rounded(*duration));
                write!(f, "`{column}` {taken} {unit}, so that a sample follows every {interval} s for {duration} s")?;
                if let Some(rate) = stated {
                    write!(f, ", and a line above them states a rate of {} Hz", Exact(*rate))?;
                }
                write!(
                    f,
                    "; set the option `time_unit` to `{other}` if it is in {other}, or to `{unit}` if this is right"
                )
            }
            Self::Inches { heading, name } => write!(
                f,
                "`{heading}` is taken for `{name}` in inches, and not for an input; write `{name} [in]` in the file if \
                     this is right, and else its unit in brackets"
            ),
            Self::RateOf { variable, value, is_interval, interval } => {
                let (taken, option, other) = match is_interval {
                    true => ("an interval in s", "rate", "a rate in Hz"),
                    false => ("a rate in Hz", "every", "an interval in s"),
                };
                let (value, interval) = (Exact(*value), rounded(*interval));
                write!(
                    f,
                    "`{variable}` is {value} and is taken for {taken}, so that a sample follows every {interval} s; \
                         set the option `{option}` to {value} if it is {other}"
                )
            }
            Self::Cut { line, column: Some(column) } => write!(
                f,
                "the file ends in line {line} without an end of the line, and the last number of `{column}` has fewer \
                     digits than those above it, as if some were cut off; remove the line if they are"
            ),
            Self::Cut { line, column: None } => {
                write!(f, "the file ends within line {line}, which is not whole and is left out")
            }
            Self::Fewer { samples, stated } => {
                write!(f, "the file ends after {samples} of {stated} samples, the number that its header states")
            }
            Self::Stamps { repeated, digit, interval, deviation } => write!(
                f,
                "{repeated} times are equal to the one before, since the last digit is {} s; the times are taken from \
                     an even clock with an interval of {} s, at most {} s from those in the file",
                Exact(*digit),
                rounded(*interval),
                rounded(*deviation)
            ),
        }
    }
}

impl fmt::Display for Clocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column { column, unit, assumed, origin } => {
                let how = if *assumed { " (assumed)" } else { "" };
                write!(f, "column `{column}` in {unit}{how}")?;
                match origin {
                    Some(origin) => write!(f, ", counted from {origin}"),
                    None => Ok(()),
                }
            }
            Self::Dates { column, order, origin } => {
                write!(f, "dates of `{column}`")?;
                if let Some(order) = order {
                    write!(f, ", {order}")?;
                }
                write!(f, ", counted from {origin}")
            }
            Self::TimesOfDay { column, midnights: 0 } => {
                write!(f, "times of day of `{column}`, in s since midnight")
            }
            Self::TimesOfDay { column, midnights } => {
                write!(f, "times of day of `{column}`, in s since the first midnight, past {midnights} more")
            }
            Self::Rate { rate } => write!(f, "the given rate of {} Hz", Exact(*rate)),
            Self::Interval { interval } => write!(f, "the given interval of {} s", Exact(*interval)),
            Self::Nowhere => f.write_str("not in the file"),
        }
    }
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, cells between {}", self.encoding, self.separator)?;
        if let Some(decimal) = self.decimal {
            write!(f, ", decimal {decimal}")?;
        }
        match self.heading {
            Some(line) => write!(f, ", names in line {line}")?,
            None => write!(f, ", no names")?,
        }
        if !self.before.is_empty() {
            write!(f, " below {} other line{}", self.before.len(), if self.before.len() == 1 { "" } else { "s" })?;
        }
        match self.units {
            Units::Nowhere => writeln!(f, ", no units")?,
            Units::Brackets => writeln!(f, ", units in brackets")?,
            Units::Parentheses => writeln!(f, ", units in parentheses")?,
            Units::Row(line) => writeln!(f, ", units in line {line}")?,
        }
        writeln!(f, "times: {}", self.time)?;
        for (text, count) in &self.markers {
            let (cells, samples) =
                if *count == 1 { ("cell", "a missing sample") } else { ("cells", "missing samples") };
            writeln!(f, "{count} {cells} with `{text}`, taken for {samples}")?;
        }
        if !self.left_out.is_empty() {
            writeln!(f, "left out: {}", self.left_out.join(", "))?;
        }
        self.doubts.iter().try_for_each(|doubt| writeln!(f, "doubtful: {doubt}"))
    }
}
