//! Bodies with their properties, joints and elements with their arguments, gravity.

use proc_macro2::{Delimiter, TokenTree};

use super::ast::{BodySyntax, GravitySyntax, OptionSyntax, PartSyntax};
use super::entries::{EntrySyntax, Unreadable, declared};
use super::expression::expression;
use super::identifiers::new_name;
use super::names::declared_name;
use super::punctuation::{colon, comma, equals};
use super::shapes::shapes;
use crate::diagnostic::{Diagnostic, Place};
use crate::tokens::{Parsed, Tokens, place_of_group};

impl EntrySyntax for BodySyntax {
    const WHAT: &'static str = "a body";
    const DOCUMENTED: bool = true;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        const REMEDY: &str = "write e.g. `rod: planar { mass: m, inertia: j }`";
        let name = declared_name(tokens, Self::WHAT)?;
        colon(tokens, REMEDY)?;
        let kind = new_name(tokens, "`planar` or `spatial`")?;
        let Some(group) = tokens.take_group(Delimiter::Brace) else {
            let elsewhere = match tokens.at_group(Delimiter::Parenthesis) {
                true => ", or a joint in the block `joints` and an element in the block `elements`",
                false => "",
            };
            let message = format!("expected `{{` before {}; {REMEDY}{elsewhere}", tokens.found());
            return Err(tokens.error(message).into());
        };
        declared(BodySyntax { documentation, name, kind, properties: Vec::new(), shapes: Vec::new() }, |body| {
            let mut inner = tokens.inside(&group);
            while !inner.is_empty() {
                let name = new_name(&mut inner, "a property")?;
                if inner.at("=") {
                    let message = format!("expected `:` before `=`; write `{name}: value`");
                    return Err(inner.error(message));
                }
                colon(&mut inner, &format!("write `{name}: value`"))?;
                if name != "shape" {
                    body.properties.push(OptionSyntax { name, value: expression(&mut inner)? });
                } else if body.shapes.is_empty() {
                    body.shapes = shapes(&mut inner)?;
                } else {
                    let message = "`shape` is given twice; write several as a list, `shape: [box(a, b, c), sphere(r)]`";
                    return Err(Diagnostic { message: message.to_owned(), place: name.span().into() });
                }
                comma(&mut inner, "`}`")?;
            }
            Ok(())
        })
    }
}

impl EntrySyntax for GravitySyntax {
    const WHAT: &'static str = "gravity";
    const DOCUMENTED: bool = false;

    fn parse(_: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        Ok(GravitySyntax { value: expression(tokens)? })
    }
}

impl EntrySyntax for PartSyntax {
    const WHAT: &'static str = "a joint or an element";
    const DOCUMENTED: bool = true;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = declared_name(tokens, Self::WHAT)?;
        colon(tokens, "write e.g. `pin: revolute(ground, rod)`")?;
        let kind = new_name(tokens, "the kind of joint or element")?;
        let Some(group) = tokens.take_group(Delimiter::Parenthesis) else {
            let elsewhere = match tokens.at_group(Delimiter::Brace) {
                true => ", or a body in the block `bodies` and a component in the block `components`",
                false => "",
            };
            let message = format!("expected `(` before {}; write `{kind}(...)`{elsewhere}", tokens.found());
            return Err(tokens.error(message).into());
        };
        let place = Place::from(kind.span()).to(place_of_group(&group));
        let part = PartSyntax { documentation, name, kind, arguments: Vec::new(), options: Vec::new(), place };
        declared(part, |part| arguments(part, &mut tokens.inside(&group)))
    }
}

/// `first, second, option = value`.
fn arguments(part: &mut PartSyntax, inner: &mut Tokens) -> Parsed<()> {
    while !inner.is_empty() {
        let word = matches!(inner.peek(), Some(TokenTree::Ident(_)));
        if word && inner.at_ahead(1, ":") && !inner.at_ahead(1, "::") {
            let name = new_name(inner, "the name of an option")?;
            return Err(inner.error(format!("expected `=` before `:`; write `{name} = ...`")));
        }
        if word && inner.at_ahead(1, "=") && !inner.at_ahead(1, "==") {
            let name = new_name(inner, "the name of an option")?;
            equals(inner)?;
            part.options.push(OptionSyntax { name, value: expression(inner)? });
        } else {
            let place = inner.place();
            part.arguments.push(expression(inner)?);
            if !part.options.is_empty() {
                let message = "what has no name stands before what has one; write it first".to_owned();
                return Err(Diagnostic { message, place });
            }
        }
        comma(inner, "`,`")?;
    }
    Ok(())
}
