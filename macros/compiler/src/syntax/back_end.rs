//! The back end of a model: code that is compiled with its crate, or a program that is read from the model's text while
//! the crate runs.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::tokens::unwrapped;

/// The back end, which executes the functions of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackEnd {
    /// `#[compiled]`: Rust, which is compiled with the crate of the model.
    Compiled,
    /// `#[interpreted]`: tapes, which are made of the model's text when the model is first used.
    Interpreted,
}

impl BackEnd {
    /// Returns the back end that an attribute names.
    pub fn of_attribute(attribute: &Group) -> Option<Self> {
        match &*attribute.stream().into_iter().map(unwrapped).collect::<Vec<_>>() {
            [TokenTree::Ident(word)] if word == "interpreted" => Some(Self::Interpreted),
            [TokenTree::Ident(word)] if word == "compiled" => Some(Self::Compiled),
            _ => None,
        }
    }
}

/// Returns a text with these tokens. A fragment that another macro has inserted as one is in parentheses, which is what
/// it means in an expression.
pub fn text(tokens: TokenStream) -> String {
    visible(tokens).to_string()
}

fn visible(tokens: TokenStream) -> TokenStream {
    let trees = tokens.into_iter().map(|tree| match unwrapped(tree) {
        TokenTree::Group(group) => {
            let delimiter = match group.delimiter() {
                Delimiter::None => Delimiter::Parenthesis,
                visible => visible,
            };
            TokenTree::Group(Group::new(delimiter, visible(group.stream())))
        }
        other => other,
    });
    trees.collect()
}
