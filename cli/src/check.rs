//! `costate check`: what is to be said about the models of a file, each with its line and a mark under the tokens.

use std::io::IsTerminal;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use clap::Args;
use costate_compiler::{Diagnostic, ModelFile};

use crate::error::CommandError;
use crate::expand::Selection;
use crate::output;

/// What is checked: all models with their defaults, or one with other values.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
}

/// How serious it is.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// The model is refused.
    Error,
    /// Something may be wrong.
    Warning,
    /// Something to know.
    Note,
}

/// Prints everything that is found; fails if there are errors.
pub fn run(options: &Options) -> Result<(), CommandError> {
    let Selection { file: path, model, .. } = &options.selection;
    let (file, arguments) = (ModelFile::read(path)?, options.selection.arguments());
    let one = model.is_some() || arguments.iter().next().is_some();
    let findings = if one { file.check_with(model.as_deref(), &arguments)? } else { file.check() };
    for (kind, found) in
        [(Kind::Error, &findings.errors), (Kind::Warning, &findings.warnings), (Kind::Note, &findings.notes)]
    {
        print(&file, kind, found);
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

/// Prints diagnostics as rustc does.
pub fn print(file: &ModelFile, kind: Kind, found: &[Diagnostic]) {
    for diagnostic in found {
        print_at(file.path(), file.text(), kind, diagnostic.range(), &diagnostic.message);
    }
}

/// Prints what is to be said about some bytes of a file, with their line.
pub fn print_at(path: &Path, text: &str, kind: Kind, range: Range<usize>, message: &str) {
    let level = match kind {
        Kind::Error => Level::ERROR,
        Kind::Warning => Level::WARNING,
        Kind::Note => Level::NOTE,
    };
    let renderer = if std::io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let path = path.to_string_lossy();
    let mark = AnnotationKind::Primary.span(range);
    let snippet = Snippet::source(text).path(&*path).annotation(mark);
    let group = level.primary_title(message).element(snippet);
    eprintln!("{}\n", renderer.render(&[group]));
}

/// `1 error`, `2 errors`.
fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
