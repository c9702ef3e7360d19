//! The folder where programs are built that run models: in use by one call at a time, and by nobody but its user.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use costate_compiler::FileError;

use crate::error::CommandError;

/// The folder, in use for as long as this lives.
pub struct Cache {
    /// The path of the folder.
    pub folder: PathBuf,
    _lock: File,
    /// Removed with everything in it.
    _temporary: Option<tempfile::TempDir>,
}

impl Cache {
    /// Takes the folder into use: that of the user's caches, or a new one, which nobody else knows, for this call alone. Waits
    /// until other calls have done with it.
    pub fn open() -> Result<Self, CommandError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| FileError::Unwritable { path, source }
        };
        let (folder, temporary) = match of_user() {
            Some(folder) => (folder, None),
            None => {
                let temporary = tempfile::Builder::new().prefix("costate-").tempdir();
                let temporary = temporary.map_err(failed(&std::env::temp_dir()))?;
                (temporary.path().to_owned(), Some(temporary))
            }
        };
        std::fs::create_dir_all(&folder).map_err(failed(&folder))?;
        keep_private(&folder).map_err(failed(&folder))?;
        let path = folder.join("lock");
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(failed(&path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                eprintln!("waiting for another `costate animate`");
                lock.lock().map_err(failed(&path))?;
            }
            Err(TryLockError::Error(source)) => return Err(failed(&path)(source).into()),
        }
        Ok(Self { folder, _lock: lock, _temporary: temporary })
    }
}

/// The folder among the caches of the user, where the system has such.
fn of_user() -> Option<PathBuf> {
    let given = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = given("XDG_CACHE_HOME")
        .or_else(|| given("LOCALAPPDATA"))
        .or_else(|| given("HOME").map(|home| home.join(".cache")));
    caches.map(|caches| caches.join("costate").join("animate"))
}

/// Lets nobody but its owner in; fails where that is somebody else.
#[cfg(unix)]
fn keep_private(folder: &Path) -> io::Result<()> {
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))
}

#[cfg(not(unix))]
fn keep_private(_: &Path) -> io::Result<()> {
    Ok(())
}
