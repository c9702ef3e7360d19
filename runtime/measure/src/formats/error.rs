//! Errors of files.

use crate::formats::Format;

/// Reason why a file is not read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file cannot be opened, read or written.
    #[error("cannot access `{file}`")]
    File {
        /// Name of the file.
        file: String,
        /// The reason.
        source: std::io::Error,
    },
    /// The content is of no known format.
    #[error(
        "`{file}` begins with the bytes {begins}, which is neither text nor one of the formats UFF58, MDF4, MAT, \
             TDMS, HDF5, Parquet, NumPy and WAV; \
         export it in one of them"
    )]
    Unknown {
        /// Name of the file.
        file: String,
        /// The first bytes in hexadecimal digits.
        begins: String,
    },
    /// Text in which bytes are zero.
    #[error(
        "`{file}` is text with NUL bytes, the first of them byte {at}: it was not written to its end, or copied \
             badly; copy it again, or remove them"
    )]
    Nul {
        /// Name of the file.
        file: String,
        /// Position of the first of them, from 0.
        at: usize,
    },
    /// A missing feature of this build, which reads the format.
    #[error(
        "`{file}` is a file of the format {format}; build with the feature `{feature}` (`cargo add costate --features \
             {feature}`) to read it"
    )]
    Feature {
        /// Name of the file.
        file: String,
        /// Format of the file.
        format: Format,
        /// The feature.
        feature: &'static str,
    },
    /// The content contradicts the format.
    #[error("`{file}` is damaged as a file of the format {format}: byte {at}: {reason}; copy or export it again")]
    Broken {
        /// Name of the file.
        file: String,
        /// Format of the file.
        format: Format,
        /// Position in bytes from the beginning, from 0.
        at: u64,
        /// The contradiction.
        reason: String,
    },
    /// The content is of a kind that is not read.
    #[error("`{file}`: {what} of the format {format} is not read; {instead}")]
    Unsupported {
        /// Name of the file.
        file: String,
        /// Format of the file.
        format: Format,
        /// The kind of content.
        what: String,
        /// The remedy.
        instead: String,
    },
    /// The data cannot be written in the format.
    #[error("`{file}`: {what} cannot be written as {format}; {instead}")]
    Unwritable {
        /// Name of the file.
        file: String,
        /// Format of the file.
        format: Format,
        /// The data.
        what: String,
        /// The remedy.
        instead: String,
    },
    /// The data do not fit into memory.
    #[error("`{file}` cannot be read")]
    Memory {
        /// Name of the file.
        file: String,
        /// The memory needed, and the memory available.
        source: costate_contract::machine::OutOfMemory,
    },
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
