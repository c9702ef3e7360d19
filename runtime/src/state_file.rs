//! Files that interrupted work continues from.

use std::fmt::{self, Debug, Write as _};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A state file that cannot be read, written or continued from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateFileError {
    /// The file cannot be read.
    #[error("cannot read the state file `{}`: {source}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the state file `{}`: {source}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is not a state.
    #[error("`{}` is not the state of such work: {source}; delete it or choose another file", .file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
    /// The parts of the state do not fit together.
    #[error("the state file `{}` is damaged; delete it to start afresh", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
    },
    /// The state belongs to something else.
    #[error("the state file `{}` belongs to something else, {what} differ: it has {stored}, now {given} was given; delete the file to start afresh, or change {what} back", .file.display())]
    Differs {
        /// The file.
        file: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the file has.
        stored: String,
        /// What was given.
        given: String,
    },
}

/// The stored state; `None` if there is no such file.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StateFileError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(StateFileError::Read { file: path.to_owned(), source }),
    };
    match serde_json::from_str(&text) {
        Ok(stored) => Ok(Some(stored)),
        Err(source) => Err(StateFileError::Content { file: path.to_owned(), source }),
    }
}

/// Replaces the file at once: whatever happens, it holds the old state or the new one.
pub(crate) fn write(path: &Path, stored: &impl Serialize) -> Result<(), StateFileError> {
    let text = serde_json::to_string(stored)
        .map_err(|source| StateFileError::Content { file: path.to_owned(), source })?;
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let replace = || -> io::Result<()> {
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    replace().map_err(|source| StateFileError::Write { file: path.to_owned(), source })
}

/// FNV-1a over the bits of the numbers: tells records apart, not more.
pub(crate) fn fingerprint<'a>(numbers: impl Iterator<Item = &'a f64>) -> String {
    let mut hash = Hash::default();
    numbers.for_each(|number| hash.add(&number.to_bits().to_le_bytes()));
    hash.text()
}

/// The same of what `Debug` prints, which for numbers is all of their digits.
pub(crate) fn fingerprint_of(printed: &impl Debug) -> String {
    let mut hash = Hash::default();
    // A hash takes all text; what fails is the printing, which then ends early.
    let _ = write!(hash, "{printed:?}");
    hash.text()
}

struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

impl fmt::Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}
