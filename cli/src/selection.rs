//! The model of a command: its file, its name there, and values of its structural arguments.

use std::path::PathBuf;

use clap::Args;
use costate_compiler::{ArgumentValue, Arguments, FileError, ModelFile};

/// A model, and values of its structural arguments.
#[derive(Debug, Clone, Args)]
pub struct Selection {
    /// A Rust file with `model!` blocks, or the text of a model.
    #[arg(value_name = "MODEL")]
    pub file: PathBuf,
    /// One of the models or variants in the file.
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// The value of a structural argument in place of its default.
    #[arg(long = "set", value_name = "ARGUMENT=VALUE", value_parser = assignment)]
    pub set: Vec<(String, ArgumentValue)>,
    /// Another folder whose tables and meshes the model may read; without it, files outside of the model's own folder
    /// are refused
    ///
    /// The model's own folder is that of the `Cargo.toml` above the file, or else that of the file. Can be given
    /// several times.
    #[arg(long = "allow-files", value_name = "FOLDER")]
    pub allow_files: Vec<PathBuf>,
}

impl Selection {
    /// Reads the file, whose models may read tables and meshes from its own folder and from those of `--allow-files`.
    pub fn read(&self) -> Result<ModelFile, FileError> {
        Ok(ModelFile::read(&self.file)?.with_files_only_in(self.allow_files.iter().cloned()))
    }

    /// Returns the values of `--set`.
    pub fn arguments(&self) -> Arguments {
        self.set.iter().cloned().collect()
    }
}

/// Parses `cylinders=6`.
fn assignment(text: &str) -> Result<(String, ArgumentValue), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("write the argument, `=` and its value, e.g. `cylinders=6`".to_owned());
    };
    let value: ArgumentValue = value
        .trim()
        .parse()
        .map_err(|error| format!("{name}: {error}; the value of a parameter is given by `--parameter {name}=...`"))?;
    Ok((name.trim().to_owned(), value))
}
