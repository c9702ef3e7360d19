//! Output of commands: files and printed text.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use costate_compiler::FileError;

use crate::error::{CommandError, command_errors};

/// A file that would be lost.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file that would be replaced and that the command has read.
    #[error("`{}` is read by this command, which does not replace it; choose another file to write", .0.display())]
    IsInput(PathBuf),
    /// Two files to write that are one.
    #[error("`{}` and `{}` are one file, of which one result would be lost; choose another name for one of \
         them", first.display(), second.display())]
    SameOutput { first: PathBuf, second: PathBuf },
}

/// Text that cannot be printed, for example into a file on a full disk.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to the standard output")]
pub struct PrintError(#[source] pub std::io::Error);

command_errors!(Arguments: OutputError);
command_errors!(Wrong: PrintError);

/// Refuses files that cannot be written, two that are one file, and files that the command has read, which would be
/// lost: before long work, but after everything has been read.
///
/// # Errors
/// [`OutputError`] and [`FileError::Unwritable`].
pub fn check<'p>(outputs: impl IntoIterator<Item = &'p Path>) -> Result<(), CommandError> {
    let mut known: Vec<&Path> = Vec::new();
    for path in outputs {
        if let Some(other) = known.iter().find(|other| costate::command::files::are_same(other, path)) {
            return Err(OutputError::SameOutput { first: other.to_path_buf(), second: path.to_owned() }.into());
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
/// [`OutputError::IsInput`].
pub fn not_an_input(path: &Path) -> Result<(), OutputError> {
    if costate::command::files::was_read(path) { Err(OutputError::IsInput(path.to_owned())) } else { Ok(()) }
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
pub fn print(text: &str) -> Result<(), PrintError> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(PrintError(error)),
        _ => Ok(()),
    }
}
