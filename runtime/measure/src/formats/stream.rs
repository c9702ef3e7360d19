//! Bytes of a variable or an array, in the file as they are or compressed.

use std::io::{ErrorKind, Read};

use costate_contract::machine::{OutOfMemory, Room};

use crate::formats::FormatError;
use crate::formats::input::Input;

/// Bytes of an input, at most so many, as a reader.
pub(crate) struct Part<'a, 'b> {
    pub input: &'a mut Input<'b>,
    pub left: u64,
}

impl Read for Part<'_, '_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.left.min(self.input.left()).min(bytes.len() as u64) as usize;
        let Some(part) = bytes.get_mut(..count) else { return Ok(0) };
        self.input.fill(part).map_err(|error| std::io::Error::new(ErrorKind::InvalidData, error.to_string()))?;
        self.left -= count as u64;
        Ok(count)
    }
}

/// Reason why data are not read.
#[derive(Debug)]
pub(crate) enum Fault {
    Broken(String),
    Read(std::io::Error),
    Memory(OutOfMemory),
    /// Compressed data become more than a file may have.
    TooMuch,
}

impl Fault {
    pub fn broken(reason: impl Into<String>) -> Self {
        Self::Broken(reason.into())
    }

    pub fn in_file(self, input: &Input) -> FormatError {
        match self {
            Self::Broken(reason) => input.broken(reason),
            Self::Read(error) => {
                input.broken(format!("the data end early or are not compressed as they should be: {error}"))
            }
            Self::Memory(source) => input.memory(source),
            Self::TooMuch => input.too_much(),
        }
    }
}

/// Bytes one after the other, with a number of them that is not exceeded.
pub(crate) struct Stream<'a> {
    pub reader: &'a mut dyn Read,
    /// Bytes that may follow.
    pub left: u64,
    pub is_little_endian: bool,
    /// Bytes of numbers that compressed data may become; `None` for data that stand in the file as they are.
    pub expandable: Option<u64>,
}

impl<'a> Stream<'a> {
    pub fn new(reader: &'a mut dyn Read, left: u64, is_little_endian: bool) -> Self {
        Self { reader, left, is_little_endian, expandable: None }
    }

    pub fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Fault> {
        let count = bytes.len() as u64;
        if count > self.left {
            return Err(Fault::broken(format!("{count} bytes are needed where {} are left", self.left)));
        }
        self.reader.read_exact(bytes).map_err(Fault::Read)?;
        self.left -= count;
        Ok(())
    }

    /// Reads over so many bytes, of which the last may be missing at the end of a variable.
    pub fn skip(&mut self, bytes: u64) -> Result<(), Fault> {
        let mut left = bytes.min(self.left);
        let mut piece = [0; 256];
        while left > 0 {
            let part = left.min(piece.len() as u64) as usize;
            self.fill(piece.get_mut(..part).unwrap_or_default())?;
            left -= part as u64;
        }
        Ok(())
    }

    /// Takes the bytes of so many numbers from those that compressed data may become.
    pub fn expand(&mut self, numbers: u64) -> Result<(), Fault> {
        if let Some(left) = &mut self.expandable {
            *left = left.checked_sub(numbers.saturating_mul(8)).ok_or(Fault::TooMuch)?;
        }
        Ok(())
    }

    /// Checks whether so many numbers fit into memory, in vectors that grow: compressed ones are only known to be there
    /// when they have come.
    pub fn check_growth(&self, what: &'static str, numbers: u64) -> Result<(), Fault> {
        if self.expandable.is_none() {
            return Ok(());
        }
        let remedy = "save fewer variables, or use a machine with more memory";
        let room = Room { what, count: numbers as usize, counted: "values", remedy };
        room.check(numbers.saturating_mul(16)).map_err(Fault::Memory)
    }
}
