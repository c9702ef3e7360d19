//! Diagnostics at lines of a file, in the layout of rustc.

use std::borrow::Cow;
use std::io::IsTerminal;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// A message about bytes of a text, as of a model or of a campaign.
#[derive(Debug)]
pub struct Mark {
    path: PathBuf,
    text: Arc<str>,
    range: Range<usize>,
    kind: Kind,
    message: String,
    /// The field with these bytes, which is shown before the message.
    field: String,
}

impl Mark {
    /// Creates an error about bytes of a text.
    pub fn new(path: &Path, text: impl Into<Arc<str>>, range: Range<usize>, message: impl Into<String>) -> Self {
        let (path, text, message) = (path.to_owned(), text.into(), message.into());
        Self { path, text, range, kind: Kind::Error, message, field: String::new() }
    }

    /// Names the field with these bytes.
    #[must_use]
    pub fn of_field(self, field: String) -> Self {
        Self { field, ..self }
    }

    /// Prints the message with its line and a mark under the bytes.
    pub fn print(&self) {
        let level = match self.kind {
            Kind::Error => Level::ERROR,
            Kind::Warning => Level::WARNING,
            Kind::Note => Level::NOTE,
        };
        let renderer = if std::io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
        let field = if self.field.is_empty() { String::new() } else { format!("`{}`: ", self.field) };
        // the renderer does not remove control characters from its text
        let (path, message) = (self.path.to_string_lossy(), format!("{field}{}", self.message));
        let (path, message) = (plain(&path), plain(&message));
        let part = Part::around(&self.text, &self.range);
        let mark = AnnotationKind::Primary.span(part.range);
        let snippet = Snippet::source(&*part.text).line_start(part.line).path(&*path).annotation(mark);
        let mut rendered = renderer.render(&[level.primary_title(&*message).element(snippet)]);
        if let Some([shown, column]) = part.columns {
            let place = |column: usize| format!("{path}:{}:{column}", part.line);
            rendered = rendered.replacen(&place(shown), &place(column), 1);
        }
        eprintln!("{rendered}\n");
    }

    /// Returns the message as `--json` has it, with line and column from 1.
    pub fn json(&self) -> Value {
        let severity = match self.kind {
            Kind::Error => "error",
            Kind::Warning => "warning",
            Kind::Note => "note",
        };
        let (line, column) = position(&self.text, self.range.start);
        json!({ "severity": severity, "line": line, "column": column, "message": plain(&self.message) })
    }
}

/// Returns the marks of diagnostics of a model.
pub fn marks(file: &ModelFile, kind: Kind, found: &[Diagnostic]) -> Vec<Mark> {
    let text: Arc<str> = file.text().into();
    let mark = |found: &Diagnostic| Mark::new(file.path(), text.clone(), found.range(), &*found.message);
    found.iter().map(|found| Mark { kind, ..mark(found) }).collect()
}

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
        // bytes of a long line before the mark, and from its first byte on
        const BEFORE: usize = 60;
        const AFTER: usize = 140;
        let start = char_at_or_before(text, range.start);
        let end = char_at_or_before(text, range.end.max(start));
        let (line, column) = position(text, start);
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
        if last - first <= BEFORE + AFTER {
            let range = start - first..end - first;
            return Self { text: text[first..last].into(), range, line, columns: None };
        }
        let from = first.max(char_at_or_before(text, start.saturating_sub(BEFORE)));
        let to = last.min(char_at_or_before(text, start + AFTER));
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

/// Returns line and column of a byte, both from 1.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before.get(start..).unwrap_or_default().chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}
