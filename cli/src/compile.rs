//! `costate compile`: the code of a model.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::answer::Answer;
use crate::error::{CommandError, command_errors};
use crate::options::check_ending;
use crate::output::write;
use crate::selection::Selection;

/// The model to compile and the file to write.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    /// The file to write; without it, the code is printed.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Writes nothing, and fails if the file of `--output` is not what would be written.
    #[arg(long, requires = "output")]
    check: bool,
}

/// A file with another text than `--check` wants, or none.
#[derive(Debug, thiserror::Error)]
#[error("`{}` is out of date; run the command without `--check` to write it again", .0.display())]
struct OutOfDate(PathBuf);

command_errors!(Wrong: OutOfDate);

/// Writes, prints or compares the code.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let model = options.selection.model.as_deref();
    let expansion = options.selection.read()?.expand(model, &options.selection.arguments())?;
    check_ending(options.output.as_deref(), &[".rs"])?;
    let lines = expansion.code.lines().count();
    match &options.output {
        None => {
            let json = json!({ "code": expansion.code, "lines": lines });
            return Ok(Answer::new(expansion.code, json));
        }
        Some(path) if options.check => {
            // A missing file is out of date as well.
            if costate::command::files::read_text(path).ok().as_deref() != Some(&*expansion.code) {
                return Err(OutOfDate(path.clone()).into());
            }
        }
        Some(path) => write(path, &expansion.code)?,
    }
    Ok(Answer::new("", json!({ "file": options.output, "lines": lines, "checked": options.check })))
}
