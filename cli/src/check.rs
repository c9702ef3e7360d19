//! `costate check`: prints the diagnostics of the models of a file, each with its line and a mark under the tokens.

use clap::Args;

use crate::diagnostics::{self, Kind};
use crate::error::CommandError;
use crate::expand::Selection;
use crate::output;

/// The models to check: all models with their defaults, or one with other values.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
}

/// Prints all diagnostics; fails if there are errors.
pub fn run(options: &Options) -> Result<(), CommandError> {
    let Selection { file: path, model, .. } = &options.selection;
    let (file, arguments) = (options.selection.read()?, options.selection.arguments());
    let one = model.is_some() || arguments.iter().next().is_some();
    let findings = if one { file.check_with(model.as_deref(), &arguments)? } else { file.check() };
    for (kind, found) in
        [(Kind::Error, &findings.errors), (Kind::Warning, &findings.warnings), (Kind::Note, &findings.notes)]
    {
        diagnostics::print(&file, kind, found);
    }
    let counts = [
        count(findings.errors.len(), "error"),
        count(findings.warnings.len(), "warning"),
        count(findings.notes.len(), "note"),
    ];
    let names = model.clone().unwrap_or_else(|| file.names().join(", "));
    output::print(&format!("{names}: {}\n", counts.join(", ")))?;
    if findings.errors.is_empty() { Ok(()) } else { Err(CommandError::Check(path.clone())) }
}

/// Writes `1 error` or `2 errors`.
fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
