//! States of work that can be continued.

use std::path::{Path, PathBuf};

/// The place where the state of a fit is kept.
#[derive(Debug)]
pub struct State {
    /// The file; for a multistart, a folder.
    pub path: PathBuf,
    /// True if it stays when the fit is done.
    pub stays: bool,
}

impl State {
    /// Returns the path if it is removed when all is done.
    pub fn obsolete(&self) -> Option<PathBuf> {
        (!self.stays).then(|| self.path.clone())
    }
}

/// Removes a state that is no longer needed. One that cannot be removed does no harm.
pub fn remove(path: &Path) {
    if path.is_dir() {
        let logs = std::fs::read_dir(path).into_iter().flatten().flatten();
        for log in logs.map(|entry| entry.path()).filter(|path| is_of_ensemble(path)) {
            let _ = std::fs::remove_file(log);
        }
        // a folder with files of others stays
        let _ = std::fs::remove_dir(path);
        return;
    }
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let _ = std::fs::remove_file(path);
    let _ = std::fs::remove_file(lock);
}

/// Checks whether a file of a folder of logs was written by an ensemble.
fn is_of_ensemble(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == "tasks.lock" || name.starts_with("tasks-") && (name.ends_with(".log") || name.ends_with(".progress"))
}
