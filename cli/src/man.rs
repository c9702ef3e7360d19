//! `costate man`: the manual, one page for the command and one for every subcommand.

use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;
use costate_compiler::FileError;
use serde_json::json;

use crate::answer::Answer;
use crate::error::CommandError;
use crate::output::{PrintError, write};

/// The folder of the pages.
#[derive(Debug, Args)]
pub struct Options {
    /// The folder for the pages `costate.1`, `costate-run.1` and so on, which is made if it does not exist; without it,
    /// the page of the command itself is printed.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Prints or writes the manual.
pub fn run(options: &Options, command: clap::Command) -> Result<Answer, CommandError> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &options.output else {
        let page = page(&command)?;
        let json = json!({ "page": page });
        return Ok(Answer::new(page, json));
    };
    std::fs::create_dir_all(folder).map_err(|source| FileError::Unwritable { path: folder.clone(), source })?;
    let mut files = Vec::new();
    for command in std::iter::once(&command).chain(command.get_subcommands().filter(|own| !own.is_hide_set())) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let file = folder.join(format!("{name}.1"));
        write(&file, &page(command)?)?;
        files.push(file);
    }
    let first = folder.join("costate.1");
    let text = format!("`{}` has {} pages; `man -l {}` shows one\n", folder.display(), files.len(), first.display());
    Ok(Answer::new(text, json!({ "files": files })))
}

/// Returns a page in the language of `man`.
fn page(command: &clap::Command) -> Result<String, CommandError> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text).map_err(PrintError)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
