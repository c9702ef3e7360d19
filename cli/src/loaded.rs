//! The model of a command, ready to be run in this process.

use costate_compiler::ModelFile;

use crate::error::CommandError;
use crate::selection::Selection;

pub use costate::campaign::Loaded;

/// Compiles the model of a file.
///
/// # Errors
/// Errors of the file, of the selection in it, and of the model.
pub fn load(selection: &Selection) -> Result<Loaded, CommandError> {
    load_from(&selection.read()?, selection)
}

/// Compiles the selected model of a file that has been read.
///
/// # Errors
/// Errors of the selection and of the model.
pub fn load_from(file: &ModelFile, selection: &Selection) -> Result<Loaded, CommandError> {
    let compiled = file.compile(selection.model.as_deref(), &selection.arguments())?;
    Ok(Loaded::of_compiled(file, compiled)?)
}
