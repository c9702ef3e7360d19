//! Variants after a model: `pub Name = Model(argument = value, ...);`

use proc_macro2::{Delimiter, Ident, TokenTree};
use syn::ext::IdentExt;

use costate_contract::nearest::nearest;

use super::ast::{ArgumentDefault, ArgumentSyntax, Expr, ModelSyntax, VariantSyntax};
use super::attributes::documentation;
use super::entries::record;
use super::expression::expression;
use super::identifiers::{model_name, new_name};
use super::operators;
use super::visibility::visibility;
use crate::diagnostic::Diagnostics;
use crate::tokens::{Parsed, Tokens};

const EXAMPLE: &str = "write e.g. `pub Name = Model(size = 6);`";

/// Reads variants of `model` to the end of the block.
pub fn variants(model: &ModelSyntax, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Vec<VariantSyntax> {
    let mut variants: Vec<VariantSyntax> = Vec::new();
    tokens.parts(|tokens| {
        if !at_variant(tokens) {
            let message = "the model ends with its closing brace; write a `model!` of its own for another model";
            diagnostics.error(tokens.place(), message);
            tokens.skip_all();
            return;
        }
        match variant(tokens, diagnostics) {
            Ok(variant) => {
                check(&variant, model, &variants, diagnostics);
                variants.push(variant);
            }
            Err(error) => {
                record(error, diagnostics);
                tokens.skip_behind(";");
            }
        }
    });
    variants
}

/// Checks whether a name and `=` follow, after documentation and visibility.
fn at_variant(tokens: &Tokens) -> bool {
    let mut ahead = 0;
    while tokens.at_ahead(ahead, "#") && tokens.at_group_ahead(ahead + 1, Delimiter::Bracket) {
        ahead += 2;
    }
    if matches!(tokens.peek_ahead(ahead), Some(TokenTree::Ident(word)) if word == "pub") {
        ahead += 1 + usize::from(tokens.at_group_ahead(ahead + 1, Delimiter::Parenthesis));
    }
    matches!(tokens.peek_ahead(ahead), Some(TokenTree::Ident(_))) && tokens.at_ahead(ahead + 1, "=")
}

fn variant(tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Parsed<VariantSyntax> {
    let documentation = documentation(tokens, diagnostics).lines;
    let visibility = visibility(tokens, diagnostics);
    let name = model_name(tokens, "the name of a variant")?;
    tokens.take_operator("=");
    let of = new_name(tokens, "the name of the model")?;
    let Some(group) = tokens.take_group(Delimiter::Parenthesis) else {
        let found = tokens.found();
        return Err(tokens.error(format!("expected `(` before {found}; {EXAMPLE}")));
    };
    let values = values(&mut tokens.inside(&group))?;
    if tokens.take_operator(";").is_none() {
        let found = tokens.found();
        return Err(tokens.error(format!("expected `;` before {found}; {EXAMPLE}")));
    }
    Ok(VariantSyntax { documentation, visibility, name, of, values })
}

fn values(tokens: &mut Tokens) -> Parsed<Vec<(Ident, Expr)>> {
    let mut values = Vec::new();
    while !tokens.is_empty() {
        let name = new_name(tokens, "a structural argument")?;
        if tokens.at("==") || tokens.take_operator("=").is_none() {
            let found = tokens.found();
            return Err(tokens.error(format!("expected `=` before {found}; {EXAMPLE}")));
        }
        values.push((name, expression(tokens)?));
        if !tokens.is_empty() && tokens.take_operator(",").is_none() {
            return Err(operators::no_operator(tokens, "`,`"));
        }
    }
    Ok(values)
}

/// Checks that a variant has a name of its own, belongs to the model above, and gives values to arguments of that
/// model.
fn check(variant: &VariantSyntax, model: &ModelSyntax, others: &[VariantSyntax], diagnostics: &mut Diagnostics) {
    let mut names = others.iter().map(|other| &other.name).chain([&model.name]);
    if names.any(|name| *name == variant.name) {
        let message = format!("`{}` is the name of another model; choose another name", variant.name);
        diagnostics.error(variant.name.span(), message);
    }
    let names = others.iter().map(|other| &other.name).chain([&model.name]);
    let own = variant.name.to_string();
    for other in names.map(Ident::to_string) {
        if own == format!("{other}Constants") || other == format!("{own}Constants") {
            let message = format!(
                "the constants of a run of one model have the name of the other, `{own}` and `{other}`; choose \
                     another name"
            );
            diagnostics.error(variant.name.span(), message);
        }
    }
    if variant.of != model.name {
        let message = format!("a variant is one of the model above; write `{} = {}(...)`", variant.name, model.name);
        diagnostics.error(variant.of.span(), message);
        return;
    }
    for (i, (name, _)) in variant.values.iter().enumerate() {
        if variant.values[..i].iter().any(|(earlier, _)| earlier == name) {
            diagnostics.error(name.span(), format!("`{name}` has two values; keep one of them"));
        }
        if let Some(message) = unknown(&name.to_string(), model) {
            diagnostics.error(name.span(), message);
        }
    }
}

/// Returns the message for an argument `name` that `model` does not have; `None` if it has such a structural
/// argument.
pub fn unknown(name: &str, model: &ModelSyntax) -> Option<String> {
    let known: Vec<String> = model.arguments.iter().map(|argument| argument.name.unraw().to_string()).collect();
    if known.iter().any(|argument| argument == name) {
        return None;
    }
    let remedy = match nearest(name, known.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if known.is_empty() => "it has none".to_owned(),
        None => format!("it has `{}`", known.join("`, `")),
    };
    Some(format!("the model `{}` has no structural argument `{name}`; {remedy}", model.name))
}

impl ModelSyntax {
    /// Returns the model and its variants, each as a model of its own.
    pub fn into_models(mut self) -> Vec<ModelSyntax> {
        let variants = std::mem::take(&mut self.variants);
        let mut models = vec![self];
        for variant in variants {
            // A variant with the name of another model has been reported.
            if models.iter().any(|model: &ModelSyntax| model.name == variant.name) {
                continue;
            }
            let mut model = models[0].clone();
            if !variant.documentation.is_empty() {
                model.documentation = variant.documentation;
            }
            (model.visibility, model.name) = (variant.visibility, variant.name);
            for (name, value) in variant.values {
                let argument = model.arguments.iter_mut().find(|argument| argument.name == name);
                if let Some(ArgumentSyntax { default, .. }) = argument {
                    *default = ArgumentDefault::Written(Box::new(value));
                }
            }
            models.push(model);
        }
        models
    }
}
