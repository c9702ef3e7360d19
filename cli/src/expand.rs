//! `costate expand`: the code of a model.

use std::path::PathBuf;

use clap::Args;
use costate_compiler::{ArgumentValue, Arguments, FileError, ModelFile};

use crate::error::CommandError;
use crate::output::{print, write};

/// A model, and values of its structural arguments.
#[derive(Debug, Args)]
pub struct Selection {
    /// A Rust file with `model!` blocks, or the text of a model.
    pub file: PathBuf,
    /// One of the models or variants in the file.
    #[arg(long)]
    pub model: Option<String>,
    /// The value of a structural argument in place of its default.
    #[arg(long = "set", value_name = "ARGUMENT=VALUE", value_parser = assignment)]
    set: Vec<(String, ArgumentValue)>,
    /// Another folder whose tables and meshes the model may read; without it, files outside of the model's own folder are refused
    ///
    /// The model's own folder is that of the `Cargo.toml` above the file, or else that of the file. Can be given several times.
    #[arg(long = "allow-files", value_name = "FOLDER")]
    allow_files: Vec<PathBuf>,
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

/// The model to expand and the file to write.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    /// The file to write; without it, the code is printed.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Writes nothing, and fails if the file of `--output` is not what would be written.
    #[arg(long, requires = "output")]
    check: bool,
}

/// Writes, prints or compares the code.
pub fn run(options: &Options) -> Result<(), CommandError> {
    let model = options.selection.model.as_deref();
    let expansion = options.selection.read()?.expand(model, &options.selection.arguments())?;
    match &options.output {
        None => print(&expansion.code)?,
        Some(path) if options.check => {
            // A missing file is out of date as well.
            if costate_files::read_text(path).ok().as_deref() != Some(&*expansion.code) {
                return Err(CommandError::OutOfDate(path.clone()));
            }
        }
        Some(path) => write(path, &expansion.code)?,
    }
    Ok(())
}

/// Parses `cylinders=6`.
fn assignment(text: &str) -> Result<(String, ArgumentValue), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("write the argument, `=` and its value, e.g. `cylinders=6`".to_owned());
    };
    let value: ArgumentValue = value.trim().parse().map_err(|error| format!("{name}: {error}"))?;
    Ok((name.trim().to_owned(), value))
}
