//! A whole model: what stands before its braces, its blocks, and its variants.

use proc_macro2::{Delimiter, TokenStream};

use super::arguments::arguments;
use super::ast::ModelSyntax;
use super::attributes::of_model;
use super::entries::record;
use super::identifiers::model_name;
use super::items::{Owner, at_block, items};
use super::variants::variants;
use super::visibility::visibility;
use crate::diagnostic::Diagnostics;
use crate::tokens::Tokens;

/// Reads a model. All errors are recorded; without a name there is no model.
pub fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<ModelSyntax> {
    let all = tokens.clone();
    let mut tokens = Tokens::new(tokens);
    if tokens.is_empty() {
        diagnostics.error(tokens.place(), "the model is empty; write `Name { parameters { ... } ... }`");
        return None;
    }
    let (documentation, back_end) = of_model(&mut tokens, diagnostics);
    let visibility = visibility(&mut tokens, diagnostics);
    if at_block(&tokens) {
        // Not a model that is called `parameters`.
        let message = format!("expected the name of the model before {}; write `Name {{ ... }}`", tokens.found());
        diagnostics.error(tokens.place(), message);
        return None;
    }
    if tokens.at_word("struct") {
        diagnostics.error(tokens.place(), "a model has no keyword in front; write `Name { ... }`");
        tokens.take();
    }
    let name = model_name(&mut tokens, "the name of the model");
    let name = name.map_err(|error| record(error, diagnostics)).ok();
    let arguments = match tokens.take_group(Delimiter::Parenthesis) {
        Some(group) if name.is_some() => arguments(&mut tokens.inside(&group), diagnostics),
        _ => Vec::new(),
    };
    if name.is_some() && !tokens.at_group(Delimiter::Brace) {
        let message = format!("expected `{{` before {}; write `Name {{ parameters {{ ... }} ... }}`", tokens.found());
        diagnostics.error(tokens.place(), message);
    }
    // What stands before the braces has been reported; the blocks inside have errors of their own.
    while !tokens.is_empty() && !tokens.at_group(Delimiter::Brace) {
        tokens.take();
    }
    let body = tokens.take_group(Delimiter::Brace);
    let items = body.map(|body| items(&Owner::Model, &mut tokens.inside(&body), diagnostics)).unwrap_or_default();
    let mut model = ModelSyntax {
        documentation,
        back_end,
        tokens: all,
        visibility,
        name: name?,
        arguments,
        items,
        variants: Vec::new(),
    };
    model.variants = variants(&model, &mut tokens, diagnostics);
    Some(model)
}
