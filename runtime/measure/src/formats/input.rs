//! A file that is read piece by piece: every read is checked against its end, and every vector against the memory that
//! is left.

use std::io::{ErrorKind, Read, Seek, SeekFrom};

use costate_contract::machine::Room;

use crate::formats::{Format, FormatError};

/// Bytes of numbers that a file of this length may expand to, all of them together. Files that were made to fill the
/// memory have more.
pub(crate) fn most_expanded(length: u64) -> u64 {
    /// Bytes of numbers that every file may have, however small it is: a quarter of a gibibyte, which every machine
    /// has.
    const EXPANSION_ALLOWANCE: u64 = 1 << 28;
    /// Bytes of numbers for each byte of a file; compressed measurements have a few, and a channel that stands still
    /// some hundred.
    const MAX_EXPANSION: u64 = 1 << 8;
    length.saturating_mul(MAX_EXPANSION).saturating_add(EXPANSION_ALLOWANCE)
}

/// A source that can be read from any position.
pub trait Source: Read + Seek {}

impl<T: Read + Seek> Source for T {}

/// A source with its position, for messages.
pub(crate) struct Input<'a> {
    source: &'a mut dyn Source,
    file: &'a str,
    format: Format,
    length: u64,
    position: u64,
    /// Bytes of numbers that compressed data may still become.
    expandable: u64,
}

#[cfg_attr(
    not(all(feature = "uff", feature = "wav", feature = "mat", feature = "tdms")),
    allow(dead_code, reason = "used by some formats")
)]
impl<'a> Input<'a> {
    pub fn new(source: &'a mut dyn Source, file: &'a str, format: Format) -> Result<Self, FormatError> {
        let failed = |error| FormatError::file(file, error);
        let length = source.seek(SeekFrom::End(0)).map_err(failed)?;
        source.rewind().map_err(failed)?;
        Ok(Self { source, file, format, length, position: 0, expandable: most_expanded(length) })
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    pub fn position(&self) -> u64 {
        self.position
    }

    /// Bytes that follow.
    pub fn left(&self) -> u64 {
        self.length.saturating_sub(self.position)
    }

    /// The error of a content that contradicts the format here.
    pub fn broken(&self, reason: impl Into<String>) -> FormatError {
        FormatError::broken(self.file, self.format, self.position, reason)
    }

    /// The error of a content that is not read.
    pub fn unsupported(&self, what: impl Into<String>, instead: impl Into<String>) -> FormatError {
        FormatError::unsupported(self.file, self.format, what, instead)
    }

    /// Bytes of numbers that compressed data may still become.
    pub fn expandable(&self) -> u64 {
        self.expandable
    }

    /// Takes so many bytes of numbers, which compressed data become, from those that the file may have.
    pub fn expand(&mut self, bytes: u64) -> Result<(), FormatError> {
        self.expandable = self.expandable.checked_sub(bytes).ok_or_else(|| self.too_much())?;
        Ok(())
    }

    /// The error of compressed data that become more numbers than the file may have.
    pub fn too_much(&self) -> FormatError {
        self.unsupported(
            format!(
                "an expansion of {} bytes to more than {} bytes of numbers, as of a file that was made to fill the \
                     memory,",
                self.length,
                most_expanded(self.length)
            ),
            "write it without compression, or split it",
        )
    }

    /// The error of data for which there is no memory.
    pub fn memory(&self, source: costate_contract::machine::OutOfMemory) -> FormatError {
        FormatError::Memory { file: self.file.to_owned(), source }
    }

    fn failed(&self, error: std::io::Error) -> FormatError {
        match error.kind() {
            ErrorKind::UnexpectedEof => self.broken("the file ends here"),
            ErrorKind::InvalidData | ErrorKind::InvalidInput => self.broken(error.to_string()),
            _ => FormatError::file(self.file, error),
        }
    }

    /// Goes to a position, at most the end.
    pub fn go_to(&mut self, position: u64) -> Result<(), FormatError> {
        if position > self.length {
            return Err(self.broken(format!("a reference to byte {position}, after the end at {}", self.length)));
        }
        // a reader with a buffer would empty it
        if position == self.position {
            return Ok(());
        }
        self.source.seek(SeekFrom::Start(position)).map_err(|error| self.failed(error))?;
        self.position = position;
        Ok(())
    }

    pub fn skip(&mut self, bytes: u64) -> Result<(), FormatError> {
        self.go_to(self.position.saturating_add(bytes))
    }

    /// Fills the whole of `bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) -> Result<(), FormatError> {
        self.source.read_exact(bytes).map_err(|error| self.failed(error))?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// The next bytes, as many as there must be.
    pub fn bytes(&mut self, count: u64) -> Result<Vec<u8>, FormatError> {
        if count > self.left() {
            return Err(self.broken(format!("{count} bytes are announced, and {} are left", self.left())));
        }
        let mut bytes = self.room(count, 1)?;
        bytes.resize(count as usize, 0);
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// An empty vector with room for values of which each takes `size` bytes of this file at least.
    pub fn room<T>(&self, count: u64, size: u64) -> Result<Vec<T>, FormatError> {
        if count.saturating_mul(size) > self.length {
            return Err(self.broken(format!("{count} values are announced in a file of {} bytes", self.length)));
        }
        room(count).map_err(|source| self.memory(source))
    }
}

/// An empty vector with room for so many values.
pub(crate) fn room<T>(count: u64) -> Result<Vec<T>, costate_contract::machine::OutOfMemory> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    Room { what: "a recording", count, counted: "values", remedy: "split the file, or use a machine with more memory" }
        .take(count)
}
