//! Output files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

/// Creates the folder that `file` is in, if it does not exist.
///
/// # Errors
/// The folder cannot be created.
pub fn create_folder_of(file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder `{}`", folder.display()))
}

/// Writes `value` as readable JSON.
///
/// # Errors
/// The file cannot be written.
pub fn write_json(file: &Path, value: &impl Serialize) -> Result<()> {
    create_folder_of(file)?;
    let text = serde_json::to_string_pretty(value)? + "\n";
    write_text(file, &text)
}

/// Writes `text` to a file.
///
/// # Errors
/// The file cannot be written.
pub fn write_text(file: &Path, text: &str) -> Result<()> {
    costate_contract::files::write(file, text).with_context(|| format!("cannot write `{}`", file.display()))
}
