//! Declared names, names in use with index and members, and ranges. Indices are expressions, and expressions contain
//! names: this file and `expression` use each other.

use proc_macro2::{Delimiter, Group, Ident, TokenTree};

use super::ast::{
    AttachedSyntax, DeclaredIndex, DeclaredName, Expr, ExprKind, IndexSyntax, MemberSyntax, NameSyntax, RangeSyntax,
    TransformSyntax,
};
use super::expression::expression_and_height;
use super::identifiers::new_name;
use super::punctuation::comma;
use crate::diagnostic::{Diagnostic, Place};
use crate::tokens::{Parsed, Tokens, place_of_group};

/// The words that move and rotate a frame relative to that of its body.
const TRANSFORMS: [&str; 2] = ["at", "rotated"];

/// Reads `x`, `x[1..=4]` or `x[i]`.
pub fn declared_name(tokens: &mut Tokens, what: &str) -> Parsed<DeclaredName> {
    let ident = new_name(tokens, what)?;
    let Some(group) = tokens.take_group(Delimiter::Bracket) else {
        return Ok(DeclaredName { ident, index: None });
    };
    let mut inner = tokens.inside(&group);
    let (first, _) = index_expression(&mut inner)?;
    let index = if inner.at("..") {
        DeclaredIndex::Range(Box::new(range_from(first, &mut inner)?.0))
    } else {
        DeclaredIndex::Single(Box::new(first))
    };
    end_of_index(&inner)?;
    one_index(tokens)?;
    Ok(DeclaredName { ident, index: Some(index) })
}

/// Reads `x`, `x[i + 1]` or `cylinder[i].x`.
pub fn name(tokens: &mut Tokens, what: &str) -> Parsed<NameSyntax> {
    let ident = new_name(tokens, what)?;
    Ok(indexed(ident, tokens)?.0)
}

/// Reads index and members, if there are any, after a name in use; also returns the height of the highest index.
pub fn indexed(ident: Ident, tokens: &mut Tokens) -> Parsed<(NameSyntax, usize)> {
    let mut head = Place::from(ident.span());
    let (index, mut height) = index_in_use(&mut head, tokens)?;
    let mut place = head;
    let (members, below) = members(&mut place, tokens)?;
    height = height.max(below);
    Ok((NameSyntax { ident, index, members, head, place }, height))
}

/// Reads members after points, and extends `place` by them; also returns the height of the highest index.
fn members(place: &mut Place, tokens: &mut Tokens) -> Parsed<(Vec<MemberSyntax>, usize)> {
    let mut members = Vec::new();
    let mut height = 0;
    while at_member(tokens) {
        tokens.take();
        let ident = new_name(tokens, "the name of a member")?;
        let mut member = Place::from(ident.span());
        let (index, below) = index_in_use(&mut member, tokens)?;
        height = height.max(below);
        *place = place.to(member);
        members.push(MemberSyntax { ident, index, place: member });
    }
    Ok((members, height))
}

/// Checks whether `.x` follows, and not `.sin(`.
fn at_member(tokens: &Tokens) -> bool {
    tokens.at(".")
        && !tokens.at("..")
        && matches!(tokens.peek_ahead(1), Some(TokenTree::Ident(_)))
        && !tokens.at_group_ahead(2, Delimiter::Parenthesis)
}

/// Reads the index after a name, and extends `place` by it; also returns the height of the index.
fn index_in_use(place: &mut Place, tokens: &mut Tokens) -> Parsed<(Option<Box<Expr>>, usize)> {
    let Some(group) = tokens.take_group(Delimiter::Bracket) else {
        return Ok((None, 0));
    };
    let mut inner = tokens.inside(&group);
    let (index, height) = index_expression(&mut inner)?;
    if inner.at("..") {
        let message = "a range stands only where a name is declared; repeat the entry with `for i in ...`";
        return Err(inner.error(message));
    }
    end_of_index(&inner)?;
    one_index(tokens)?;
    *place = place.to(place_of_group(&group));
    Ok((Some(Box::new(index)), height))
}

fn index_expression(inner: &mut Tokens) -> Parsed<(Expr, usize)> {
    if inner.is_empty() {
        return Err(inner.error("expected an index before `]`; write e.g. `x[1]`"));
    }
    expression_and_height(inner)
}

fn end_of_index(inner: &Tokens) -> Parsed<()> {
    if inner.is_empty() {
        return Ok(());
    }
    let message = if inner.at(",") {
        "a name has one index only; give every row a name of its own".to_owned()
    } else {
        format!("expected `]` or an operator before {}", inner.found())
    };
    Err(inner.error(message))
}

