//! Why a file is no run of a model.

use std::path::PathBuf;

use costate_contract::units;

/// Why a file is no run of a model.
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
    /// It is no CSV text.
    #[error("`{}` is not CSV", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: csv::Error,
    },
    /// No times, or only one.
    #[error("`{}` has {count} times; write a column `time` in s with two or more that increase", path.display())]
    Times {
        /// The file.
        path: PathBuf,
        /// How many there are.
        count: usize,
    },
    /// A cell that is no number.
    #[error("`{}`, line {line}: `{column}` is `{cell}`; write a number", path.display())]
    Number {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// The heading.
        column: String,
        /// What stands there.
        cell: String,
    },
    /// Coordinates that no column has.
    #[error(
        "`{}` has no column for `{}`; write all coordinates of the bodies, or outputs that are these coordinates, or \
         leave `--run` out",
        path.display(), missing.join("`, `")
    )]
    Missing {
        /// The file.
        path: PathBuf,
        /// The first of them.
        missing: Vec<String>,
    },
    /// The unit of a column.
    #[error("`{}`: column `{column}`: {fault}", path.display())]
    Unit {
        /// The file.
        path: PathBuf,
        /// Its name.
        column: String,
        /// What is wrong with it.
        fault: units::UnitFault,
    },
}
