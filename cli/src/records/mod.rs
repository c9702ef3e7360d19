//! `costate records`, `costate convert` and `costate spectra`: files of measuring devices, listed, written in other
//! formats, and their spectra.

mod channel;
mod convert;
mod list;
mod plot;
mod spectra;

use std::path::PathBuf;

pub use convert::{ConvertOptions, convert};
pub use list::{Options, run};
pub use spectra::{SpectraOptions, spectra};

/// A file as an argument.
type File = PathBuf;
