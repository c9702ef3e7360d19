//! Output files.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde::Serialize;

/// Creates the folder that `file` is in, if it does not exist.
///
/// # Errors
/// The folder cannot be created.
pub fn create_folder_of(file: &Path) -> Result<(), Box<dyn Error>> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder)
        .map_err(|error| format!("cannot create the folder `{}`: {error}", folder.display()).into())
}

/// Writes `value` as readable JSON.
///
/// # Errors
/// The file cannot be written.
pub fn write_json(file: &Path, value: &impl Serialize) -> Result<(), Box<dyn Error>> {
    create_folder_of(file)?;
    let text = serde_json::to_string_pretty(value)? + "\n";
    fs::write(file, text).map_err(|error| format!("cannot write `{}`: {error}", file.display()).into())
}
