//! What a command writes and prints.

use std::io::{ErrorKind, Write};
use std::path::Path;

use costate_compiler::FileError;

use crate::error::CommandError;

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    let failed = |source| FileError::Unwritable { path: path.to_owned(), source };
    Ok(std::fs::write(path, text).map_err(failed)?)
}

/// Puts a text in the place of a file, whole or not at all: it is written beside the file, which then gets its name. A file that
/// exists keeps its permissions, a link goes on pointing to it.
pub fn replace(path: &Path, text: &str) -> Result<(), CommandError> {
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let failed = |source| FileError::Unwritable { path: path.to_owned(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".costate-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    if let Ok(old) = std::fs::metadata(path) {
        std::fs::set_permissions(file.path(), old.permissions()).map_err(failed)?;
    }
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Prints a text. A reader that has gone away, such as `head`, is no reason to fail.
pub fn print(text: &str) -> Result<(), CommandError> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandError::Print(error)),
        _ => Ok(()),
    }
}
