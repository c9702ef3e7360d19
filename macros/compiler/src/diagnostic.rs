//! Errors and warnings of a model: each at the user's own token, with what to write instead; all of them at once.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// The range of tokens of a part of the text, from the first to the last.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The first token.
    pub first: Span,
    /// The last token.
    pub last: Span,
}

impl Place {
    /// Returns the range from the first token of `self` to the last of `other`.
    pub fn to(self, other: Place) -> Place {
        Place { first: self.first, last: other.last }
    }
}

impl From<Span> for Place {
    fn from(span: Span) -> Place {
        Place { first: span, last: span }
    }
}

/// One error or warning.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The mistake, and after a semicolon what to write instead.
    pub message: String,
    /// The marked tokens.
    pub place: Place,
}

impl Diagnostic {
    /// Returns line and column of the first token, both counted from 1.
    pub fn position(&self) -> (usize, usize) {
        let start = self.place.first.start();
        (start.line, start.column + 1)
    }
}

impl Diagnostic {
    /// Returns the bytes from the first to the last token in the text that was read.
    pub fn range(&self) -> std::ops::Range<usize> {
        let (start, end) = (self.place.first.byte_range().start, self.place.last.byte_range().end);
        start..end.max(start)
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (line, column) = self.position();
        write!(f, "{line}:{column}: {}", self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// Number of errors, warnings or notes of a model that are shown: a reader mends the first ones first, and a message
/// costs the time of looking for names that are meant.
pub const MAX_SHOWN: usize = 50;

/// The first messages of one kind, and the number of those that follow.
#[derive(Debug, Clone, Default)]
pub(crate) struct Messages {
    shown: Vec<Diagnostic>,
    /// Line and column of messages that are not shown.
    beyond: BTreeSet<(usize, usize)>,
    /// Place of the first of them.
    next: Option<Place>,
}

impl Messages {
    /// Adds a message, unless it is known: repetitions of a loop, and the variants of a model, share their mistakes.
    pub fn push(&mut self, new: Diagnostic) {
        if self.shown.len() < MAX_SHOWN {
            push_once(&mut self.shown, new);
        } else if !self.shown.iter().any(|old| old.position() == new.position()) {
            self.beyond.insert(new.position());
            self.next.get_or_insert(new.place);
        }
    }

    fn is_full(&self) -> bool {
        self.shown.len() >= MAX_SHOWN
    }

    fn len(&self) -> usize {
        self.shown.len() + self.beyond.len()
    }

    /// Returns the messages; the last one counts those that are not shown, which are `what`.
    pub fn into_vec(self, what: &str) -> Vec<Diagnostic> {
        let mut all = self.shown;
        if let Some(place) = self.next {
            let (count, s) = (self.beyond.len(), if self.beyond.len() == 1 { "" } else { "s" });
            let message = format!("and {count} more {what}{s} from here on; mend the first {MAX_SHOWN} to see them");
            all.push(Diagnostic { message, place });
        }
        all
    }
}

/// Collected errors and warnings of one model.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    errors: Messages,
    warnings: Messages,
}

impl Diagnostics {
    /// Records an error. `message` names the mistake, and after a semicolon what to write instead. The same message
    /// at the same place is recorded once: repetitions of a loop share their mistakes.
    pub fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.errors.push(Diagnostic { message: message.into(), place: place.into() });
    }

    /// Checks whether the messages of further errors are not shown.
    pub fn is_full(&self) -> bool {
        self.errors.is_full()
    }

    /// Records a warning, with the same form of message.
    pub fn warning(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.warnings.push(Diagnostic { message: message.into(), place: place.into() });
    }

    /// Checks whether a recorded warning begins at the first token of `place`.
    pub fn has_warning_at(&self, place: impl Into<Place>) -> bool {
        let start = place.into().first.start();
        self.warnings.shown.iter().any(|warning| warning.place.first.start() == start)
    }

    /// Drops all errors after the first `len`, and all warnings, because the model is read again.
    pub fn restart(&mut self, len: usize) {
        if len < self.errors.len() {
            self.errors.shown.truncate(len);
            (self.errors.beyond, self.errors.next) = Default::default();
        }
        self.warnings = Messages::default();
    }

    /// Takes the warnings out of the collection.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings).into_vec("warning")
    }

    /// Checks whether an error has been recorded for exactly these tokens.
    pub fn has_error_in(&self, place: Place) -> bool {
        let ends = |place: Place| (place.first.start(), place.last.start());
        self.errors.shown.iter().any(|error| ends(error.place) == ends(place))
    }

    /// Checks whether a recorded error begins at the first token of `place`.
    pub fn has_error_at(&self, place: impl Into<Place>) -> bool {
        let start = place.into().first.start();
        self.errors.shown.iter().any(|error| error.place.first.start() == start)
    }

    /// Number of errors.
    pub fn len(&self) -> usize {
        self.errors.len()
    }

    /// Checks whether there are no errors.
    pub fn is_empty(&self) -> bool {
        self.errors.shown.is_empty()
    }

    /// Returns the errors in the order of their occurrence.
    pub fn into_errors(self) -> Vec<Diagnostic> {
        self.errors.into_vec("error")
    }
}

/// Adds a diagnostic unless the list has it already: the variants of a model share their mistakes.
pub fn push_once(list: &mut Vec<Diagnostic>, new: Diagnostic) {
    let known = list.iter().any(|old| old.message == new.message && old.position() == new.position());
    if !known {
        list.push(new);
    }
}

/// Writes one `compile_error!` per error, each at its own place.
pub fn to_compile_errors(errors: &[Diagnostic]) -> TokenStream {
    errors
        .iter()
        .map(|Diagnostic { message, place }| {
            // The span of the path and of the group mark the first and the last token of the underline.
            let arguments = quote_spanned!(place.last=> { #message });
            quote_spanned!(place.first=> ::core::compile_error! #arguments)
        })
        .collect()
}

/// Writes one warning of rustc per warning, as the use of a deprecated item, which is the only way on stable Rust.
/// `#[allow(deprecated)]` around the model switches the warnings off.
pub fn to_compile_warnings(warnings: &[Diagnostic]) -> TokenStream {
    warnings
        .iter()
        .map(|Diagnostic { message, place }| {
            quote_spanned! {place.first=>
                const _: () = {
                    #[deprecated(note = #message)]
                    #[allow(non_upper_case_globals, dead_code)]
                    const model: () = ();
                    model
                };
            }
        })
        .collect()
}
