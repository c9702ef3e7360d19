//! `costate records`, `costate convert` and `costate spectra`: files of measuring devices, listed, written in other
//! formats, and their spectra.

mod channel;
mod convert;
mod list;
mod plot;
mod spectra;

use std::path::PathBuf;

use crate::error::command_errors;

pub use convert::{ConvertOptions, convert};
pub use list::{Options, run};
pub use spectra::{SpectraOptions, spectra};

/// A file as an argument.
type File = PathBuf;

/// A file that has not what is wanted, or whose extension is no format of what is written.
#[derive(Debug, thiserror::Error)]
enum RecordFileError {
    /// A file whose extension is of no format that records are written in.
    #[error("the extension of `{}` says no format that records are written in; end it with `.csv`, `.uff`, `.unv` or \
         `.parquet`", .0.display())]
    Extension(PathBuf),
    /// A file of a format that is not built in.
    #[cfg(not(feature = "parquet"))]
    #[error("`{}` is not written, since this command was built without Parquet; install it with `--features formats`, \
         or write `.csv` or `.uff`", .0.display())]
    NoParquet(PathBuf),
    /// A file that has functions of frequency alone, where signals over time are wanted.
    #[error("`{}` has no signals over time, but {functions}; `costate records` lists them, and a campaign of `costate \
         fit` reads frequency responses as `responses` of an experiment", file.display())]
    FunctionsAlone { file: PathBuf, functions: String },
    /// A file whose extension is of no format that spectra are written in.
    #[error("the extension of `{}` says no format that this is written in; end it with `.svg` or `.csv`, or for \
         frequency responses with `.uff` or `.unv`", .0.display())]
    SpectraExtension(PathBuf),
}

command_errors!(Wrong: RecordFileError);
