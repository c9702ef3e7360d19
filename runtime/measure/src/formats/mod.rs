//! Files of measuring devices as plain data: channels in groups with units and times, and functions of frequency.
//!
//! [`read()`] finds the format by the content of a file, and by the extension of its name where the content does not
//! tell. Each format is a feature; a file whose feature is missing is an error that names it. `record` makes records of
//! what stands here.
//!
//! | feature | files | reader | reason |
//! |---|---|---|---|
//! | `uff` | UFF58 in text and binary (58b), read and written | own | no crate |
//! | `wav` | WAV of PCM and floating-point samples | own | `hound` refuses RF64 and 64 bits, and the format is small |
//! | `mat` | MAT 4, 5 and 7 | own, `flate2` | `matrw` allocates what a header announces |
//! | `tdms` | TDMS of version 1 and 2, interleaved, of DAQmx | own | `tdms-rs` reads no raw data of DAQmx |
//! | `hdf5` | HDF5, and MAT 7.3 | `hdf5-pure` | a large format; the crate is checked against the library in C |
//! | `parquet` | Parquet, read and written | `parquet` | the project's own |
//! | `npy` | arrays of NumPy, `.npy` and `.npz` | own, `flate2` | the formats are small |
//! | `mdf` | MDF4 | `falcon_mdf` | a large format; the crate has no default `unsafe` and is compared with `asammdf` |
//!
//! No reader takes memory that a header announces before it is known that the file has as much, and no reader panics.

mod error;
mod format;
#[cfg(feature = "hdf5")]
mod hdf5;
#[cfg(any(
    feature = "uff",
    feature = "wav",
    feature = "mat",
    feature = "tdms",
    feature = "hdf5",
    feature = "parquet",
    feature = "mdf",
    feature = "npy"
))]
mod input;
#[cfg(feature = "mat")]
mod mat;
#[cfg(feature = "mdf")]
mod mdf;
#[cfg(feature = "npy")]
mod npy;
#[cfg(any(
    feature = "uff",
    feature = "wav",
    feature = "mat",
    feature = "tdms",
    feature = "hdf5",
    feature = "parquet",
    feature = "mdf",
    feature = "npy"
))]
#[cfg_attr(
    not(all(feature = "mat", feature = "tdms", feature = "hdf5", feature = "npy")),
    allow(dead_code, reason = "used by some formats")
)]
mod numbers;
#[cfg(feature = "parquet")]
pub mod parquet;
mod recording;
#[cfg(any(feature = "mat", feature = "npy"))]
mod stream;
#[cfg(feature = "tdms")]
mod tdms;
#[cfg(feature = "uff")]
pub mod uff;
#[cfg(feature = "wav")]
mod wav;

use std::io::{Read, Seek};
use std::path::Path;

pub use error::FormatError;
pub use format::Format;
pub use recording::{Axis, Channel, ClockTime, Dof, Group, LeftOut, Recording, Spectrum, SpectrumKind};

/// Finds the format of a file by its content, and by the extension of its name where the content does not determine it.
///
/// # Errors
/// [`FormatError::File`], and [`FormatError::Unknown`] for a content that is of no known format and no text.
pub fn format_of(path: impl AsRef<Path>) -> Result<Format, FormatError> {
    let path = path.as_ref();
    let file = || path.display().to_string();
    let opened = costate_contract::files::open(path).map_err(|source| FormatError::file(&file(), source))?;
    // bytes by which a format is found
    let mut first = Vec::new();
    opened.take(4096).read_to_end(&mut first).map_err(|source| FormatError::file(&file(), source))?;
    Format::of(&first, path).ok_or_else(|| unknown(&file(), &first))
}

fn unknown(file: &str, first: &[u8]) -> FormatError {
    let is_text = |byte: &u8| matches!(byte, 0 | b' '..=b'~' | b'\t' | b'\n' | b'\r');
    if let Some(at) = first.iter().position(|byte| *byte == 0).filter(|at| *at > 0)
        && first.iter().all(is_text)
    {
        return FormatError::Nul { file: file.to_owned(), at };
    }
    let begins = first.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    FormatError::Unknown { file: file.to_owned(), begins }
}

/// Reads a file of any format but CSV.
///
/// # Errors
/// [`FormatError`]; for text in columns [`FormatError::Unsupported`].
pub fn read(path: impl AsRef<Path>) -> Result<Recording, FormatError> {
    let path = path.as_ref();
    let format = format_of(path)?;
    let name = path.display().to_string();
    let opened = costate_contract::files::open(path).map_err(|source| FormatError::file(&name, source))?;
    read_from(&mut std::io::BufReader::new(opened), &name, format)
}

/// Reads bytes of a known format; error messages call them `name`.
///
/// # Errors
/// As of [`read()`].
pub fn read_from<S: Read + Seek>(source: &mut S, name: &str, format: Format) -> Result<Recording, FormatError> {
    if !format.is_built() {
        return Err(FormatError::Feature { file: name.to_owned(), format, feature: format.feature() });
    }
    match format {
        #[cfg(feature = "uff")]
        Format::Uff => uff::read(source, name),
        #[cfg(feature = "wav")]
        Format::Wav => wav::read(source, name),
        #[cfg(feature = "mat")]
        Format::Mat => mat::read(source, name),
        #[cfg(feature = "tdms")]
        Format::Tdms => tdms::read(source, name),
        #[cfg(feature = "hdf5")]
        Format::Hdf5 | Format::Mat73 => hdf5::read(source, name, format),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(source, name),
        #[cfg(feature = "mdf")]
        Format::Mdf => mdf::read(source, name),
        #[cfg(feature = "npy")]
        Format::Npy => npy::read(source, name),
        _ => {
            let _ = source;
            Err(FormatError::unsupported(name, format, "text in columns", "read it with `Record::read_csv`"))
        }
    }
}
