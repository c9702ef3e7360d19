//! Expressions, read by precedence climbing. From loose to tight: `||`, `&&`, comparisons (which do not chain),
//! `+ -`, `* /`, unary `- !`, `^` (to the right).

use proc_macro2::{Delimiter, Group, Ident, Span, TokenTree};

use super::ast::{BinaryOperator, Expr, ExprKind, SumSyntax};
use super::operators::{self, Level};
use super::{literal, names};
use crate::diagnostic::{Diagnostic, Place};
use crate::tokens::{Parsed, Tokens, place_of_group};
use crate::units::Unit;

/// Largest height of a tree, because every later stage descends by recursion. A sum of this many terms has this
/// height.
const MAX_HEIGHT: usize = 1000;

/// An expression and its height, which is counted during construction.
struct Tree {
    expr: Expr,
    height: usize,
}

/// Reads the longest expression that starts here.
pub fn expression(tokens: &mut Tokens) -> Parsed<Expr> {
    Ok(tree(tokens)?.expr)
}

/// Reads an expression, and returns it with the height of its tree.
pub fn expression_and_height(tokens: &mut Tokens) -> Parsed<(Expr, usize)> {
    tree(tokens).map(|Tree { expr, height }| (expr, height))
}

fn tree(tokens: &mut Tokens) -> Parsed<Tree> {
    binary(tokens, Level::Or)
}

/// Creates a node above parts, the highest of which has the height `below`.
fn node(kind: ExprKind, place: Place, below: usize) -> Parsed<Tree> {
    if below >= MAX_HEIGHT {
        let message = format!("more than {MAX_HEIGHT} operations above each other; name a part with `let`");
        return Err(Diagnostic { message, place });
    }
    Ok(Tree { expr: Expr { kind, place }, height: below + 1 })
}

fn binary_node(operator: BinaryOperator, left: Tree, right: Tree) -> Parsed<Tree> {
    let place = left.expr.place.to(right.expr.place);
    let below = left.height.max(right.height);
    node(ExprKind::Binary(operator, Box::new(left.expr), Box::new(right.expr)), place, below)
}

/// Reads operands joined by operators that bind at least as tightly as `loosest`.
fn binary(tokens: &mut Tokens, loosest: Level) -> Parsed<Tree> {
    let mut left = unary(tokens)?;
    let mut compared = false;
    while let Some((operator, level, length)) = operators::next(tokens)? {
        if level < loosest {
            break;
        }
        let place = tokens.skip(length);
        if level == Level::Compare && compared {
            let message = "comparisons do not chain; write `a < b && b < c`".to_owned();
            return Err(Diagnostic { message, place });
        }
        compared = level == Level::Compare;
        let right = binary(tokens, level.tighter())?;
        left = binary_node(operator, left, right)?;
    }
    Ok(left)
}

fn unary(tokens: &mut Tokens) -> Parsed<Tree> {
    tokens.nested(|tokens| {
        if tokens.at("+") {
            return Err(tokens.error("a leading `+` says nothing; leave it out"));
        }
        let kind = if tokens.at("-") {
            ExprKind::Negate
        } else if tokens.at("!") {
            ExprKind::Not
        } else {
            return power(tokens);
        };
        let place = tokens.skip(1);
        let operand = unary(tokens)?;
        let place = place.to(operand.expr.place);
        node(kind(Box::new(operand.expr)), place, operand.height)
    })
}

fn power(tokens: &mut Tokens) -> Parsed<Tree> {
    let base = operand(tokens)?;
    if tokens.take_operator("^").is_none() {
        return Ok(base);
    }
    let exponent = unary(tokens)?;
    binary_node(BinaryOperator::Power, base, exponent)
}

