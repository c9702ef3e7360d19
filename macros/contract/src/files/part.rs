//! Temporary files that this process writes.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

use crate::files::leftovers::{PREFIX, RANDOM, SUFFIX};

/// The temporary files of this process.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn open() -> MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of files that this process is writing, and lets it begin and finish no others: for a
/// process that a signal ends in the next moment.
pub fn abandon() {
    let mut parts = open();
    for part in parts.drain(..) {
        // one that has just got its name is no temporary file any more
        let _ = fs::remove_file(part);
    }
    std::mem::forget(parts);
}

/// A temporary file, locked where the file system has locks; it is removed unless it gets its name.
#[derive(Debug)]
pub struct Part {
    // removed before it is forgotten
    file: NamedTempFile,
    _open: Registered,
}

impl Part {
    /// Makes a file in a folder.
    pub fn create(folder: &Path) -> io::Result<Self> {
        /// The largest number of trials to make a temporary file that no other call takes for a leftover.
        const MAX_TRIALS: usize = 100;
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
        // as any new file, and with errors that do not name it
        let new = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
        for _ in 0..MAX_TRIALS {
            let mut parts = open();
            let file = builder.make_in(folder, new)?;
            parts.push(file.path().to_owned());
            drop(parts);
            let part = Self { _open: Registered(file.path().to_owned()), file };
            match part.file.as_file().try_lock() {
                Ok(()) if part.file.path().exists() => return Ok(part),
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(_)) => return Ok(part),
            }
        }
        Err(io::Error::other("temporary files are removed as soon as they are made"))
    }

    /// Returns the open file.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Gives the file this name, in place of a file that has it.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        self.file.persist(path).map(|_| ()).map_err(|error| error.error)
    }
}

// not by the temporary file itself, whose errors name it
impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// A file among those of this process.
#[derive(Debug)]
struct Registered(PathBuf);

impl Drop for Registered {
    fn drop(&mut self) {
        open().retain(|path| *path != self.0);
    }
}
