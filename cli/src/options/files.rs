//! Files to write, whose endings say what is in them.

use std::path::{Path, PathBuf};

use super::error::OptionError;
use super::extension;

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A page for a browser.
    Html,
    /// Diagrams.
    Svg,
    /// A table.
    Csv,
    /// Numbers for other programs.
    Json,
}

impl Format {
    fn of(path: &Path) -> Option<Self> {
        match extension(path).as_str() {
            "html" | "htm" => Some(Self::Html),
            "svg" => Some(Self::Svg),
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Html => ".html",
            Self::Svg => ".svg",
            Self::Csv => ".csv",
            Self::Json => ".json",
        }
    }
}

/// Refuses a file with the ending of something else than what is written, which may be measured data; one without an
/// ending may hold anything, and one that was read is refused as such when it is to be written.
///
/// # Errors
/// [`OptionError::Ending`].
pub fn check_ending(path: Option<&Path>, endings: &[&'static str]) -> Result<(), OptionError> {
    let is_other = |path: &&Path| {
        let own = extension(path);
        let is_known = own.is_empty() || endings.iter().any(|ending| ending.strip_prefix('.') == Some(own.as_str()));
        !is_known && !costate::command::files::was_read(path)
    };
    match path.filter(is_other) {
        Some(path) => Err(OptionError::Ending { path: path.to_owned(), endings: endings.to_vec() }),
        None => Ok(()),
    }
}

/// Returns files with their formats.
///
/// # Errors
/// [`OptionError::Ending`] for a file of another format.
pub fn formats<'p>(files: &'p [PathBuf], known: &[Format]) -> Result<Vec<(&'p Path, Format)>, OptionError> {
    let file = |path: &'p PathBuf| match Format::of(path).filter(|format| known.contains(format)) {
        Some(format) => Ok((path.as_path(), format)),
        None => Err(OptionError::Ending {
            path: path.clone(),
            endings: known.iter().map(|format| format.ending()).collect(),
        }),
    };
    files.iter().map(file).collect()
}