/// Reads a number, a name, a call, an `if`, a list or an expression in parentheses.
fn operand(tokens: &mut Tokens) -> Parsed<Tree> {
    match tokens.peek().cloned() {
        Some(TokenTree::Literal(literal)) => {
            tokens.take();
            Ok(Tree { expr: literal::number(&literal, tokens)?, height: 1 })
        }
        Some(TokenTree::Ident(ident)) => word(ident, tokens),
        Some(TokenTree::Group(group)) if is_parentheses(&group) => {
            tokens.take();
            parentheses(&group, tokens)
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            tokens.take();
            list(&group, tokens)
        }
        _ => Err(operators::no_operand(tokens)),
    }
}

/// Checks for parentheses. A fragment inserted by a macro counts as if it were in parentheses.
fn is_parentheses(group: &Group) -> bool {
    matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::None)
}

fn parentheses(group: &Group, tokens: &mut Tokens) -> Parsed<Tree> {
    let mut inner = tokens.inside(group);
    let tree = tree(&mut inner)?;
    if inner.at(",") {
        return vector(tree, inner, place_of_group(group));
    }
    if !inner.is_empty() {
        return Err(operators::no_operator(&inner, "`)`"));
    }
    if tokens.at_group(Delimiter::Bracket) {
        return Err(tokens.error("a unit stands only after a number; write e.g. `(a + b)*1[mm]`"));
    }
    let place = place_of_group(group);
    Ok(Tree { expr: Expr { place, ..tree.expr }, height: tree.height })
}

/// Reads `(a, b, c)` after its first component.
fn vector(first: Tree, mut inner: Tokens, place: Place) -> Parsed<Tree> {
    let mut below = first.height;
    let mut components = vec![first.expr];
    while inner.take_operator(",").is_some() && !inner.is_empty() {
        let component = tree(&mut inner)?;
        below = below.max(component.height);
        components.push(component.expr);
    }
    if !inner.is_empty() {
        return Err(operators::no_operator(&inner, "`)`"));
    }
    node(ExprKind::Vector(components), place, below)
}

/// Reads `[a, b, c]`.
fn list(group: &Group, tokens: &mut Tokens) -> Parsed<Tree> {
    let mut inner = tokens.inside(group);
    let mut elements = Vec::new();
    let mut below = 0;
    while !inner.is_empty() {
        let element = tree(&mut inner)?;
        below = below.max(element.height);
        elements.push(element.expr);
        if inner.at(";") {
            return Err(inner.error(
                "expected `,`, found `;`; a list has every value by itself, and one number alone counts for all",
            ));
        }
        if inner.at("..") {
            let message = "a list has no ranges; write every value, separated by commas".to_owned();
            let length = if inner.at("..=") { 3 } else { 2 };
            return Err(Diagnostic { message, place: inner.place_of_next(length) });
        }
        if !inner.is_empty() && inner.take_operator(",").is_none() {
            return Err(operators::no_operator(&inner, "`,`"));
        }
    }
    if tokens.at_group(Delimiter::Bracket) {
        return Err(tokens.error("a list has neither unit nor index; write e.g. `[1[mm], 2[mm]]`"));
    }
    node(ExprKind::List(elements), place_of_group(group), below)
}

/// Reads an expression that starts with a word.
fn word(ident: Ident, tokens: &mut Tokens) -> Parsed<Tree> {
    if ident == "if" {
        tokens.take();
        return conditional(ident.span(), tokens);
    }
    if ["let", "for", "in", "else", "match", "while", "loop", "_"].iter().any(|keyword| ident == keyword) {
        return Err(operators::no_operand(tokens));
    }
    tokens.take();
    if let Some(group) = tokens.take_group(Delimiter::Parenthesis) {
        return call(ident, &group, tokens);
    }
    let (name, below) = names::indexed(ident, tokens)?;
    if names::at_transform(tokens) {
        let (kind, place, higher) = names::attached(name, tokens)?;
        return node(kind, place, below.max(higher));
    }
    let place = name.place;
    node(ExprKind::Name(name), place, below)
}

