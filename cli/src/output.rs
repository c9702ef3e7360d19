//! What a command writes and prints.

use std::io::{ErrorKind, Write};
use std::path::Path;

use costate_compiler::FileError;
use costate_contract::shown::plain;

use crate::error::CommandError;

/// Puts a text in the place of a file, whole or not at all; devices and pipes are written to.
pub fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    let failed = |source| FileError::Unwritable { path: path.to_owned(), source };
    Ok(costate_files::write(path, text).map_err(failed)?)
}

/// Prints a text from elsewhere, such as a message of a failed task: what would move the cursor or turn lines round is not obeyed.
pub fn print_plain(text: &str) -> Result<(), CommandError> {
    print(&plain(text))
}

/// Prints a text. A reader that has gone away, such as `head`, is no reason to fail.
pub fn print(text: &str) -> Result<(), CommandError> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandError::Print(error)),
        _ => Ok(()),
    }
}
