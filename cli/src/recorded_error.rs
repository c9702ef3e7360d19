//! Errors of reading a recorded run.

use std::path::PathBuf;

use costate::command::units;

/// The reason why a file cannot be read as a run of a model.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The file cannot be read.
    #[error("cannot read `{}`", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is not CSV text.
    #[error("`{}` is not CSV", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: csv::Error,
    },
    /// The file has no times, or only one.
    #[error("`{}` has a time column of {count} values that cannot be used; write a column `time` in s with two or \
         more increasing values", path.display())]
    Times {
        /// The file.
        path: PathBuf,
        /// Number of times.
        count: usize,
    },
    /// A cell is not a number.
    #[error("`{}`, line {line}: `{column}` is `{cell}`; write a number", path.display())]
    Number {
        /// The file.
        path: PathBuf,
        /// Line of the cell, from 1.
        line: u64,
        /// Heading of the column.
        column: String,
        /// Text of the cell.
        cell: String,
    },
    /// The file has no column for some coordinates.
    #[error(
        "`{}` has no column for `{}`; write all coordinates of the bodies, or outputs that are these coordinates, or \
         leave `--run` out",
        path.display(), missing.join("`, `")
    )]
    Missing {
        /// The file.
        path: PathBuf,
        /// The first missing coordinates.
        missing: Vec<String>,
    },
    /// The unit of a column does not fit.
    #[error("`{}`: column `{column}`: {fault}", path.display())]
    Unit {
        /// The file.
        path: PathBuf,
        /// Name of the column.
        column: String,
        /// The error in the unit.
        fault: units::UnitFault,
    },
}
