//! Punctuation between names and values.

use super::operators;
use crate::diagnostic::Diagnostic;
use crate::tokens::{Parsed, Tokens};

/// Takes the `:` after a name.
pub fn colon(tokens: &mut Tokens, remedy: &str) -> Parsed<()> {
    if !tokens.at("::") && tokens.take_operator(":").is_some() {
        return Ok(());
    }
    Err(tokens.error(format!("expected `:` before {}; {remedy}", tokens.found())))
}

/// Takes the `=` before a value, if there is one.
pub fn equals(tokens: &mut Tokens) -> Parsed<bool> {
    if tokens.at("==") {
        let message = "`==` compares; write a single `=` before a value".to_owned();
        return Err(Diagnostic { message, place: tokens.place_of_next(2) });
    }
    Ok(tokens.take_operator("=").is_some())
}

/// Takes the `,` after a part, unless the part is the last one. For other tokens, reports that `end` was expected.
pub fn comma(tokens: &mut Tokens, end: &str) -> Parsed<()> {
    if tokens.is_empty() || tokens.take_operator(",").is_some() {
        return Ok(());
    }
    Err(operators::no_operator(tokens, end))
}
