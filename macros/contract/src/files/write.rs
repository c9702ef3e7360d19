//! Writing: whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::files::leftovers;
use crate::files::part::Part;
use crate::files::read::FileKind;
use crate::files::target::{Target, folder_of};

/// Puts `content` in the place of a file, whole or not at all; see [`NewFile`].
///
/// # Errors
/// What the system says; the old file is as it was.
pub fn write(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(content.as_ref())?;
    file.finish()
}

/// Checks that a file can be written, before the work is done whose result it will hold. Nothing is left behind, and a
/// pipe is not opened, since its reader would see the end of it. What a disk has room for is not known.
///
/// # Errors
/// As of [`NewFile::create`]; a device that takes nothing.
pub fn check(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    match Target::of(path)? {
        Target::File(_) => NewFile::create(path).map(|_| ()),
        Target::Stream(path) => match FileKind::at(&path)? {
            Some(FileKind::Pipe | FileKind::Socket) => Ok(()),
            _ => OpenOptions::new().append(true).open(path)?.write(&[]).map(|_| ()),
        },
    }
}

/// Checks that a folder exists and files can be made in it, or that it can be made, and leaves nothing behind.
///
/// # Errors
/// A name that is that of something else, and what the system says.
pub fn check_folder(path: impl AsRef<Path>) -> io::Result<()> {
    let path = crate::files::resolved(path);
    let above = path.ancestors().find(|above| above.exists()).unwrap_or(Path::new("."));
    if !above.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::NotADirectory,
            format!("`{}` is no folder; choose another name", above.display()),
        ));
    }
    Part::create(above).map(|_| ())
}

/// A file that is being written: its name has the old content until [`finish`](NewFile::finish), and then the new one.
///
/// The content goes to a temporary file in the same folder, which gets the name in the end. A file that exists keeps
/// its permissions, a link goes on pointing to it. A device, a pipe and an open file of a process (`/dev/stdout`) are
/// written to as they are. Where this is dropped before, or the process is killed, the old file stays as it was;
/// temporary files of killed processes are removed by whoever writes in the same folder next.
#[derive(Debug)]
pub struct NewFile {
    to: To,
}

#[derive(Debug)]
enum To {
    File { file: BufWriter<Part>, path: PathBuf },
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
        if fs::metadata(folder).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let message = format!("the folder `{}` does not exist; make it first", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        leftovers::remove(folder);
        let file = BufWriter::new(Part::create(folder)?);
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
        file.file().sync_all()?;
        file.persist(&path)?;
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
