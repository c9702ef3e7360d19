//! Diagnostics at lines of a file, in the layout of rustc.

use std::io::IsTerminal;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use costate_compiler::{Diagnostic, ModelFile};
use costate_contract::shown::plain;
use serde_json::{Value, json};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// The model is refused.
    Error,
    /// Something may be wrong.
    Warning,
    /// Something to know.
    Note,
}

/// Prints diagnostics, each with its line and a mark under the tokens.
pub fn print(file: &ModelFile, kind: Kind, found: &[Diagnostic]) {
    for diagnostic in found {
        print_at(file.path(), file.text(), kind, diagnostic.range(), &diagnostic.message);
    }
}

/// Prints a message about a range of bytes of a file, with their line.
pub fn print_at(path: &Path, text: &str, kind: Kind, range: Range<usize>, message: &str) {
    let level = match kind {
        Kind::Error => Level::ERROR,
        Kind::Warning => Level::WARNING,
        Kind::Note => Level::NOTE,
    };
    let renderer = if std::io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    // the renderer does not remove control characters from its text
    let (path, message) = (path.to_string_lossy(), plain(message));
    let path = plain(&path);
    let mark = AnnotationKind::Primary.span(range);
    let snippet = Snippet::source(text).path(&*path).annotation(mark);
    let group = level.primary_title(&*message).element(snippet);
    eprintln!("{}\n", renderer.render(&[group]));
}

/// Returns diagnostics as `--json` has them.
pub fn all_json(file: &ModelFile, kind: Kind, found: &[Diagnostic]) -> Vec<Value> {
    found.iter().map(|diagnostic| json(file.text(), kind, diagnostic.range(), &diagnostic.message)).collect()
}

/// Returns a message about a range of bytes of a text as `--json` has it, with line and column from 1.
pub fn json(text: &str, kind: Kind, range: Range<usize>, message: &str) -> Value {
    let severity = match kind {
        Kind::Error => "error",
        Kind::Warning => "warning",
        Kind::Note => "note",
    };
    let (line, column) = position(text, range.start);
    json!({ "severity": severity, "line": line, "column": column, "message": plain(message) })
}

/// Returns line and column of a byte, both from 1.
pub fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before.get(start..).unwrap_or_default().chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}
