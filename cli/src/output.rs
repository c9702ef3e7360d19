//! Output of commands: files and printed text.

use std::io::{ErrorKind, Write};
use std::path::Path;

use costate_compiler::FileError;

use crate::error::CommandError;

/// Refuses files that cannot be written, two that are one file, and files that the command has read, which would be
/// lost: before long work, but after everything has been read.
///
/// # Errors
/// [`CommandError::SameOutput`], [`CommandError::IsInput`] and [`FileError::Unwritable`].
pub fn check<'p>(outputs: impl IntoIterator<Item = &'p Path>) -> Result<(), CommandError> {
    let mut known: Vec<&Path> = Vec::new();
    for path in outputs {
        if let Some(other) = known.iter().find(|other| costate::command::files::are_same(other, path)) {
            return Err(CommandError::SameOutput { first: other.to_path_buf(), second: path.to_owned() });
        }
        not_an_input(path)?;
        costate::command::files::check(path)
            .map_err(|source| FileError::Unwritable { path: path.to_owned(), source })?;
        known.push(path);
    }
    Ok(())
}

/// Refuses a file that the command has read.
///
/// # Errors
/// [`CommandError::IsInput`].
pub fn not_an_input(path: &Path) -> Result<(), CommandError> {
    if costate::command::files::was_read(path) { Err(CommandError::IsInput(path.to_owned())) } else { Ok(()) }
}

/// Replaces a file by a text, either completely or not at all; writes straight to devices and pipes. A file that the
/// command has read stays as it is.
pub fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    not_an_input(path)?;
    replace(path, text)
}

/// Replaces a file as [`write`] does, also one that the command has read.
pub fn replace(path: &Path, text: &str) -> Result<(), CommandError> {
    let failed = |source| FileError::Unwritable { path: path.to_owned(), source };
    Ok(costate::command::files::write(path, text).map_err(failed)?)
}

/// Prints a text. A reader that has closed the pipe, such as `head`, is not an error.
pub fn print(text: &str) -> Result<(), CommandError> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandError::Print(error)),
        _ => Ok(()),
    }
}
