//! Files, or the contents that they had.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::read::{ReadError, read, read_text};

/// A file, or the content that a file had when a program was built.
#[derive(Debug, Clone)]
pub enum FileSource<'a> {
    /// A file of this path.
    Path(Cow<'a, Path>),
    /// The content.
    Content(&'static [u8]),
}

impl<'a> From<&'a Path> for FileSource<'a> {
    fn from(path: &'a Path) -> Self {
        Self::Path(path.into())
    }
}

impl From<PathBuf> for FileSource<'_> {
    fn from(path: PathBuf) -> Self {
        Self::Path(path.into())
    }
}

impl FileSource<'_> {
    /// Returns the path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Content(_) => None,
        }
    }

    /// Reads the bytes.
    ///
    /// # Errors
    /// [`ReadError`] as of [`read`].
    pub fn bytes(&self) -> Result<Vec<u8>, ReadError> {
        match self {
            Self::Path(path) => read(path),
            Self::Content(bytes) => Ok(bytes.to_vec()),
        }
    }

    /// Reads the text.
    ///
    /// # Errors
    /// [`ReadError`] as of [`read_text`].
    pub fn text(&self) -> Result<String, ReadError> {
        match self {
            Self::Path(path) => read_text(path),
            Self::Content(bytes) => String::from_utf8(bytes.to_vec()).map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                ReadError::NoText { at: at as u64, byte: bytes.get(at).copied().unwrap_or_default() }
            }),
        }
    }
}
