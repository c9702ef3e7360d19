//! Paths without links, also of what does not exist yet.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Largest number of links that lead to each other, as in the kernel of Linux.
pub(super) const MAX_LINKS: usize = 40;

/// Returns the absolute path without links and without `..`; of folders that do not exist, `..` takes the last one
/// away.
pub fn resolved(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    resolve(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()), MAX_LINKS)
}

fn resolve(absolute: &Path, links: usize) -> PathBuf {
    let mut found = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => {
                found.pop();
                continue;
            }
            Component::CurDir => continue,
            other => found.push(other),
        }
        // one that leads nowhere is a link as well: a file that is written gets made where it leads to
        if let Ok(target) = fs::read_link(&found)
            && links > 0
        {
            found.pop();
            found = resolve(&found.join(target), links - 1);
        }
    }
    found
}
