//! Files to write, whose endings say what is in them.

use std::path::{Path, PathBuf};

use crate::error::CommandError;

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
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*ending {
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

/// Returns files with their formats.
///
/// # Errors
/// [`CommandError::Ending`] for a file that is none of these formats.
pub fn formats<'p>(files: &'p [PathBuf], known: &[Format]) -> Result<Vec<(&'p Path, Format)>, CommandError> {
    let file = |path: &'p PathBuf| match Format::of(path).filter(|format| known.contains(format)) {
        Some(format) => Ok((path.as_path(), format)),
        None => Err(CommandError::Ending {
            path: path.clone(),
            endings: known.iter().map(|format| format.ending()).collect(),
        }),
    };
    files.iter().map(file).collect()
}
