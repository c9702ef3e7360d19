//! Output of commands: files and printed text.

use std::io::{ErrorKind, Write};
use std::path::Path;

use costate_compiler::FileError;

use crate::error::CommandError;

/// Replaces a file by a text, either completely or not at all; writes straight to devices and pipes.
pub fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    let failed = |source| FileError::Unwritable { path: path.to_owned(), source };
    Ok(costate_files::write(path, text).map_err(failed)?)
}

/// Prints a text. A reader that has closed the pipe, such as `head`, is not an error.
pub fn print(text: &str) -> Result<(), CommandError> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandError::Print(error)),
        _ => Ok(()),
    }
}