fn one_index(tokens: &Tokens) -> Parsed<()> {
    if tokens.at_group(Delimiter::Bracket) {
        return Err(tokens.error("a name has one index only; give every row a name of its own"));
    }
    Ok(())
}

/// Checks whether `.at(` or `.rotated(` follows.
pub fn at_transform(tokens: &Tokens) -> bool {
    tokens.at(".")
        && TRANSFORMS.iter().any(|word| tokens.at_word_ahead(1, word))
        && tokens.at_group_ahead(2, Delimiter::Parenthesis)
}

/// Reads the text after the name of a body: `.at(x, y).rotated(angle).velocity.x`; also returns the height of the
/// highest argument.
pub fn attached(body: NameSyntax, tokens: &mut Tokens) -> Parsed<(ExprKind, Place, usize)> {
    let mut place = body.place;
    let (transforms, height) = transforms(&mut place, tokens)?;
    let (members, below): (Vec<MemberSyntax>, usize) = members(&mut place, tokens)?;
    let attached = AttachedSyntax { body, transforms, members };
    Ok((ExprKind::Attached(Box::new(attached)), place, height.max(below)))
}

/// Reads `.at(x, y).rotated(angle)`, and extends `place`; also returns the height of the highest argument.
pub fn transforms(place: &mut Place, tokens: &mut Tokens) -> Parsed<(Vec<TransformSyntax>, usize)> {
    let (mut transforms, mut height) = (Vec::new(), 0);
    while at_transform(tokens) {
        tokens.take();
        let word = new_name(tokens, "the name of a member")?;
        let Some(group) = tokens.take_group(Delimiter::Parenthesis) else { break };
        let (transform, below) = transform(word, &group, tokens)?;
        *place = place.to(transform.place);
        height = height.max(below);
        transforms.push(transform);
    }
    Ok((transforms, height))
}

fn transform(word: Ident, group: &Group, tokens: &Tokens) -> Parsed<(TransformSyntax, usize)> {
    let mut inner = tokens.inside(group);
    let mut arguments: Vec<Expr> = Vec::new();
    let mut height = 0;
    while !inner.is_empty() {
        let (argument, below) = expression_and_height(&mut inner)?;
        height = height.max(below);
        arguments.push(argument);
        comma(&mut inner, "`,`")?;
    }
    let place = Place::from(word.span()).to(place_of_group(group));
    Ok((TransformSyntax { word, arguments, place }, height))
}

/// Reads `first..last` or `first..=last`.
pub fn range(tokens: &mut Tokens) -> Parsed<RangeSyntax> {
    Ok(range_and_height(tokens)?.0)
}

/// Reads `i in 1..=3`, and returns it with the height of the higher end; `what` names the owner of the index in
/// messages.
pub fn running_index(tokens: &mut Tokens, what: &str) -> Parsed<(IndexSyntax, usize)> {
    let variable = new_name(tokens, &format!("an index after `{what}`"))?;
    tokens.take();
    let (range, height) = range_and_height(tokens)?;
    Ok((IndexSyntax { variable, range }, height))
}

/// Checks whether `i in` follows.
pub fn at_running_index(tokens: &Tokens) -> bool {
    tokens.ident().is_some() && tokens.at_word_ahead(1, "in")
}

/// Reads a range, and returns it with the height of its higher end.
fn range_and_height(tokens: &mut Tokens) -> Parsed<(RangeSyntax, usize)> {
    if tokens.at("..") {
        return Err(tokens.error("the range has no start; write e.g. `1..=3`"));
    }
    let (first, height) = expression_and_height(tokens)?;
    let (range, last) = range_from(first, tokens)?;
    Ok((range, height.max(last)))
}

/// Reads the rest of a range that starts with `first`, and returns it with the height of its end.
fn range_from(first: Expr, tokens: &mut Tokens) -> Parsed<(RangeSyntax, usize)> {
    if let Some(place) = tokens.take_operator("...") {
        let message = "`...` is not a range; write `..=` to include the last number, `..` to exclude it".to_owned();
        return Err(Diagnostic { message, place });
    }
    let inclusive = tokens.take_operator("..=").is_some();
    if !inclusive && tokens.take_operator("..").is_none() {
        return Err(tokens.error(format!("expected a range, found {}; write e.g. `1..=3`", tokens.found())));
    }
    if tokens.is_empty() || tokens.at(",") || tokens.at_group(Delimiter::Brace) {
        return Err(tokens.error("the range has no end; write e.g. `1..=3`"));
    }
    let (last, height) = expression_and_height(tokens)?;
    let place = first.place.to(last.place);
    Ok((RangeSyntax { first, last, inclusive, place }, height))
}
