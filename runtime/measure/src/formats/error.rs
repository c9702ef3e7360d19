//! Errors of files.

use crate::formats::Format;

/// Reason why a file is not read or written.
///
/// `at` is counted from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum FormatError {
    /// The file cannot be opened, read or written.
    #[error("cannot access `{file}`")]
    File { file: String, source: std::io::Error },
    /// The content is of no known format.
    #[error(
        "`{file}` begins with the bytes {begins}, which is neither text nor one of the formats UFF58, MDF4, MAT, \
             TDMS, HDF5, Parquet, NumPy and WAV; \
         export it in one of them"
    )]
    Unknown { file: String, begins: String },
    /// Text in which bytes are zero.
    #[error(
        "`{file}` is text with NUL bytes, the first of them byte {at}: it was not written to its end, or copied \
             badly; copy it again, or remove them"
    )]
    Nul { file: String, at: usize },
    /// A missing feature of this build, which reads the format.
    #[error(
        "`{file}` is a file of the format {format}; build with the feature `{feature}` (`cargo add costate --features \
             {feature}`) to read it"
    )]
    Feature { file: String, format: Format, feature: &'static str },
    /// The content contradicts the format.
    #[error("`{file}` is damaged as a file of the format {format}: byte {at}: {reason}; copy or export it again")]
    Broken { file: String, format: Format, at: u64, reason: String },
    /// The content is of a kind that is not read.
    #[error("`{file}`: {what} of the format {format} is not read; {instead}")]
    Unsupported { file: String, format: Format, what: String, instead: String },
    /// The data cannot be written in the format.
    #[error("`{file}`: {what} cannot be written as {format}; {instead}")]
    Unwritable { file: String, format: Format, what: String, instead: String },
    /// The data do not fit into memory.
    #[error("`{file}` cannot be read")]
    Memory { file: String, source: costate_contract::machine::OutOfMemory },
}

impl FormatError {
    pub(crate) fn file(file: &str, source: impl Into<std::io::Error>) -> Self {
        Self::File { file: file.to_owned(), source: source.into() }
    }

    #[cfg_attr(
        not(any(feature = "uff", feature = "wav", feature = "mat", feature = "tdms", feature = "hdf5")),
        allow(dead_code, reason = "used by formats")
    )]
    pub(crate) fn broken(file: &str, format: Format, at: u64, reason: impl Into<String>) -> Self {
        Self::Broken { file: file.to_owned(), format, at, reason: reason.into() }
    }

    pub(crate) fn unsupported(file: &str, format: Format, what: impl Into<String>, instead: impl Into<String>) -> Self {
        Self::Unsupported { file: file.to_owned(), format, what: what.into(), instead: instead.into() }
    }
}
