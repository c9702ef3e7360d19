//! Folders of the files that a model names, and of those that it may read.

use std::path::PathBuf;

use costate_contract::files::{FileSource, resolved};

/// Folders with the files of a model.
#[derive(Debug, Clone, Default)]
pub struct ModelFiles {
    /// Folder to which paths are relative; `None` for that of the `Cargo.toml` of the crate that is being built.
    pub start: Option<PathBuf>,
    /// Other allowed folders; `None` if files anywhere are allowed.
    pub allowed: Option<Vec<PathBuf>>,
    /// The contents of files by the names that the model has for them, in place of the files.
    pub contents: &'static [(&'static str, &'static [u8])],
}

impl ModelFiles {
    /// Returns where the content of a file with this name is.
    ///
    /// # Errors
    /// The message about a file that the model may not read.
    pub fn source(&self, name: &str) -> Result<FileSource<'static>, String> {
        match self.contents.iter().find(|(given, _)| *given == name) {
            Some((_, content)) => Ok(FileSource::Content(content)),
            None => self.path(name).map(FileSource::from),
        }
    }

    /// Returns the path of a file with this name.
    ///
    /// # Errors
    /// The message about a file that the model may not read.
    pub fn path(&self, name: &str) -> Result<PathBuf, String> {
        let crate_folder = || std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let start = self.start.clone().or_else(crate_folder).unwrap_or_else(|| PathBuf::from("."));
        let path = start.join(name);
        let Some(allowed) = &self.allowed else { return Ok(path) };
        let found = resolved(&path);
        if std::iter::once(&start).chain(allowed).any(|folder| found.starts_with(resolved(folder))) {
            return Ok(path);
        }
        Err(format!(
            "`{name}` is outside of `{}`, the folder of the model; copy the file there, or allow its folder by \
             `--allow-files FOLDER`",
            start.display()
        ))
    }
}
