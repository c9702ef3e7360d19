//! The files that a process has read, none of which it should replace by mistake.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

static READ: OnceLock<Mutex<HashSet<Identity>>> = OnceLock::new();

/// The identity that stays the same however a file is named.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Identity {
    /// The path without links.
    Path(PathBuf),
    /// The device and the number of the file on it, which all of its names share.
    #[cfg(unix)]
    Number(u64, u64),
}

/// Returns what stays the same of a file; nothing for one that does not exist, or for a device or pipe.
fn identities(path: &Path) -> Vec<Identity> {
    let Ok(metadata) = fs::metadata(path) else { return Vec::new() };
    if !metadata.is_file() {
        return Vec::new();
    }
    let mut all: Vec<Identity> = fs::canonicalize(path).ok().map(Identity::Path).into_iter().collect();
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        all.push(Identity::Number(metadata.dev(), metadata.ino()));
    }
    all
}

/// Has the files remembered that this process reads from now on, for [`was_read`].
pub fn remember_reads() {
    READ.get_or_init(Mutex::default);
}

/// Remembers a file that is being read.
pub(crate) fn remember(path: &Path) {
    if let Some(read) = READ.get() {
        read.lock().unwrap_or_else(PoisonError::into_inner).extend(identities(path));
    }
}

/// Checks whether this process has read the file since [`remember_reads`], under this name or another one.
pub fn was_read(path: impl AsRef<Path>) -> bool {
    let Some(read) = READ.get() else { return false };
    let read = read.lock().unwrap_or_else(PoisonError::into_inner);
    identities(path.as_ref()).iter().any(|identity| read.contains(identity))
}

/// Checks whether two names are those of one file, which may not exist yet. Devices and pipes are never the same.
pub fn are_same(first: impl AsRef<Path>, second: impl AsRef<Path>) -> bool {
    let (first, second) = (first.as_ref(), second.as_ref());
    let [one, other] = [first, second].map(identities);
    if one.is_empty() && other.is_empty() {
        return !first.exists() && !second.exists() && crate::files::resolved(first) == crate::files::resolved(second);
    }
    one.iter().any(|identity| other.contains(identity))
}
