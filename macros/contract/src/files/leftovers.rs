//! Temporary files of calls that were killed.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::Path;

/// The prefix of the names of temporary files.
pub const PREFIX: &str = ".costate-";

/// The suffix of the names of temporary files.
pub const SUFFIX: &str = ".part";

/// The number of random characters between prefix and suffix.
pub const RANDOM: usize = 12;

/// Removes the temporary files in `folder` that nobody writes any more: whoever writes one has it locked.
///
/// What cannot be removed is left to others.
pub fn remove(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if !is_temporary(&entry.file_name()) || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = File::open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            // who has just made it, and not locked it yet, makes another one
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_temporary(name: &OsStr) -> bool {
    let between = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    between.is_some_and(|text| text.len() == RANDOM && text.chars().all(|c| c.is_ascii_alphanumeric()))
}
