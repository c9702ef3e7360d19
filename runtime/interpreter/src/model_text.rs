//! The models of a program that are interpreted: their texts, which `model!` puts into the program.

use std::path::Path;
use std::sync::OnceLock;

use costate_compiler::{ArgumentValue, Arguments, ModelFile};
use costate_contract::BackEnd;

use crate::loaded::{LoadError, LoadedModel};
use crate::program::LoadedProgram;

/// The text of a model that `model!` has checked, with the files that it names. It is read when the model is first
/// used.
#[derive(Debug)]
pub struct ModelText {
    name: &'static str,
    text: &'static str,
    files: &'static [(&'static str, &'static [u8])],
    arguments: &'static [(&'static str, ArgumentValue)],
    loaded: OnceLock<LoadedModel>,
}

impl ModelText {
    /// Creates the text of the model with this name in a block, the contents of its files by their names, and the
    /// values of its structural arguments.
    pub const fn new(
        name: &'static str,
        text: &'static str,
        files: &'static [(&'static str, &'static [u8])],
        arguments: &'static [(&'static str, ArgumentValue)],
    ) -> Self {
        Self { name, text, files, arguments, loaded: OnceLock::new() }
    }

    /// Returns the functions of the model.
    ///
    /// # Panics
    /// If the text cannot be read, which cannot happen: `model!` writes it only after it has compiled the same text
    /// with the same files, to the whole program. A failure is a mistake of costate.
    #[allow(clippy::panic, reason = "the same compiler has made the program of the same text")]
    pub fn program(&self) -> &'static LoadedProgram {
        let load = || self.load().unwrap_or_else(|error| panic!("{error}\nPlease report this with the model."));
        self.loaded.get_or_init(load).program()
    }

    fn load(&self) -> Result<LoadedModel, LoadError> {
        let file = ModelFile::from_text(Path::new(self.name), self.text.to_owned())?;
        let arguments: Arguments = self.arguments.iter().copied().collect();
        let compiled = file.compile(Some(self.name), &arguments.with_files(self.files))?;
        LoadedModel::executed(&file, &compiled, BackEnd::Interpreted)
    }
}
