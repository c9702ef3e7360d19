//! Errors of tables.

use std::fmt;
use std::io;

use crate::units::UnitError;

/// An argument of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// The only argument of a curve, the first one of a surface.
    First,
    /// The second argument of a surface.
    Second,
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Axis::First => "first argument",
            Axis::Second => "second argument",
        })
    }
}

/// Knots or values that do not make a table, or a file that does not hold one.
///
/// `column` and `line` are counted from 1, `index` from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum GridError {
    /// The file can't be read.
    #[error("can't read the table `{file}`: {fault}")]
    File { file: String, fault: io::Error },
    /// The text is not a table of cells.
    #[error("the table `{file}` is not CSV: {fault}")]
    Csv { file: String, fault: csv::Error },
    /// A fault in the data of a file.
    #[error("the table `{file}`, line {line}: {fault}")]
    Line { file: String, line: u64, fault: Box<GridError> },
    /// A column in a unit that the table does not have.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
    /// The corner of a surface's file has units for some of the columns.
    #[error(
        "the corner `{text}` has {found} units; write those of both arguments, as in `speed [rad/s] \\ angle [rad]`, \
             and \
         after them that of the values, or none"
    )]
    Corner { text: String, found: usize },
    /// A file without numbers.
    #[error("the table `{file}` is empty; expected {expected}")]
    Empty { file: String, expected: &'static str },
    /// A cell is not a number.
    #[error("column {column}: {} is not a number{}", in_quotes(text.as_deref()), separators(text.as_deref()))]
    NotANumber {
        column: usize,
        /// Text of the cell; `None` for a file without a line of numbers, which may not be a table at all.
        text: Option<String>,
    },
    /// A line has too few or too many cells: the table is not rectangular.
    #[error("{found} cells instead of {expected}; every line has as many as the first one, a table is rectangular")]
    Columns { found: usize, expected: usize },
    /// The file of a curve does not have two columns.
    #[error("{found} columns; a table of one argument has two, the argument and the value")]
    CurveColumns { found: usize },
    /// Too few knots.
    #[error("the {axis} has {found} knots; at least {least} are needed")]
    TooFewKnots { axis: Axis, found: usize, least: usize },
    /// The knots do not increase.
    #[error(
        "the knots of the {axis} must increase, and {value} follows {previous} (knot {index}); sort \
             them", value = crate::shown::Exact(*value), previous = crate::shown::Exact(*previous)
    )]
    NotIncreasing { axis: Axis, index: usize, previous: f64, value: f64 },
    /// A knot is infinite or not a number.
    #[error("knot {index} of the {axis} is {value}; knots are finite numbers", value = crate::shown::Shown(*value))]
    KnotNotFinite { axis: Axis, index: usize, value: f64 },
    /// A value is infinite or not a number.
    #[error("value {index} is {value}; the values of a table are finite numbers", value = crate::shown::Shown(*value))]
    ValueNotFinite {
        /// Position of the value, from 0; the second argument varies fastest.
        index: usize,
        value: f64,
    },
    /// A knot that is too large to compute with.
    #[error(
        "knot {index} of the {axis} is {}, at most {most:e} can be computed with; write the table in a larger unit",
        crate::shown::Shown(*value)
    )]
    KnotTooLarge { axis: Axis, index: usize, value: f64, most: f64 },
    /// A value that is too large to compute with.
    #[error(
        "value {index} is {}, at most {most:e} can be computed with; write the table in a larger unit",
        crate::shown::Shown(*value)
    )]
    ValueTooLarge {
        /// Position of the value, from 0; the second argument varies fastest.
        index: usize,
        value: f64,
        most: f64,
    },
    /// Knots that are too close together to compute with.
    #[error(
        "knot {index} of the {axis} is {} after the one before it, and must be {} at least; leave one of them out",
        crate::shown::Shown(*distance),
        crate::shown::Shown(*least)
    )]
    TooClose { axis: Axis, index: usize, distance: f64, least: f64 },
    /// The number of values does not fit the knots.
    #[error("{found} values for {expected} grid points; a table has one value at each")]
    Values { found: usize, expected: usize },
    /// The values at both ends of a period differ.
    #[error(
        "the {axis} is periodic, but the value is {last} at its last knot and {first} at the first one; \
         the last knot is one period after the first and repeats its \
         value", last = crate::shown::Exact(*last), first = crate::shown::Exact(*first)
    )]
    NotPeriodic { axis: Axis, first: f64, last: f64 },
}

/// Returns how numbers and cells are written, where a text that is no number may be several, or have a decimal comma.
fn separators(text: Option<&str>) -> &'static str {
    match text {
        Some(text) if !text.contains([',', ';']) => "",
        _ => "; write decimal points, and one separator between all cells: commas, semicolons or tabs",
    }
}

/// Puts the text of a cell in quotes, if it is to be shown.
fn in_quotes(text: Option<&str>) -> String {
    text.map_or_else(|| "what stands there".to_owned(), |text| format!("`{text}`"))
}
