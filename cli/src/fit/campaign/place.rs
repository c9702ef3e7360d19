//! Places of values: in a campaign file, or in the options of a call.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The path as it was given.
    pub path: Arc<Path>,
    /// The content of the file.
    pub text: Arc<str>,
    /// The folders, without links, in which the files that it names may be; the first one is its own.
    pub folders: Arc<[PathBuf]>,
}

impl Text {
    /// Creates the text of a file that may name files of its own folder, which is that of the `Cargo.toml` above it or
    /// else that of the file, and of further folders.
    pub fn new(path: &Path, text: &str, further: &[PathBuf]) -> Self {
        let absolute = costate_contract::files::resolved(path);
        let own = absolute.parent().unwrap_or(&absolute);
        let of_crate = own.ancestors().find(|folder| folder.join("Cargo.toml").is_file());
        let own = of_crate.unwrap_or(own).to_owned();
        let folders = std::iter::once(own).chain(further.iter().map(costate_contract::files::resolved)).collect();
        Self { path: path.into(), text: text.into(), folders }
    }

    /// Checks whether the file may name this path.
    pub fn may_name(&self, path: &Path) -> bool {
        let path = costate_contract::files::resolved(path);
        self.folders.iter().any(|folder| path.starts_with(folder))
    }
}

/// The place where a value was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// Bytes of a campaign file.
    File {
        /// The file.
        file: Text,
        /// The bytes.
        range: Range<usize>,
        /// The field with its sections, such as `unknowns.c.bounds`.
        field: String,
    },
    /// An option of the call, as `--bounds c=0..1e6`.
    Option(String),
}

impl Place {
    /// Returns the option of a call with this value.
    pub fn option(name: &str, value: &str) -> Self {
        Self::Option(format!("--{name} {value}"))
    }

    /// Returns the number of the line, from 1, in a file.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::File { file, range, .. } => {
                let before = file.text.get(..range.start).unwrap_or_default();
                Some(1 + before.matches('\n').count())
            }
            Self::Option(_) => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file, field, .. } => {
                write!(f, "`{}`, line {}", file.path.display(), self.line().unwrap_or(1))?;
                if field.is_empty() { Ok(()) } else { write!(f, ", `{field}`") }
            }
            Self::Option(option) => write!(f, "`{option}`"),
        }
    }
}

/// A value with the place where it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// The place.
    pub place: Place,
}

impl<T> Located<T> {
    /// Creates a value at a place.
    pub fn new(value: T, place: Place) -> Self {
        Self { value, place }
    }
}
