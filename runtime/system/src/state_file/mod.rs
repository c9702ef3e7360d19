//! Files that interrupted work continues from.
//!
//! A file belongs to one piece of work at a time: the operating system locks a second file next to it, also
//! against other processes, and releases the lock when the process ends in any way. The file is replaced
//! atomically, so that it always holds a complete state. A checksum reveals damage, and the description of
//! the simulation to which the state belongs says in words what has changed.

mod description;
mod error;

use std::borrow::Cow;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use costate_ensemble::Fingerprint;

pub use costate_ensemble::StateDifference;
pub use costate_ensemble::{Description, fingerprint};
pub use description::{describe, describe_model, description_of};
pub use error::StateFileError;

/// Version of the format; changes when the content of files changes.
const FORMAT_VERSION: u32 = 4;

/// A state file in use, for as long as this value lives.
#[derive(Debug)]
pub struct StateFile {
    /// The path as it was given, for error messages.
    name: PathBuf,
    /// The path behind symbolic links.
    path: PathBuf,
    /// The kind of work.
    work: &'static str,
    /// The locked file; `None` on file systems without locks.
    _lock: Option<File>,
}

/// The part that files of all versions have.
#[derive(Deserialize)]
struct Header {
    format: u32,
}

/// The content of a file.
#[derive(Serialize, Deserialize)]
struct Envelope<'a> {
    format: u32,
    work: Cow<'a, str>,
    /// Checksum of the text of `content`.
    checksum: Cow<'a, str>,
    #[serde(borrow)]
    content: &'a RawValue,
}

/// The content to be written.
#[derive(Serialize)]
struct Given<'a, T> {
    description: &'a Description,
    state: &'a T,
}

/// The content that is read.
#[derive(Deserialize)]
struct Stored<T> {
    description: Description,
    state: T,
}

impl StateFile {
    /// Takes the file into use for this kind of `work`, such as "an identification"; it need not exist.
    pub fn open(path: &Path, work: &'static str) -> Result<Self, StateFileError> {
        let name = path.to_owned();
        // a symbolic link is kept when the file is replaced
        let path = if path.is_symlink() { fs::canonicalize(path) } else { Ok(path.to_owned()) };
        let path = path.map_err(|source| StateFileError::Read { file: name.clone(), source })?;
        let not_locked = |source| StateFileError::Write { file: name.clone(), source };
        // the lock file is not deleted: another process may be about to lock it
        let lock = File::options().create(true).truncate(false).write(true).open(beside(&path, ".lock"));
        let lock = lock.map_err(not_locked)?;
        let lock = match lock.try_lock() {
            Ok(()) => Some(lock),
            Err(TryLockError::WouldBlock) => return Err(StateFileError::InUse { file: name }),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => None,
            Err(TryLockError::Error(error)) => return Err(not_locked(error)),
        };
        Ok(Self { name, path, work, _lock: lock })
    }

    /// Reads the stored state of the same work; `None` if there is no such file.
    pub fn read<T: DeserializeOwned>(&self, given: &Description) -> Result<Option<T>, StateFileError> {
        let Some(content) = self.content()? else { return Ok(None) };
        let stored: Stored<T> = serde_json::from_str(content.get())
            .map_err(|source| StateFileError::Content { file: self.name.clone(), source })?;
        match stored.description.differences(given) {
            none if none.is_empty() => Ok(Some(stored.state)),
            differences => Err(StateFileError::Differs { file: self.name.clone(), differences }),
        }
    }

    /// Reads the content of the file, a state of any type; `None` if there is no such file.
    fn content(&self) -> Result<Option<Box<RawValue>>, StateFileError> {
        let file = || self.name.clone();
        let text = match costate_contract::files::read(&self.path).map_err(io::Error::from) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(StateFileError::Read { file: file(), source }),
        };
        let content = |source| StateFileError::Content { file: file(), source };
        let Header { format } = serde_json::from_slice(&text).map_err(content)?;
        if format != FORMAT_VERSION {
            return Err(StateFileError::Format { file: file(), stored: format, expected: FORMAT_VERSION });
        }
        let envelope: Envelope<'_> = serde_json::from_slice(&text).map_err(content)?;
        if envelope.checksum != checksum(envelope.content.get()) {
            return Err(self.damaged());
        }
        if envelope.work != self.work {
            let (stored, given) = (envelope.work.into_owned(), self.work);
            return Err(StateFileError::Work { file: file(), stored, given });
        }
        Ok(Some(envelope.content.to_owned()))
    }

    /// Creates the error of a state whose parts do not fit together.
    pub fn damaged(&self) -> StateFileError {
        StateFileError::Damaged { file: self.name.clone() }
    }

    /// Replaces the file atomically: it always holds either the old state or the new one.
    pub fn write(&self, description: &Description, state: &impl Serialize) -> Result<(), StateFileError> {
        let stored = serde_json::value::to_raw_value(&Given { description, state });
        self.write_content(stored)
    }

    fn write_content(&self, stored: serde_json::Result<Box<RawValue>>) -> Result<(), StateFileError> {
        let content = |source| StateFileError::Content { file: self.name.clone(), source };
        let stored = stored.map_err(content)?;
        let text = serde_json::to_vec(&Envelope {
            format: FORMAT_VERSION,
            work: self.work.into(),
            checksum: checksum(stored.get()).into(),
            content: &stored,
        });
        let text = text.map_err(content)?;
        costate_contract::files::write(&self.path, &text)
            .map_err(|source| StateFileError::Write { file: self.name.clone(), source })
    }
}

/// Appends `end` to the name of the path.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn checksum(text: &str) -> String {
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(text.as_bytes());
    fingerprint.text()
}

#[cfg(test)]
mod tests {
    use std::process;

    use super::*;

    /// Mutated files of states, raw and with right checksums: read as what was written, or refused.
    #[test]
    fn mutated_states() {
        let folder = std::env::temp_dir().join(format!("costate-states-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("state.json");
        let mut description = Description::default();
        description.number("the tolerance", 1e-9);
        let file = StateFile::open(&path, "a test").unwrap();
        let state = (3_usize, vec![1.5, -2.0], "text".to_owned());
        file.write(&description, &state).unwrap();
        let whole = fs::read(&path).unwrap();
        let content = serde_json::to_string(&Given { description: &description, state: &state }).unwrap();
        let seeds: [&[u8]; 2] = [&whole, content.as_bytes()];
        costate_fuzz::drive("states", &seeds, &["\"format\":4", "\"state\":", "null"], |bytes| {
            // the second one is a content, which gets its checksum
            let is_content = bytes.starts_with(b"{\"description\"");
            let written = match serde_json::from_slice::<&RawValue>(bytes) {
                Ok(content) if is_content => serde_json::to_vec(&Envelope {
                    format: FORMAT_VERSION,
                    work: "a test".into(),
                    checksum: checksum(content.get()).into(),
                    content,
                })
                .unwrap(),
                _ => bytes.to_vec(),
            };
            fs::write(&path, written).unwrap();
            match file.read::<(usize, Vec<f64>, String)>(&description) {
                Ok(read) => {
                    assert!(is_content || read.as_ref() == Some(&state));
                    "read".to_owned()
                }
                Err(error) => error.to_string(),
            }
        });
        fs::remove_dir_all(folder).unwrap();
    }
}
