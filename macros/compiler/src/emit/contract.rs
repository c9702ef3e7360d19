//! The words that emitted code has in common with the compiler.

use proc_macro2::{Ident, Span};

/// The variant of an enum that emitted code has in common with the compiler.
pub fn variant(word: impl std::fmt::Debug) -> Ident {
    Ident::new(&format!("{word:?}"), Span::call_site())
}
