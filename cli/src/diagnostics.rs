//! Diagnostics at lines of a file, in the layout of rustc.

use std::borrow::Cow;
use std::io::IsTerminal;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use costate::command::shown::plain;
use costate_compiler::{Diagnostic, ModelFile};
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
    let part = Part::around(text, &range);
    let mark = AnnotationKind::Primary.span(part.range);
    let snippet = Snippet::source(&*part.text).line_start(part.line).path(&*path).annotation(mark);
    let mut rendered = renderer.render(&[level.primary_title(&*message).element(snippet)]);
    if let Some([shown, column]) = part.columns {
        let place = |column: usize| format!("{path}:{}:{column}", part.line);
        rendered = rendered.replacen(&place(shown), &place(column), 1);
    }
    eprintln!("{rendered}\n");
}

/// Number of bytes that are shown of a long line before a mark, and behind its first byte.
const BEFORE: usize = 60;
const BEHIND: usize = 140;

/// The lines of a text that a message shows: their whole text is laid out, and takes the time of its length.
struct Part<'t> {
    text: Cow<'t, str>,
    /// The marked bytes of this text.
    range: Range<usize>,
    /// Number of the first line.
    line: usize,
    /// Columns of the mark in the text, and in the line of which it is a part; `None` for whole lines.
    columns: Option<[usize; 2]>,
}

impl<'t> Part<'t> {
    fn around(text: &'t str, range: &Range<usize>) -> Self {
        let start = char_at_or_before(text, range.start);
        let end = char_at_or_before(text, range.end.max(start));
        let (line, column) = position(text, start);
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
        if last - first <= BEFORE + BEHIND {
            let range = start - first..end - first;
            return Self { text: text[first..last].into(), range, line, columns: None };
        }
        let from = first.max(char_at_or_before(text, start.saturating_sub(BEFORE)));
        let to = last.min(char_at_or_before(text, start + BEHIND));
        let cut = if from > first { "... " } else { "" };
        let rest = if to < last { " ..." } else { "" };
        let begin = start - from + cut.len();
        let marked = begin..(end.min(to) - from + cut.len()).max(begin);
        let text = format!("{cut}{}{rest}", &text[from..to]);
        let (_, shown) = position(&text, begin);
        Self { text: text.into(), range: marked, line, columns: Some([shown, column]) }
    }
}

/// Returns the nearest beginning of a character at a byte or before it.
fn char_at_or_before(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    (0..=byte).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
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
