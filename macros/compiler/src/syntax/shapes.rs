//! Shapes of bodies: `shape: box(a, b, c).at(x, y, z)`, or a list of such solids.

use proc_macro2::{Delimiter, Ident, TokenTree};

use super::ast::{OptionSyntax, ShapeSyntax};
use super::expression::expression;
use super::identifiers::new_name;
use super::names::{at_transform, transforms};
use super::punctuation::{comma, equals};
use crate::diagnostic::{Diagnostic, Place};
use crate::tokens::{Parsed, Tokens, place_of_group};

const EXAMPLE: &str = "write e.g. `shape: box(a, b, c)`";

/// Reads one solid, or several in brackets.
pub fn shapes(tokens: &mut Tokens) -> Parsed<Vec<ShapeSyntax>> {
    let Some(group) = tokens.take_group(Delimiter::Bracket) else {
        return Ok(vec![shape(tokens)?]);
    };
    let mut inner = tokens.inside(&group);
    let mut shapes = Vec::new();
    while !inner.is_empty() {
        shapes.push(shape(&mut inner)?);
        comma(&mut inner, "`]`")?;
    }
    if shapes.is_empty() {
        let message = format!("the list of shapes is empty; {EXAMPLE}, or leave `shape` out");
        return Err(Diagnostic { message, place: place_of_group(&group) });
    }
    Ok(shapes)
}

fn shape(tokens: &mut Tokens) -> Parsed<ShapeSyntax> {
    let kind = kind(tokens)?;
    let Some(group) = tokens.take_group(Delimiter::Parenthesis) else {
        return Err(tokens.error(format!("expected `(` before {}; {EXAMPLE}", tokens.found())));
    };
    let mut place = Place::from(kind.span()).to(place_of_group(&group));
    let mut shape =
        ShapeSyntax { kind, arguments: Vec::new(), options: Vec::new(), file: None, transforms: Vec::new(), place };
    let mut inner = tokens.inside(&group);
    while !inner.is_empty() {
        argument(&mut shape, &mut inner)?;
        comma(&mut inner, "`,`")?;
    }
    if at_transform(tokens) {
        shape.transforms = transforms(&mut place, tokens)?.0;
    }
    Ok(ShapeSyntax { place, ..shape })
}

/// Reads the word of a solid, such as `box`, which is a keyword of Rust but not of the language.
fn kind(tokens: &mut Tokens) -> Parsed<Ident> {
    match tokens.ident().cloned() {
        Some(ident) => {
            tokens.take();
            Ok(ident)
        }
        None => Err(tokens.error(format!("expected a shape, found {}; {EXAMPLE}", tokens.found()))),
    }
}

/// Reads `0.2[m]`, `axis = (1, 0, 0)` or `"hull.stl"`.
fn argument(shape: &mut ShapeSyntax, inner: &mut Tokens) -> Parsed<()> {
    if let Some(TokenTree::Literal(literal)) = inner.peek()
        && let Ok(path) = syn::parse_str::<syn::LitStr>(&literal.to_string())
    {
        let place = inner.place();
        if shape.file.is_some() {
            let message = "a mesh is read from one file; write another `mesh(...)` for the next".to_owned();
            return Err(Diagnostic { message, place });
        }
        shape.file = Some((path.value(), place));
        inner.take();
        return Ok(());
    }
    let word = matches!(inner.peek(), Some(TokenTree::Ident(_)));
    if word && inner.at_ahead(1, "=") && !inner.at_ahead(1, "==") {
        let name = new_name(inner, "the name of an option")?;
        equals(inner)?;
        shape.options.push(OptionSyntax { name, value: expression(inner)? });
    } else {
        shape.arguments.push(expression(inner)?);
    }
    Ok(())
}
