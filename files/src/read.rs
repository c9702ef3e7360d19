//! Reading: of files alone, with memory that there is.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use costate_machine::{OutOfMemory, Room};

/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

/// What stands under a name in the file system, in place of a file.
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
    /// What it is, if it is no file.
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

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// What the system says.
    #[error(transparent)]
    System(#[from] io::Error),
    /// It is something else than a file.
    #[error("it is {0}; give the name of a file")]
    Kind(FileKind),
    /// It is too large for this machine.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// It is no text.
    #[error(
        "byte {at} is {byte:#04x}, which text in UTF-8 does not have there; save the file as text in UTF-8"
    )]
    NoText {
        /// The position of the first wrong byte, counted from 0.
        at: u64,
        /// The byte.
        byte: u8,
    },
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::System(error) => error,
            ReadError::Kind(_) | ReadError::NoText { .. } => {
                io::Error::new(io::ErrorKind::InvalidData, error)
            }
            ReadError::Memory(_) => io::Error::new(io::ErrorKind::OutOfMemory, error),
        }
    }
}

/// Opens a file for reading; pipes, devices and folders are refused before they are opened.
///
/// # Errors
/// [`ReadError::Kind`] and what the system says.
pub fn open(path: impl AsRef<Path>) -> Result<File, ReadError> {
    let path = path.as_ref();
    // to open a pipe would wait for who writes to it
    refuse_others(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    refuse_others(&file.metadata()?)?;
    Ok(file)
}

fn refuse_others(metadata: &fs::Metadata) -> Result<(), ReadError> {
    FileKind::of(metadata).map_or(Ok(()), |kind| Err(ReadError::Kind(kind)))
}

/// The bytes of a file.
///
/// # Errors
/// [`ReadError`]: something else than a file, or one that is larger than what the machine has left.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, ReadError> {
    collected(path.as_ref(), |_, _| Ok(()))
}

/// The text of a file. What is no text is refused at its first such piece, not behind its end.
///
/// # Errors
/// [`ReadError`]: as of [`read`], and bytes that are no text in UTF-8, zeros among them.
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

/// The bytes of a file, each piece of which is looked at, with the number of bytes before it.
fn collected(path: &Path, look: impl Fn(&[u8], u64) -> Result<(), ReadError>) -> Result<Vec<u8>, ReadError> {
    let mut file = open(path)?;
    let length = file.metadata()?.len();
    let room = |bytes: u64| Room {
        what: "the text of a file",
        count: usize::try_from(bytes).unwrap_or(usize::MAX),
        counted: "bytes",
        remedy: "split the file, or use a machine with more memory",
    };
    let mut bytes: Vec<u8> = room(length).take(usize::try_from(length).unwrap_or(usize::MAX))?;
    let mut piece = vec![0; PIECE];
    loop {
        let read = match file.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(read) => &piece[..read],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        look(read, bytes.len() as u64)?;
        // a file that has grown meanwhile, or one of the system's own, which have no length
        if bytes.len() + read.len() > bytes.capacity() {
            let wanted = (bytes.len() + read.len()).saturating_mul(2);
            room(wanted as u64).check(wanted as u64)?;
        }
        bytes.extend_from_slice(read);
    }
}
