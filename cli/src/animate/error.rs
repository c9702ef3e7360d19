//! Errors of reading a recorded run.

use std::path::PathBuf;

use costate::command::units;

use crate::error::command_errors;

/// The reason why a file cannot be read as a run of a model.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The file cannot be read.
    #[error("cannot read `{}`", path.display())]
    File { path: PathBuf, source: std::io::Error },
    /// The file is not CSV text.
    #[error("`{}` is not CSV", path.display())]
    Csv { path: PathBuf, source: csv::Error },
    /// The file has no times, or only one.
    #[error("`{}` has a time column of {count} values that cannot be used; write a column `time` in s with two or \
         more increasing values", path.display())]
    Times { path: PathBuf, count: usize },
    /// A cell is not a number.
    #[error("`{}`, line {line}: `{column}` is `{cell}`; write a number", path.display())]
    Number { path: PathBuf, line: u64, column: String, cell: String },
    /// The file has no column for some coordinates.
    #[error(
        "`{}` has no column for `{}`; write all coordinates of the bodies, or outputs that are these coordinates, or \
         leave `--run` out",
        path.display(), missing.join("`, `")
    )]
    Missing { path: PathBuf, missing: Vec<String> },
    /// The unit of a column does not fit.
    #[error("`{}`: column `{column}`: {fault}", path.display())]
    Unit { path: PathBuf, column: String, fault: units::UnitFault },
}

command_errors!(Wrong: RecordedError);
