//! Errors in a model: each at the user's own token, with what to write instead; all of them at once.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// The tokens that something was written with, from the first to the last.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The first token.
    pub first: Span,
    /// The last token.
    pub last: Span,
}

impl Place {
    /// From the first token of `self` to the last of `other`.
    pub fn to(self, other: Place) -> Place {
        Place { first: self.first, last: other.last }
    }
}

impl From<Span> for Place {
    fn from(span: Span) -> Place {
        Place { first: span, last: span }
    }
}

/// One error.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// What is wrong, and after a semicolon what to write instead.
    pub message: String,
    /// Where.
    pub place: Place,
}

impl Diagnostic {
    /// Line and column of the first token, both counted from 1.
    pub fn position(&self) -> (usize, usize) {
        let start = self.place.first.start();
        (start.line, start.column + 1)
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (line, column) = self.position();
        write!(f, "{line}:{column}: {}", self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// Collected errors of one model.
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Records an error. `message`: what is wrong, and after a semicolon what to write instead.
    /// The same message at the same place is kept once: repetitions of a loop share their mistakes.
    pub fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        let new = Diagnostic { message: message.into(), place: place.into() };
        let known =
            self.errors.iter().any(|old| old.message == new.message && old.position() == new.position());
        if !known {
            self.errors.push(new);
        }
    }

    /// Number of errors.
    pub fn len(&self) -> usize {
        self.errors.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The errors in the order of their occurrence.
    pub fn into_errors(self) -> Vec<Diagnostic> {
        self.errors
    }
}

/// One `compile_error!` per error, each at its own place.
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
