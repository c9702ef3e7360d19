//! Visibility of a model.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::diagnostic::Diagnostics;
use crate::tokens::{Tokens, place_of_group};

/// Reads `pub`, `pub(crate)` or `pub(in path)`.
pub fn visibility(tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> TokenStream {
    let mut visibility = TokenStream::new();
    if tokens.at_word("pub") {
        visibility.extend(tokens.take());
        if let Some(group) = tokens.take_group(Delimiter::Parenthesis) {
            if is_restriction(&mut tokens.inside(&group)) {
                visibility.extend([TokenTree::Group(group)]);
            } else {
                let message =
                    "this is no visibility; write `pub`, `pub(crate)`, `pub(super)` or `pub(in crate::module)`";
                diagnostics.error(place_of_group(&group), message);
            }
        }
    }
    visibility
}

/// Checks whether Rust accepts this in the parentheses of a visibility: `crate`, `self`, `super`, or `in` and a path
/// that starts with one of these.
fn is_restriction(tokens: &mut Tokens) -> bool {
    let is_path = tokens.at_word("in");
    if is_path {
        tokens.take();
    }
    if !["crate", "self", "super"].iter().any(|start| tokens.at_word(start)) {
        return false;
    }
    tokens.take();
    while is_path && tokens.take_operator("::").is_some() {
        if !matches!(tokens.take(), Some(TokenTree::Ident(_))) {
            return false;
        }
    }
    tokens.is_empty()
}
