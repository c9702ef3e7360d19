//! The syntax of the entries of each block.

use proc_macro2::{Delimiter, TokenTree};

use super::ast::{
    ConstraintSyntax, DeclarationSyntax, Expr, ForceSyntax, InitialEntry, InitialSyntax, MassSyntax, NameSyntax,
    OutputSyntax, ParameterSyntax,
};
use super::entries::{EntrySyntax, Unreadable, declared};
use super::expression::expression;
use super::names::{declared_name, name};
use super::punctuation::{colon, equals};
use crate::tokens::{Parsed, Tokens};
use crate::units::Unit;

impl EntrySyntax for ParameterSyntax {
    const WHAT: &'static str = "a parameter";
    const DOCUMENTED: bool = true;
    const USES_LET: bool = false;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = declared_name(tokens, Self::WHAT)?;
        let unit = Unit::unreadable(name.ident.span().into());
        declared(ParameterSyntax { documentation, name, unit, default: None }, |parameter| {
            colon(tokens, "a parameter has a unit, e.g. `l: m = 0.5`, or `1` where it is a plain number")?;
            parameter.unit = Unit::parse(tokens)?;
            if equals(tokens)? {
                parameter.default = Some(expression(tokens)?);
            }
            Ok(())
        })
    }
}

impl EntrySyntax for DeclarationSyntax {
    const WHAT: &'static str = "a name";
    const DOCUMENTED: bool = true;
    const USES_LET: bool = false;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = declared_name(tokens, Self::WHAT)?;
        let unit = Unit::unreadable(name.ident.span().into());
        declared(DeclarationSyntax { documentation, name, unit }, |declaration| {
            colon(tokens, "a name has a unit, e.g. `x: m`, or `1` where it is a plain number")?;
            declaration.unit = Unit::parse(tokens)?;
            if tokens.at("=") {
                let message = "only parameters have a default value; initial values stand in `initial { x = ... }`";
                return Err(tokens.error(message));
            }
            Ok(())
        })
    }
}

impl EntrySyntax for MassSyntax {
    const WHAT: &'static str = "a mass";
    const DOCUMENTED: bool = false;

    fn parse(_: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let (row, column) = mass_names(tokens)?;
        colon(tokens, "write `x: mass` or `(x, y): mass`")?;
        Ok(MassSyntax { row, column, value: expression(tokens)? })
    }
}

/// Reads `x` or `(x, y)`.
fn mass_names(tokens: &mut Tokens) -> Parsed<(NameSyntax, Option<NameSyntax>)> {
    let what = "a coordinate";
    let Some(group) = tokens.take_group(Delimiter::Parenthesis) else {
        return Ok((name(tokens, what)?, None));
    };
    let mut inner = tokens.inside(&group);
    let row = name(&mut inner, what)?;
    if inner.take_operator(",").is_none() {
        let message = format!("expected `,` before {}; a pair is written `(x, y): mass`", inner.found());
        return Err(inner.error(message));
    }
    let column = name(&mut inner, what)?;
    inner.take_operator(",");
    if !inner.is_empty() {
        let message = format!("expected `)` before {}; a pair is written `(x, y): mass`", inner.found());
        return Err(inner.error(message));
    }
    Ok((row, Some(column)))
}

impl EntrySyntax for ForceSyntax {
    const WHAT: &'static str = "a force";
    const DOCUMENTED: bool = false;

    fn parse(_: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let coordinate = name(tokens, "a coordinate")?;
        colon(tokens, "write `x: force`")?;
        Ok(ForceSyntax { coordinate, value: expression(tokens)? })
    }
}

impl EntrySyntax for ConstraintSyntax {
    const WHAT: &'static str = "a constraint";
    const DOCUMENTED: bool = true;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = declared_name(tokens, "the name of a constraint")?;
        // Without a colon this is an expression whose name was forgotten.
        colon(tokens, "a constraint has a name and is zero, e.g. `joint: x1 - x2`")?;
        let value = Expr::unreadable(name.ident.span().into());
        declared(ConstraintSyntax { documentation, name, value }, |constraint| {
            constraint.value = expression(tokens)?;
            Ok(())
        })
    }
}

