//! Where the files that a model names are.

use std::path::{Path, PathBuf};

/// A path in `folder`, or else beside the `Cargo.toml` of the crate that is being built.
pub fn absolute(path: &Path, folder: Option<&Path>) -> PathBuf {
    let crate_folder = || std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    match folder.map(Path::to_owned).or_else(crate_folder) {
        Some(folder) => folder.join(path),
        None => path.to_owned(),
    }
}
