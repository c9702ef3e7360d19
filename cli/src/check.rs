//! `costate check`: prints the diagnostics of the models of a file, each with its line and a mark under the tokens.

use clap::Args;
use costate_compiler::MAX_SHOWN;
use serde_json::json;

use crate::answer::Answer;
use crate::diagnostics::{Kind, Mark, marks};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::selection::Selection;

/// The models to check: all models with their defaults, or one with other values.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
}

/// Prints all diagnostics, and counts them.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let Selection { file: path, model, .. } = &options.selection;
    let (file, arguments) = (options.selection.read()?, options.selection.arguments());
    let one = model.is_some() || arguments.iter().next().is_some();
    let findings = if one { file.check_with(model.as_deref(), &arguments)? } else { file.check() };
    let mut all = Vec::new();
    for (kind, found) in
        [(Kind::Error, &findings.errors), (Kind::Warning, &findings.warnings), (Kind::Note, &findings.notes)]
    {
        let marks = marks(&file, kind, found);
        marks.iter().for_each(Mark::print);
        all.extend(marks.iter().map(Mark::json));
    }
    let counts = [
        count(findings.errors.len(), "error"),
        count(findings.warnings.len(), "warning"),
        count(findings.notes.len(), "note"),
    ];
    let names = model.clone().map_or_else(|| file.names(), |name| vec![name]);
    let text = format!("{}: {}\n", names.join(", "), counts.join(", "));
    let json = json!({
        "models": names,
        "errors": findings.errors.len(),
        "warnings": findings.warnings.len(),
        "notes": findings.notes.len(),
        "diagnostics": all,
    });
    let mut answer = Answer::new(text, json);
    if !findings.errors.is_empty() {
        let message = format!("`{}` has errors", path.display());
        eprintln!("error: {message}");
        answer.json["error"] = message.into();
        answer.exit = Exit::Wrong;
    }
    Ok(answer)
}

/// Writes `1 error` or `2 errors`; the last one of more than are shown stands for the others.
fn count(number: usize, what: &str) -> String {
    if number > MAX_SHOWN {
        return format!("more than {MAX_SHOWN} {what}s");
    }
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
