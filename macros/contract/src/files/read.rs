//! Reading of regular files, within the available memory.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::files::known;
use crate::machine::{OutOfMemory, Room};

/// The kind of a name in the file system that is not a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A folder.
    Folder,
    /// A pipe with a name, or one of the shell.
    Pipe,
    /// A device, such as a terminal.
    Device,
    /// A socket.
    Socket,
    /// Something else.
    Other,
}

impl FileKind {
    /// Returns the kind of what has this name, or `None` for a file.
    #[cfg(feature = "write")]
    pub(crate) fn at(path: &Path) -> io::Result<Option<Self>> {
        Ok(Self::of(&fs::metadata(path)?))
    }

    /// Returns the kind, or `None` for a file.
    fn of(metadata: &fs::Metadata) -> Option<Self> {
        if metadata.is_file() {
            return None;
        }
        if metadata.is_dir() {
            return Some(Self::Folder);
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            let kind = metadata.file_type();
            if kind.is_fifo() {
                return Some(Self::Pipe);
            }
            if kind.is_char_device() || kind.is_block_device() {
                return Some(Self::Device);
            }
            if kind.is_socket() {
                return Some(Self::Socket);
            }
        }
        Some(Self::Other)
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "a folder",
            Self::Pipe => "a pipe",
            Self::Device => "a device",
            Self::Socket => "a socket",
            Self::Other => "no file",
        })
    }
}

/// The reason why a file is not read.
///
/// `at` is counted from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum ReadError {
    /// An error of the system.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The name is not that of a file.
    #[error("it is {0}; give the name of a file")]
    Kind(FileKind),
    /// The file is too large for this machine.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The file is not text.
    #[error("byte {at} is {byte:#04x}, which text in UTF-8 does not have there; save the file as text in UTF-8")]
    NoText { at: u64, byte: u8 },
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::System(error) => error,
            ReadError::Kind(_) | ReadError::NoText { .. } => io::Error::new(io::ErrorKind::InvalidData, error),
            ReadError::Memory(_) => io::Error::new(io::ErrorKind::OutOfMemory, error),
        }
    }
}

/// Opens a file for reading; pipes, devices and folders are refused before they are opened.
///
/// # Errors
/// [`ReadError::Kind`] and errors of the system.
pub fn open(path: impl AsRef<Path>) -> Result<File, ReadError> {
    let path = path.as_ref();
    // opening a pipe would wait for a writer
    refuse_others(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    refuse_others(&file.metadata()?)?;
    known::remember(path);
    Ok(file)
}

fn refuse_others(metadata: &fs::Metadata) -> Result<(), ReadError> {
    FileKind::of(metadata).map_or(Ok(()), |kind| Err(ReadError::Kind(kind)))
}

/// Reads the bytes of a file.
///
/// # Errors
/// [`ReadError`] for other kinds than a file, and for a file that is larger than the memory that the machine
/// has left.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, ReadError> {
    collected(path.as_ref(), |_, _| Ok(()))
}

/// Reads the text of a file. A file that is not text is refused at the first piece that shows it, before its
/// end is read.
///
/// # Errors
/// [`ReadError`] as of [`read`], and for bytes that are not text in UTF-8, zeros among them.
pub fn read_text(path: impl AsRef<Path>) -> Result<String, ReadError> {
    let no_zero = |piece: &[u8], before: u64| match piece.iter().position(|&byte| byte == 0) {
        Some(at) => Err(ReadError::NoText { at: before + at as u64, byte: 0 }),
        None => Ok(()),
    };
    String::from_utf8(collected(path.as_ref(), no_zero)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        ReadError::NoText { at: at as u64, byte: error.as_bytes().get(at).copied().unwrap_or_default() }
    })
}

/// Reads the bytes of a file, and calls `look` with each piece and the number of bytes before it.
fn collected(path: &Path, look: impl Fn(&[u8], u64) -> Result<(), ReadError>) -> Result<Vec<u8>, ReadError> {
    /// Bytes that are read at once.
    const READ_BYTES: usize = 1 << 16;
    let mut file = open(path)?;
    let length = file.metadata()?.len();
    let room = |bytes: u64| Room {
        what: "the text of a file",
        count: usize::try_from(bytes).unwrap_or(usize::MAX),
        counted: "bytes",
        remedy: "split the file, or use a machine with more memory",
    };
    let mut bytes: Vec<u8> = room(length).take(usize::try_from(length).unwrap_or(usize::MAX))?;
    let mut piece = vec![0; READ_BYTES];
    loop {
        let read = match file.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(read) => &piece[..read],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        look(read, bytes.len() as u64)?;
        // the file has grown meanwhile, or is one of the system's own, whose length is 0
        if bytes.len() + read.len() > bytes.capacity() {
            let wanted = (bytes.len() + read.len()).saturating_mul(2);
            room(wanted as u64).check(wanted as u64)?;
        }
        bytes.extend_from_slice(read);
    }
}
