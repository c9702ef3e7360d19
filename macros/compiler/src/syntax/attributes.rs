//! Doc comments, and the attributes that choose the back end of a model.

use proc_macro2::{Delimiter, Group, TokenTree};

use super::back_end::BackEnd;
use crate::diagnostic::{Diagnostics, Place};
use crate::tokens::{Tokens, place_of_group, unwrapped};

/// The doc comment before an item.
#[derive(Default)]
pub struct Documentation {
    /// Text of the comment, with one leading space less per line.
    pub lines: Vec<String>,
    place: Option<Place>,
    back_end: Option<(BackEnd, Place)>,
}

impl Documentation {
    /// Reports a doc comment before an item that cannot have one.
    pub fn refuse(self, what: &str, diagnostics: &mut Diagnostics) {
        if let Some(place) = self.place {
            diagnostics.error(place, format!("{what} has no doc comment; write `//` for a remark"));
        }
    }
}

/// Reads the doc comments before an item; attributes are errors.
pub fn documentation(tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Documentation {
    let documentation = attributes(tokens, diagnostics);
    if let Some((_, place)) = documentation.back_end {
        diagnostics.error(place, "a back end is that of a whole model; write this before the model");
    }
    documentation
}

/// Reads the doc comments before a model, and the attribute that chooses its back end.
pub fn of_model(tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> (Vec<String>, Option<(BackEnd, Place)>) {
    let Documentation { lines, back_end, .. } = attributes(tokens, diagnostics);
    (lines, back_end)
}

/// Reads doc comments and back ends; other attributes are errors.
fn attributes(tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Documentation {
    let mut documentation = Documentation::default();
    while let Some(hash) = tokens.take_operator("#") {
        let inner = tokens.take_operator("!").is_some();
        let Some(group) = tokens.take_group(Delimiter::Bracket) else {
            diagnostics.error(hash, "stray `#`; write `//` for a remark");
            continue;
        };
        let place = hash.to(place_of_group(&group));
        match comment(&group) {
            Some(_) if inner => {
                diagnostics.error(place, "a `//!` comment has no place in a model; write `///`");
            }
            Some(text) => {
                documentation.place = Some(documentation.place.map_or(place, |first| first.to(place)));
                let lines = text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned());
                documentation.lines.extend(lines);
                if text.is_empty() {
                    documentation.lines.push(String::new());
                }
            }
            None => match BackEnd::of_attribute(&group) {
                Some(back_end) if inner => {
                    let word = format!("{back_end:?}").to_lowercase();
                    diagnostics.error(place, format!("the back end stands before the model; write `#[{word}]` there"));
                }
                Some(_) if documentation.back_end.is_some() => {
                    diagnostics.error(place, "a model has one back end; leave this one or the other out");
                }
                Some(back_end) => documentation.back_end = Some((back_end, place)),
                None => {
                    let message = "a model has no attributes but doc comments, `#[interpreted]` and `#[compiled]`; \
                                   leave this out";
                    diagnostics.error(place, message);
                }
            },
        }
    }
    documentation
}

/// Returns the text of `doc = "text"`.
fn comment(attribute: &Group) -> Option<String> {
    let mut trees = attribute.stream().into_iter().map(unwrapped);
    match (trees.next()?, trees.next()?, trees.next()?, trees.next()) {
        (TokenTree::Ident(word), TokenTree::Punct(equals), text @ TokenTree::Literal(_), None)
            if word == "doc" && equals.as_char() == '=' =>
        {
            syn::parse2::<syn::LitStr>(text.into()).ok().map(|text| text.value())
        }
        _ => None,
    }
}
