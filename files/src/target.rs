//! Where the content of a name goes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many links may lead to each other, as in the kernel of Linux.
const LINKS: usize = 40;

/// What a name stands for.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    /// A file, which may be there or not; links are behind us.
    File(PathBuf),
    /// A device, a pipe, or an open file of a process (`/dev/stdout`), which keep what they are.
    Stream(PathBuf),
}

impl Target {
    /// What `path` stands for.
    pub fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => return Ok(Self::Stream(path.to_owned())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut path = path.to_owned();
        for _ in 0..LINKS {
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

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
