//! Components in use.

use proc_macro2::Delimiter;

use super::ast::{BindingSyntax, ConnectedSyntax, ConnectionSyntax, InstanceSyntax, MirrorSyntax, OfSyntax};
use super::entries::{EntrySyntax, Unreadable, declared, entries, with_errors};
use super::expression::expression;
use super::identifiers::new_name;
use super::names::{declared_name, name};
use super::punctuation::{colon, comma, equals};
use crate::diagnostic::{Diagnostic, Diagnostics, Place};
use crate::tokens::{Parsed, Tokens, place_of_group};
use crate::units::Unit;

impl EntrySyntax for InstanceSyntax {
    const WHAT: &'static str = "a component";
    const DOCUMENTED: bool = true;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = declared_name(tokens, "a name")?;
        colon(tokens, "write `name: Component { ... }`")?;
        let mirror = tokens.at_word("mirror") && tokens.at_group_ahead(1, Delimiter::Parenthesis);
        let component = new_name(tokens, "the name of a component")?;
        let of = if mirror { mirrored(&component, tokens)? } else { OfSyntax::Component(component.clone()) };
        if mirror && !tokens.at_group(Delimiter::Brace) {
            // an image with the bindings of its original
            return Ok(InstanceSyntax { documentation, name, of, bindings: Vec::new() });
        }
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
        with_errors(InstanceSyntax { documentation, name, of, bindings }, diagnostics)
    }
}

/// Reads `(original, normal = (0, 1, 0))` after `mirror`.
fn mirrored(word: &proc_macro2::Ident, tokens: &mut Tokens) -> Parsed<OfSyntax> {
    const REMEDY: &str = "write `mirror(left)`, or `mirror(left, normal = (1, 0, 0))`";
    let Some(group) = tokens.take_group(Delimiter::Parenthesis) else {
        return Err(tokens.error(format!("expected `(` after `mirror`; {REMEDY}")));
    };
    let place = Place::from(word.span()).to(place_of_group(&group));
    let mut inner = tokens.inside(&group);
    if inner.is_empty() {
        let message = format!("a mirror image has an original, a component in use; {REMEDY}");
        return Err(Diagnostic { message, place });
    }
    let original = name(&mut inner, "the name of a component in use")?;
    comma(&mut inner, "`,`")?;
    let mut normal = None;
    if !inner.is_empty() {
        let option = new_name(&mut inner, "`normal`")?;
        if option != "normal" || !inner.at("=") {
            let message = format!("`mirror` has one option, `normal`; {REMEDY}");
            return Err(Diagnostic { message, place: option.span().into() });
        }
        equals(&mut inner)?;
        normal = Some(expression(&mut inner)?);
        comma(&mut inner, "`)`")?;
        if !inner.is_empty() {
            return Err(inner.error(format!("expected `)` before {}; {REMEDY}", inner.found())));
        }
    }
    Ok(OfSyntax::Mirror(Box::new(MirrorSyntax { original, normal, place })))
}

impl EntrySyntax for ConnectionSyntax {
    const WHAT: &'static str = "a name";
    const DOCUMENTED: bool = true;
    const USES_LET: bool = false;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = declared_name(tokens, Self::WHAT)?;
        let to = ConnectedSyntax::Coordinate(Unit::unreadable(name.ident.span().into()));
        declared(ConnectionSyntax { documentation, name, to }, |connection| {
            colon(tokens, "a connection has the unit of its coordinate, or `spatial` or `planar` for a body")?;
            connection.to = if tokens.at_word("spatial") || tokens.at_word("planar") {
                let spatial = tokens.at_word("spatial");
                tokens.take();
                ConnectedSyntax::Body(spatial)
            } else {
                ConnectedSyntax::Coordinate(Unit::parse(tokens)?)
            };
            if tokens.at("=") {
                let message = "a connection has no default; bind it where the component is used";
                return Err(tokens.error(message));
            }
            Ok(())
        })
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
            return Err(Diagnostic { message, place }.into());
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
