//! Writing: whole or not at all.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::leftovers::{self, PREFIX, RANDOM, SUFFIX};
use crate::target::{Target, folder_of};

/// The largest number of trials to make a temporary file that no other call takes for a leftover.
const TRIALS: usize = 100;

/// Puts `content` in the place of a file, whole or not at all; see [`NewFile`].
///
/// # Errors
/// What the system says; the old file is as it was.
pub fn write(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(content.as_ref())?;
    file.finish()
}

/// A file that is being written: its name has the old content until [`finish`](NewFile::finish), and then the new one.
///
/// The content goes to a temporary file in the same folder, which gets the name in the end. A file that exists keeps its
/// permissions, a link goes on pointing to it. A device, a pipe and an open file of a process (`/dev/stdout`) are written to
/// as they are. Where this is dropped before, or the process is killed, the old file stays as it was; temporary files of
/// killed processes are removed by whoever writes in the same folder next.
#[derive(Debug)]
pub struct NewFile {
    to: To,
}

#[derive(Debug)]
enum To {
    File { file: BufWriter<NamedTempFile>, path: PathBuf },
    Stream(BufWriter<File>),
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// A folder that does not exist or cannot be written to, a file that may not be written.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = match Target::of(path.as_ref())? {
            Target::Stream(path) => {
                let stream = OpenOptions::new().append(true).open(path)?;
                return Ok(Self { to: To::Stream(BufWriter::new(stream)) });
            }
            Target::File(path) => path,
        };
        // a file that may not be changed is not replaced either
        match OpenOptions::new().write(true).open(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let folder = folder_of(&path);
        leftovers::remove(folder);
        let file = BufWriter::new(temporary(folder)?);
        Ok(Self { to: To::File { file, path } })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// What the system says, as on a full disk; the old file is as it was.
    pub fn finish(self) -> io::Result<()> {
        let (file, path) = match self.to {
            To::Stream(mut stream) => return stream.flush(),
            To::File { file, path } => (file, path),
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Ok(old) = fs::metadata(&path) {
            fs::set_permissions(file.path(), old.permissions())?;
        }
        file.as_file().sync_all()?;
        file.persist(&path).map_err(|error| error.error)?;
        // The name is in the folder now; that the folder is on the disk is more than some systems can tell.
        #[cfg(unix)]
        let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::File { file, .. } => file.write(bytes),
            To::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::File { file, .. } => file.flush(),
            To::Stream(stream) => stream.flush(),
        }
    }
}

/// A temporary file, locked where the file system has locks.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    // as any new file, and with errors that do not name it
    let open = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    for _ in 0..TRIALS {
        let file = builder.make_in(folder, open)?;
        match file.as_file().try_lock() {
            Ok(()) if file.path().exists() => return Ok(file),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
    Err(io::Error::other("temporary files are removed as soon as they are made"))
}
