//! Where the files that a model names are, and which of them it may read.

use std::path::{Component, Path, PathBuf};

/// Folders with the files of a model.
#[derive(Debug, Clone, Default)]
pub struct ModelFiles {
    /// Where paths start; without it, beside the `Cargo.toml` of the crate that is being built.
    pub start: Option<PathBuf>,
    /// Folders beside that one, if files in others are refused.
    pub allowed: Option<Vec<PathBuf>>,
    /// Whether code names them by absolute paths.
    pub are_absolute: bool,
}

impl ModelFiles {
    /// The path of a file with this name.
    ///
    /// # Errors
    /// What to say about one that the model may not read.
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

/// The path behind links, or as far as it can be told where nothing is.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = std::fs::canonicalize(path) {
        return path;
    }
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    // folders above may be links
    let above = plain.ancestors().skip(1).find_map(|above| {
        let rest = plain.strip_prefix(above).ok()?;
        Some(std::fs::canonicalize(above).ok()?.join(rest))
    });
    above.unwrap_or(plain)
}
