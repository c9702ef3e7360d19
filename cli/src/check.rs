//! `costate check`: what is to be said about the models of a file, each with its line and a mark under the tokens.

use std::io::IsTerminal;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use clap::Args;
use costate_compiler::{Diagnostic, ModelFile};

use crate::error::CommandError;

/// What is checked.
#[derive(Debug, Args)]
pub struct Options {
    /// A Rust file with `model!` blocks, or the text of a model.
    file: PathBuf,
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
    let file = ModelFile::read(&options.file)?;
    let findings = file.check();
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
    println!("{}: {}", file.names().join(", "), counts.join(", "));
    if findings.errors.is_empty() { Ok(()) } else { Err(CommandError::Check(options.file.clone())) }
}

/// Prints diagnostics as rustc does.
pub fn print(file: &ModelFile, kind: Kind, found: &[Diagnostic]) {
    let level = match kind {
        Kind::Error => Level::ERROR,
        Kind::Warning => Level::WARNING,
        Kind::Note => Level::NOTE,
    };
    let renderer = if std::io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let path = file.path().to_string_lossy();
    for diagnostic in found {
        let mark = AnnotationKind::Primary.span(diagnostic.range());
        let snippet = Snippet::source(file.text()).path(&*path).annotation(mark);
        let group = level.clone().primary_title(&*diagnostic.message).element(snippet);
        eprintln!("{}\n", renderer.render(&[group]));
    }
}

/// `1 error`, `2 errors`.
fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
