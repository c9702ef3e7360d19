//! Components: their definition and their use.

use proc_macro2::{Delimiter, Ident, TokenTree};

use super::ast::{BindingSyntax, ComponentSyntax, InstanceSyntax};
use super::attributes::Documentation;
use super::blocks::{colon, equals};
use super::entries::{EntrySyntax, Unreadable, entries, record, with_errors};
use super::expression::expression;
use super::names::{declared_name, name, new_name};
use super::parse::{Owner, items};
use super::tokens::{Parsed, Tokens};
use crate::diagnostic::Diagnostics;

/// Whether `component Name {` stands here.
pub fn at_component(tokens: &Tokens) -> bool {
    tokens.at_word("component") && with_name(tokens)
}

/// Whether a word is followed by a name and braces.
pub fn with_name(tokens: &Tokens) -> bool {
    matches!(tokens.peek_ahead(1), Some(TokenTree::Ident(_))) && tokens.at_group_ahead(2, Delimiter::Brace)
}

/// `component Name { blocks }`, from its first word on. Without a name it is read for its errors.
pub fn component(
    documentation: Documentation,
    owner: &Owner,
    tokens: &mut Tokens,
    diagnostics: &mut Diagnostics,
) -> Option<ComponentSyntax> {
    let place = tokens.skip(1);
    let name = component_name(tokens).map_err(|error| record(error, diagnostics)).ok();
    if name.is_none() && !tokens.at_group(Delimiter::Brace) {
        tokens.take();
    }
    let Some(group) = tokens.take_group(Delimiter::Brace) else {
        if let Some(name) = &name {
            let message =
                format!("expected `{{` before {}; write `component {name} {{ ... }}`", tokens.found());
            diagnostics.error(tokens.place(), message);
        }
        return None;
    };
    if let Owner::Component(outer) = owner {
        let message = format!("a component is not defined inside another one; define it beside `{outer}`");
        diagnostics.error(place, message);
        return None;
    }
    let owner = Owner::Component(name.clone().unwrap_or_else(|| Ident::new("_", place.first)));
    let items = items(&owner, &mut tokens.inside(&group), diagnostics);
    Some(ComponentSyntax { documentation: documentation.lines, name: name?, items })
}

fn component_name(tokens: &mut Tokens) -> Parsed<Ident> {
    if tokens.ident().is_none() {
        let message = format!(
            "expected the name of the component, found {}; write `component Name {{ ... }}`",
            tokens.found()
        );
        return Err(tokens.error(message));
    }
    new_name(tokens, "the name of the component")
}

impl EntrySyntax for InstanceSyntax {
    const WHAT: &'static str = "a component";
    const DOCUMENTED: bool = true;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = declared_name(tokens, "a name")?;
        colon(tokens, "write `name: Component { ... }`")?;
        let component = new_name(tokens, "the name of a component")?;
        let Some(group) = tokens.take_group(Delimiter::Brace) else {
            let elsewhere = match tokens.at_group(Delimiter::Parenthesis) {
                true => ", or a joint in the block `joints` and an element in the block `elements`",
                false => "",
            };
            let message = format!(
                "expected `{{` before {}; write `{}: {component} {{ ... }}`{elsewhere}",
                tokens.found(),
                name.ident
            );
            return Err(tokens.error(message).into());
        };
        let mut diagnostics = Diagnostics::default();
        let bindings = entries(&mut tokens.inside(&group), &mut diagnostics);
        with_errors(InstanceSyntax { documentation, name, component, bindings }, diagnostics)
    }
}

impl EntrySyntax for BindingSyntax {
    const WHAT: &'static str = "a binding";
    const DOCUMENTED: bool = false;

    fn parse(_: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = name(tokens, "a connection, a parameter or an input of the component")?;
        if let Some(member) = name.members.first() {
            let message = format!(
                "only the component's own names are bound; bind `{}` in the component, to a parameter of it",
                member.ident
            );
            let place = name.place;
            return Err(crate::diagnostic::Diagnostic { message, place }.into());
        }
        value_follows(tokens)?;
        Ok(BindingSyntax { name, value: expression(tokens)? })
    }
}

fn value_follows(tokens: &mut Tokens) -> Parsed<()> {
    if equals(tokens)? {
        return Ok(());
    }
    let message = format!("expected `=` before {}; write `name = value`", tokens.found());
    Err(tokens.error(message))
}
