//! A folder with logs, in use.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::EnsembleError;
use crate::shard::Shard;

/// A folder in use for as long as this lives: by one process, or by one for every shard. The operating system takes the
/// locks back when a process ends, however it ends.
pub(crate) struct Folder {
    pub path: PathBuf,
    _locks: Vec<File>,
}

impl Folder {
    /// Makes the folder if it does not exist, and takes it into use.
    pub fn open(path: &Path, shard: Shard) -> Result<Self, EnsembleError> {
        let failed = |source| EnsembleError::Write { file: path.to_owned(), source };
        fs::create_dir_all(path).map_err(failed)?;
        let lock = |name: &str, shared: bool| -> Result<Option<File>, EnsembleError> {
            let file = File::options().create(true).truncate(false).write(true).open(path.join(name));
            let file = file.map_err(failed)?;
            let locked = if shared { file.try_lock_shared() } else { file.try_lock() };
            match locked {
                Ok(()) => Ok(Some(file)),
                Err(TryLockError::WouldBlock) => {
                    let what = match (shard.is_all(), shared) {
                        (true, _) => "some or all of the tasks",
                        (false, true) => "all tasks",
                        (false, false) => "the tasks of the same shard",
                    };
                    Err(EnsembleError::InUse { folder: path.to_owned(), what })
                }
                // a file system without locks
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
                Err(TryLockError::Error(error)) => Err(failed(error)),
            }
        };
        let mut locks = vec![lock("tasks.lock", !shard.is_all())?];
        if !shard.is_all() {
            locks.push(lock(&format!("{}.lock", prefix(shard)), false)?);
        }
        Ok(Self { path: path.to_owned(), _locks: locks.into_iter().flatten().collect() })
    }
}

/// The prefix of the names of a shard's files.
pub(super) fn prefix(shard: Shard) -> String {
    match shard.is_all() {
        true => "tasks-all".to_owned(),
        false => format!("tasks-{}-of-{}", shard.number(), shard.count()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_does_the_tasks_of_another_process() {
        let folder = tempfile::tempdir().unwrap();
        let open = |shard: &str| Folder::open(folder.path(), shard.parse().unwrap());
        let all = open("1/1").unwrap();
        assert!(matches!(open("1/1"), Err(EnsembleError::InUse { .. })));
        assert!(matches!(open("1/2"), Err(EnsembleError::InUse { what: "all tasks", .. })));
        drop(all);
        let (first, second) = (open("1/2").unwrap(), open("2/2").unwrap());
        let again = open("1/2").err().unwrap().to_string();
        assert!(again.contains("another process that does the tasks of the same shard"), "{again}");
        assert!(open("1/1").is_err());
        drop((first, second));
        open("1/1").unwrap();
    }
}
