//! The library that is copied into an FMU.

use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, OS};
use std::path::{Path, PathBuf};

use costate::command::{Bridge, BuildError, shared_library};
use costate_compiler::ModelFile;

use crate::error::{CommandError, command_errors};
use crate::selection::Selection;

/// The version of the command, which that of the library has to be.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A library that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// No library.
    #[error(
        "no library `{name}` is in {folders}; build it in the folder of costate's sources with `cargo build --release \
         -p costate-fmi`, and name it by `--library FILE` if it is somewhere else"
    )]
    Missing { name: String, folders: String },
    /// A file that is no library of this version.
    #[error(
        "`{}` is no library for FMUs of costate {VERSION}; build it from the sources of this command with `cargo build \
         --release -p costate-fmi`", .0.display()
    )]
    Other(PathBuf),
}

command_errors!(Wrong: LibraryError, BuildError);

/// The crate of the library.
const BRIDGE: Bridge = Bridge { folder: "bridges/fmi", name: "costate_fmi", environment: &[] };

/// Reads the library with the model compiled in, which cargo builds unless it has before.
///
/// # Errors
/// [`BuildError`], and those of [`read`].
pub fn compiled(file: &ModelFile, selection: &Selection) -> Result<Vec<u8>, CommandError> {
    let compiled = file.compile(selection.model.as_deref(), &selection.arguments())?;
    read(Some(&shared_library(BRIDGE, file, compiled)?))
}

/// Reads the library: the given file, or the one beside the command.
///
/// # Errors
/// [`LibraryError`], and a file that cannot be read.
pub fn read(given: Option<&Path>) -> Result<Vec<u8>, CommandError> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => found()?,
    };
    let bytes = costate::command::files::read(&path)
        .map_err(|source| costate_compiler::FileError::Unreadable { path: path.clone(), source: source.into() })?;
    // a text that the library has for this purpose
    let mark = format!("costate-fmi {VERSION}\n");
    if !bytes.windows(mark.len()).any(|window| window == mark.as_bytes()) {
        return Err(LibraryError::Other(path).into());
    }
    Ok(bytes)
}

fn found() -> Result<PathBuf, LibraryError> {
    let name = format!("{DLL_PREFIX}costate_fmi{DLL_SUFFIX}");
    let command = std::env::current_exe().unwrap_or_default();
    let own = command.parent().unwrap_or(Path::new(".")).to_owned();
    let folders = [own.clone(), own.join("../lib")];
    let found = folders.iter().map(|folder| folder.join(&name)).find(|path| path.is_file());
    found.ok_or_else(|| LibraryError::Missing {
        name,
        folders: folders.iter().map(|folder| format!("`{}`", folder.display())).collect::<Vec<_>>().join(" or "),
    })
}

/// Returns the name of the library in the FMU of a model.
pub fn entry(identifier: &str) -> String {
    let system = if OS == "macos" { "darwin" } else { OS };
    format!("binaries/{ARCH}-{system}/{identifier}{DLL_SUFFIX}")
}
