//! The target of a name, to which its content is written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::resolved::MAX_LINKS;

/// The target of a name.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    /// A file, which may exist or not; links are resolved.
    File(PathBuf),
    /// A device, a pipe, or an open file of a process (`/dev/stdout`), which is not replaced.
    Stream(PathBuf),
}

impl Target {
    /// Finds the target of `path`.
    pub fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => return Ok(Self::Stream(path.to_owned())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            if !path.is_symlink() {
                return Ok(Self::File(path));
            }
            let folder = fs::canonicalize(folder_of(&path))?;
            if folder.starts_with("/proc") {
                return Ok(Self::Stream(path));
            }
            path = folder.join(fs::read_link(&path)?);
        }
        Err(io::Error::other("too many links lead to each other"))
    }
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
