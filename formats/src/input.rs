//! A file that is read piece by piece: every read is checked against its end, and every vector against the memory that is left.

use std::io::{ErrorKind, Read, Seek, SeekFrom};

use costate_machine::Room;

use crate::{Format, FormatError};

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
}

#[cfg_attr(
    not(all(feature = "uff", feature = "wav", feature = "mat", feature = "tdms")),
    allow(dead_code, reason = "used by some formats")
)]
impl<'a> Input<'a> {
    pub fn new(source: &'a mut dyn Source, file: &'a str, format: Format) -> Result<Self, FormatError> {
        let failed = |error| FormatError::File { file: file.to_owned(), source: error };
        let length = source.seek(SeekFrom::End(0)).map_err(failed)?;
        source.rewind().map_err(failed)?;
        Ok(Self { source, file, format, length, position: 0 })
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
        FormatError::Broken {
            file: self.file.to_owned(),
            format: self.format,
            at: self.position,
            reason: reason.into(),
        }
    }

    /// The error of a content that is not read.
    pub fn unsupported(&self, what: impl Into<String>, instead: impl Into<String>) -> FormatError {
        let (what, instead) = (what.into(), instead.into());
        FormatError::Unsupported { file: self.file.to_owned(), format: self.format, what, instead }
    }

    /// The error of data for which there is no memory.
    pub fn memory(&self, source: costate_machine::OutOfMemory) -> FormatError {
        FormatError::Memory { file: self.file.to_owned(), source }
    }

    fn failed(&self, error: std::io::Error) -> FormatError {
        match error.kind() {
            ErrorKind::UnexpectedEof => self.broken("the file ends here"),
            ErrorKind::InvalidData | ErrorKind::InvalidInput => self.broken(error.to_string()),
            _ => FormatError::File { file: self.file.to_owned(), source: error },
        }
    }

    /// Goes to a position, at most the end.
    pub fn go_to(&mut self, position: u64) -> Result<(), FormatError> {
        if position > self.length {
            return Err(
                self.broken(format!("a reference to byte {position}, behind the end at {}", self.length))
            );
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
            return Err(
                self.broken(format!("{count} values are announced in a file of {} bytes", self.length))
            );
        }
        room(count).map_err(|source| self.memory(source))
    }
}

/// An empty vector with room for so many values.
pub(crate) fn room<T>(count: u64) -> Result<Vec<T>, costate_machine::OutOfMemory> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    Room {
        what: "a recording",
        count,
        counted: "values",
        remedy: "split the file, or use a machine with more memory",
    }
    .take(count)
}
