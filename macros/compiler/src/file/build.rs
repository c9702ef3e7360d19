//! The code of a model for a build script.

use std::path::{Path, PathBuf};

use super::{FileError, ModelFile};
use crate::model::Arguments;

/// Writes the code of a model to the file `output` in `OUT_DIR`, for `include!` in the crate that is being built.
///
/// ```no_run
/// // build.rs; in the crate: mod engine { include!(concat!(env!("OUT_DIR"), "/engine.rs")); }
/// use costate_compiler::{Arguments, generate};
///
/// fn main() {
///     let arguments = Arguments::new().with("cylinders", 6);
///     if let Err(error) = generate("src/engine.model", None, &arguments, "engine.rs") {
///         eprintln!("{error}");
///         std::process::exit(1);
///     }
/// }
/// ```
///
/// `file` is a Rust file with `model!` blocks or the text of a model, `name` one of its models (`None`: all of them, or
/// the only one), `arguments` replace the defaults of its structural arguments. Cargo runs the script again when the
/// file or a table of the model changes, and prints the model's warnings.
///
/// # Errors
/// Everything that is wrong with file, name, arguments and model, each mistake of a model with file, line and column.
pub fn generate(
    file: impl AsRef<Path>,
    name: Option<&str>,
    arguments: &Arguments,
    output: &str,
) -> Result<PathBuf, FileError> {
    let file = file.as_ref();
    println!("cargo:rerun-if-changed={}", file.display());
    let models = ModelFile::read(file)?;
    let expansion = models.expand(name, arguments)?;
    for table in &expansion.tables {
        println!("cargo:rerun-if-changed={}", table.display());
    }
    for warning in &expansion.warnings {
        println!("cargo:warning={}:{warning}", file.display());
    }
    let folder = std::env::var_os("OUT_DIR").ok_or(FileError::NoOutputFolder)?;
    let path = Path::new(&folder).join(output);
    costate_contract::files::write(&path, &expansion.code)
        .map_err(|source| FileError::Unwritable { path: path.clone(), source })?;
    Ok(path)
}