fn call(function: Ident, group: &Group, tokens: &mut Tokens) -> Parsed<Tree> {
    let mut inner = tokens.inside(group);
    if function == "sum" && names::at_running_index(&inner) {
        let place = Place::from(function.span()).to(place_of_group(group));
        return sum(inner, place);
    }
    let mut arguments = Vec::new();
    let mut below = 0;
    while !inner.is_empty() {
        let argument =
            if function == "value" && arguments.len() == 1 { unit_argument(&mut inner)? } else { tree(&mut inner)? };
        below = below.max(argument.height);
        arguments.push(argument.expr);
        if !inner.is_empty() && inner.take_operator(",").is_none() {
            return Err(operators::no_operator(&inner, "`,`"));
        }
    }
    if tokens.at_group(Delimiter::Bracket) {
        return Err(tokens.error("only a name has an index; write e.g. `dot(x[1])`"));
    }
    let place = Place::from(function.span()).to(place_of_group(group));
    node(ExprKind::Call { function, arguments }, place, below)
}

/// Reads `i in 1..=3, x[i]` in the parentheses of a sum.
fn sum(mut inner: Tokens, place: Place) -> Parsed<Tree> {
    let (index, ends) = names::running_index(&mut inner, "sum")?;
    if inner.take_operator(",").is_none() {
        let found = inner.found();
        return Err(inner.error(format!("expected `,` before {found}; write e.g. `sum(i in 1..=3, x[i])`")));
    }
    if inner.is_empty() {
        return Err(inner.error("the sum has no term; write e.g. `sum(i in 1..=3, x[i])`"));
    }
    let term = tree(&mut inner)?;
    inner.take_operator(",");
    if !inner.is_empty() {
        return Err(operators::no_operator(&inner, "`)`"));
    }
    let sum = SumSyntax { index, term: term.expr };
    node(ExprKind::Sum(Box::new(sum)), place, ends.max(term.height))
}

/// Reads the unit in `value(x, mm)`, as the number 1 with this unit.
fn unit_argument(tokens: &mut Tokens) -> Parsed<Tree> {
    let unit = Unit::parse(tokens)?;
    let place = unit.place;
    node(ExprKind::Number { value: 1.0, integer: None, unit: Some(unit) }, place, 0)
}

/// Reads the rest of an `if` after this word.
fn conditional(start: Span, tokens: &mut Tokens) -> Parsed<Tree> {
    let condition = tree(tokens)?;
    let (yes, closed) = branch(tokens)?;
    if !tokens.at_word("else") {
        let message = "`if` without `else` has no value; write `if condition { a } else { b }`".to_owned();
        return Err(Diagnostic { message, place: Place { first: start, last: closed } });
    }
    tokens.take();
    let (no, closed) = if tokens.at_word("if") {
        let inner_start = tokens.skip(1).first;
        let inner = tokens.nested(|tokens| conditional(inner_start, tokens))?;
        let closed = inner.expr.place.last;
        (inner, closed)
    } else {
        branch(tokens)?
    };
    let below = condition.height.max(yes.height).max(no.height);
    let [condition, yes, no] = [condition, yes, no].map(|part| Box::new(part.expr));
    node(ExprKind::If { condition, yes, no }, Place { first: start, last: closed }, below)
}

/// Reads `{ expression }`, and also returns the closing brace.
fn branch(tokens: &mut Tokens) -> Parsed<(Tree, Span)> {
    let Some(group) = tokens.take_group(Delimiter::Brace) else {
        let message = format!("expected `{{` before {}; write `if condition {{ a }} else {{ b }}`", tokens.found());
        return Err(tokens.error(message));
    };
    let mut inner = tokens.inside(&group);
    if inner.at_word("let") {
        return Err(inner.error("a branch holds a single expression; put the `let` before the entry"));
    }
    let tree = tree(&mut inner)?;
    if inner.at(";") {
        return Err(inner.error("a branch ends with its value; leave the `;` out"));
    }
    if !inner.is_empty() {
        return Err(operators::no_operator(&inner, "`}`"));
    }
    Ok((tree, group.span_close()))
}
