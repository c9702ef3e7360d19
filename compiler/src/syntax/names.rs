//! Names that are declared, names in use, and ranges.

use proc_macro2::{Delimiter, Ident, TokenTree};

use super::ast::{DeclaredIndex, DeclaredName, Expr, IndexSyntax, MemberSyntax, NameSyntax, RangeSyntax};
use super::expression::expression_and_height;
use super::tokens::{Parsed, Tokens, place_of_group};
use crate::diagnostic::{Diagnostic, Place};

/// A new name. It becomes a name of the emitted Rust code too, so that Rust's keywords are refused.
pub fn new_name(tokens: &mut Tokens, what: &str) -> Parsed<Ident> {
    let Some(ident) = tokens.ident() else {
        return Err(tokens.error(format!("expected {what}, found {}", tokens.found())));
    };
    let text = ident.to_string();
    if text == "_" {
        return Err(tokens.error(format!("expected {what}, found `_`; everything in a model has a name")));
    }
    // `gen` is a keyword since edition 2024.
    if text == "gen" || syn::parse_str::<syn::Ident>(&text).is_err() || text.starts_with("r#") {
        return Err(tokens.error(format!("`{text}` is a word of the Rust language; choose another name")));
    }
    let ident = ident.clone();
    tokens.take();
    Ok(ident)
}

/// Types that Rust has by itself, which emitted code uses by their names.
const TYPES: [&str; 19] = [
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f16", "f32", "f64", "f128",
];

/// Crates whose paths a module with a model uses.
const CRATES: [&str; 4] = ["alloc", "core", "costate", "std"];

/// The name of a model, which becomes a type of the user's module: no type that stands there already, and no crate.
pub fn model_name(tokens: &mut Tokens, what: &str) -> Parsed<Ident> {
    let place = tokens.place();
    let name = new_name(tokens, what)?;
    let taken = |words: &[&str]| words.iter().any(|word| name == word);
    let meaning = if taken(&TYPES) {
        "a type of the Rust language"
    } else if taken(&CRATES) {
        "the name of a crate that the module of a model uses"
    } else {
        return Ok(name);
    };
    Err(Diagnostic { message: format!("`{name}` is {meaning}; choose another name for the model"), place })
}

/// `x`, `x[1..=4]`, `x[i]`.
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

/// `x`, `x[i + 1]`, `cylinder[i].x`.
pub fn name(tokens: &mut Tokens, what: &str) -> Parsed<NameSyntax> {
    let ident = new_name(tokens, what)?;
    Ok(indexed(ident, tokens)?.0)
}

/// Index and members, if there are any, behind a name in use; and the height of the highest index.
pub fn indexed(ident: Ident, tokens: &mut Tokens) -> Parsed<(NameSyntax, usize)> {
    let mut head = Place::from(ident.span());
    let (index, mut height) = index_in_use(&mut head, tokens)?;
    let mut place = head;
    let (members, below) = members(&mut place, tokens)?;
    height = height.max(below);
    Ok((NameSyntax { ident, index, members, head, place }, height))
}

/// What stands behind points, which becomes part of `place`; and the height of the highest index.
pub fn members(place: &mut Place, tokens: &mut Tokens) -> Parsed<(Vec<MemberSyntax>, usize)> {
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

/// Whether `.x` stands here, and not `.sin(`.
fn at_member(tokens: &Tokens) -> bool {
    tokens.at(".")
        && !tokens.at("..")
        && matches!(tokens.peek_ahead(1), Some(TokenTree::Ident(_)))
        && !tokens.at_group_ahead(2, Delimiter::Parenthesis)
}

/// The index behind a name, whose `place` it becomes part of; and its height.
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

/// `first..last` or `first..=last`.
pub fn range(tokens: &mut Tokens) -> Parsed<RangeSyntax> {
    Ok(range_and_height(tokens)?.0)
}

/// `i in 1..=3`, and the height of the higher end; `what` has the index, for messages.
pub fn running_index(tokens: &mut Tokens, what: &str) -> Parsed<(IndexSyntax, usize)> {
    let variable = new_name(tokens, &format!("an index behind `{what}`"))?;
    tokens.take();
    let (range, height) = range_and_height(tokens)?;
    Ok((IndexSyntax { variable, range }, height))
}

/// Whether `i in` stands here.
pub fn at_running_index(tokens: &Tokens) -> bool {
    tokens.ident().is_some() && tokens.at_word_ahead(1, "in")
}

/// A range and the height of its higher end.
fn range_and_height(tokens: &mut Tokens) -> Parsed<(RangeSyntax, usize)> {
    if tokens.at("..") {
        return Err(tokens.error("the range has no start; write e.g. `1..=3`"));
    }
    let (first, height) = expression_and_height(tokens)?;
    let (range, last) = range_from(first, tokens)?;
    Ok((range, height.max(last)))
}

/// The range that starts with `first`, and the height of its end.
fn range_from(first: Expr, tokens: &mut Tokens) -> Parsed<(RangeSyntax, usize)> {
    if let Some(place) = tokens.take_operator("...") {
        let message =
            "`...` is not a range; write `..=` to include the last number, `..` to exclude it".to_owned();
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
