//! The kinds of files that a campaign may have replaced: those that this command writes.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes at the beginning of a file that tell its kind.
const BEGINNING: u64 = 1 << 12;

/// The line by which pages say what wrote them.
const GENERATOR: &str = "<meta name=\"generator\" content=\"costate\">";

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A page that costate wrote.
    Page,
    /// A picture.
    Picture,
    /// A table.
    Table,
    /// Numbers for other programs.
    Numbers,
}

impl Kind {
    /// Returns the kind by the ending of a name; that of a page for another ending.
    pub fn by_ending(path: &Path) -> Self {
        match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
            "svg" => Self::Picture,
            "csv" => Self::Table,
            "json" => Self::Numbers,
            _ => Self::Page,
        }
    }

    /// Returns the kind in words.
    pub fn described(self) -> &'static str {
        match self {
            Self::Page => "a page of costate",
            Self::Picture => "a picture in SVG",
            Self::Table => "a table in CSV",
            Self::Numbers => "JSON",
        }
    }

    fn begins(self, text: &str) -> bool {
        match self {
            Self::Page => text.starts_with("<!DOCTYPE html>") && text.contains(GENERATOR),
            Self::Picture => text.starts_with("<svg") || text.starts_with("<?xml"),
            Self::Table => text.lines().next().is_some_and(|heading| heading.contains(',')),
            Self::Numbers => text.trim_start().starts_with('{'),
        }
    }
}

/// Checks whether there is a file that holds something else than this kind. An empty file and a device hold nothing.
pub fn holds_other(path: &Path, kind: Kind) -> bool {
    if !path.is_file() {
        return false;
    }
    let mut bytes = Vec::new();
    if File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes)).is_err() {
        return true;
    }
    let whole = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        // the beginning may end within a character
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return true,
    };
    !whole.is_empty() && (whole.contains('\0') || !kind.begins(whole))
}
