//! The files that a campaign names: where they may be, and which ones it may replace, those that this command writes.

use std::fs::File;
use std::io::Read;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use serde::de::{Deserialize, Deserializer, Error};

use super::error::Fault;
use super::place::Text;

/// The path of a file; in a campaign file it begins at the folder of this file, and leads to folders that the campaign
/// may name files of.
#[derive(Debug, Clone, PartialEq)]
pub struct FilePath(pub PathBuf);

impl Deref for FilePath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for FilePath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl<'de> Deserialize<'de> for FilePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (written, campaign) = (String::deserialize(deserializer)?, Text::being_read()?);
        let path = campaign.path.parent().unwrap_or(Path::new("")).join(&written);
        if campaign.may_name(&path) {
            return Ok(Self(path));
        }
        let folder = campaign.folders.first().cloned().unwrap_or_default();
        Err(D::Error::custom(Fault::Outside { file: written, folder }))
    }
}

/// Returns the extension of a file in small letters; empty without one.
pub fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Reads the path of a page that costate wrote, or of no file.
pub fn page<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<FilePath>, D::Error> {
    replaced(deserializer, |_| Kind::Page)
}

/// Reads the path of a page or of a picture that costate wrote, or of no file.
pub fn page_or_picture<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<FilePath>, D::Error> {
    replaced(deserializer, Kind::by_ending)
}

/// Reads the path of a file that a run of the campaign has written before, or of none: somebody else may have written
/// the campaign.
fn replaced<'de, D: Deserializer<'de>>(deserializer: D, kind: fn(&Path) -> Kind) -> Result<Option<FilePath>, D::Error> {
    let path = FilePath::deserialize(deserializer)?;
    let kind = kind(&path);
    match holds_other(&path, kind) {
        true => Err(D::Error::custom(Fault::HoldsOther { file: path.0, kind: kind.described() })),
        false => Ok(Some(path)),
    }
}

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
        match extension(path).as_str() {
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
            Self::Page => {
                // pages say what wrote them
                let generator = "<meta name=\"generator\" content=\"costate\">";
                text.starts_with("<!DOCTYPE html>") && text.contains(generator)
            }
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
    // the first 4 kB show the kind
    if File::open(path).and_then(|file| file.take(1 << 12).read_to_end(&mut bytes)).is_err() {
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