impl EntrySyntax for OutputSyntax {
    const WHAT: &'static str = "an output";
    const DOCUMENTED: bool = true;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = declared_name(tokens, Self::WHAT)?;
        let place = name.ident.span().into();
        let (unit, value) = (Unit::unreadable(place), Expr::unreadable(place));
        declared(OutputSyntax { documentation, name, unit, value }, |output| {
            colon(tokens, "an output has a unit and a value, e.g. `position: m = x`")?;
            output.unit = Unit::parse(tokens)?;
            if !equals(tokens)? {
                let message =
                    format!("expected `=` before {}; an output has a value, e.g. `position: m = x`", tokens.found());
                return Err(tokens.error(message));
            }
            output.value = expression(tokens)?;
            Ok(())
        })
    }
}

impl EntrySyntax for InitialEntry {
    const WHAT: &'static str = "an initial value";
    const DOCUMENTED: bool = false;

    fn parse(_: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        if tokens.at_word("ddot") && tokens.at_group_ahead(1, Delimiter::Parenthesis) {
            let message = "accelerations follow from the equations; only `x = ...` and `dot(x) = ...` are set";
            return Err(tokens.error(message).into());
        }
        if at_equilibrium(tokens) {
            let place = tokens.place();
            tokens.take();
            if !tokens.is_empty() && !tokens.at(",") {
                let message = format!("expected `,` before {}; entries are separated by commas", tokens.found());
                return Err(tokens.error(message).into());
            }
            return Ok(InitialEntry::Equilibrium(place));
        }
        if tokens.at_word("held") && tokens.at_group_ahead(1, Delimiter::Parenthesis) {
            return Ok(InitialEntry::Held(held(tokens)?));
        }
        let (coordinate, velocity) = initial_name(tokens)?;
        if velocity && tokens.at("~") {
            let message = "only positions are searched for, near a value; write `dot(x) = value`";
            return Err(tokens.error(message).into());
        }
        let near = tokens.take_operator("~").is_some();
        if !near && !equals(tokens)? {
            let remedy = "write `x = value` or `dot(x) = value`";
            return Err(tokens.error(format!("expected `=` before {}; {remedy}", tokens.found())).into());
        }
        let value = InitialSyntax { coordinate, velocity, near, value: expression(tokens)? };
        Ok(InitialEntry::Value(Box::new(value)))
    }
}

/// Returns true at the word `equilibrium` that stands alone; with a value after it, it is the name of a coordinate.
fn at_equilibrium(tokens: &Tokens) -> bool {
    let ends = |next: &TokenTree| match next {
        TokenTree::Punct(mark) => mark.as_char() == ',',
        TokenTree::Ident(_) => true,
        _ => false,
    };
    tokens.at_word("equilibrium") && tokens.peek_ahead(1).is_none_or(ends)
}

/// Reads `held(x, y)`.
fn held(tokens: &mut Tokens) -> Parsed<Vec<NameSyntax>> {
    tokens.take();
    let Some(group) = tokens.take_group(Delimiter::Parenthesis) else {
        return Err(tokens.error("expected `(` after `held`"));
    };
    let mut inner = tokens.inside(&group);
    let mut names = Vec::new();
    while names.is_empty() || !inner.is_empty() {
        names.push(name(&mut inner, "a coordinate")?);
        if !inner.is_empty() && inner.take_operator(",").is_none() {
            let message = format!(
                "expected `,` before {}; coordinates that keep their values are written `held(x, y)`",
                inner.found()
            );
            return Err(inner.error(message));
        }
    }
    Ok(names)
}

/// Reads `x` or `dot(x)`.
fn initial_name(tokens: &mut Tokens) -> Parsed<(NameSyntax, bool)> {
    let what = "a coordinate";
    let velocity = tokens.at_word("dot") && tokens.at_group_ahead(1, Delimiter::Parenthesis);
    if !velocity {
        return Ok((name(tokens, what)?, false));
    }
    tokens.take();
    let Some(group) = tokens.take_group(Delimiter::Parenthesis) else {
        return Err(tokens.error("expected `(` after `dot`"));
    };
    let mut inner = tokens.inside(&group);
    let coordinate = name(&mut inner, what)?;
    if !inner.is_empty() {
        let message = format!("expected `)` before {}; a velocity is written `dot(x)`", inner.found());
        return Err(inner.error(message));
    }
    Ok((coordinate, true))
}
