//! Operators, and what to write instead of those that a model does not have.

use proc_macro2::{Delimiter, TokenTree};

use super::ast::BinaryOperator;
use crate::diagnostic::Diagnostic;
use crate::tokens::{Parsed, Tokens};

/// The precedence of a binary operator; the power is read with its base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Or,
    And,
    Compare,
    Add,
    Multiply,
    Unary,
}

impl Level {
    /// The next tighter one.
    pub fn tighter(self) -> Level {
        match self {
            Level::Or => Level::And,
            Level::And => Level::Compare,
            Level::Compare => Level::Add,
            Level::Add => Level::Multiply,
            Level::Multiply | Level::Unary => Level::Unary,
        }
    }
}

/// Operators that start with another one stand before it.
const OPERATORS: [(&str, BinaryOperator, Level); 12] = [
    ("||", BinaryOperator::Or, Level::Or),
    ("&&", BinaryOperator::And, Level::And),
    ("<=", BinaryOperator::LessEqual, Level::Compare),
    (">=", BinaryOperator::GreaterEqual, Level::Compare),
    ("==", BinaryOperator::Equal, Level::Compare),
    ("!=", BinaryOperator::NotEqual, Level::Compare),
    ("<", BinaryOperator::Less, Level::Compare),
    (">", BinaryOperator::Greater, Level::Compare),
    ("+", BinaryOperator::Add, Level::Add),
    ("-", BinaryOperator::Subtract, Level::Add),
    ("*", BinaryOperator::Multiply, Level::Multiply),
    ("/", BinaryOperator::Divide, Level::Multiply),
];

/// Operators of other languages that are typed by mistake.
const MISTAKES: [(&str, &str); 15] = [
    ("**", "`**` is not an operator; write `^` for a power"),
    ("<>", "`<>` is not an operator; write `!=`"),
    ("=<", "`=<` is not an operator; write `<=`"),
    ("=>", "`=>` is not an operator; write `>=`"),
    ("<<", "`<<` is not an operator; write `*` and `^`"),
    (">>", "`>>` is not an operator; write `/` and `^`"),
    ("+=", "`+=` is not an operator; entries for the same coordinate add up by themselves"),
    ("-=", "`-=` is not an operator; entries for the same coordinate add up by themselves"),
    ("%", "`%` is not an operator; a percentage is written `5[percent]`"),
    ("::", "a model has no paths; write the name alone"),
    ("?", "`?` is not an operator; write `if condition { a } else { b }`"),
    ("'", "`'` is not an operator; write `dot(x)` for the time derivative"),
    ("&", "`&` is not an operator; write `&&` for \"and\""),
    ("|", "`|` is not an operator; write `||` for \"or\""),
    ("=", "`=` does not compare; write `==` for \"equal\", or `,` before the next entry"),
];

/// The operator after an operand, its level and its number of characters; none at the end of the expression.
pub fn next(tokens: &Tokens) -> Parsed<Option<(BinaryOperator, Level, usize)>> {
    let known = OPERATORS.iter().find(|(text, ..)| tokens.at(text));
    let mistake = MISTAKES.iter().find(|(text, _)| tokens.at(text));
    match (known, mistake) {
        // `**` starts with `*`, `==` starts with `=`: the longer one was meant.
        (Some((text, operator, level)), mistake) if mistake.is_none_or(|(wrong, _)| wrong.len() <= text.len()) => {
            Ok(Some((*operator, *level, text.len())))
        }
        (_, Some((text, message))) => Err(error_at(tokens, text.len(), (*message).to_owned())),
        _ if tokens.at(".") && !tokens.at("..") => Err(member(tokens)),
        _ => Ok(None),
    }
}

/// `x.sin()`, `x.velocity`.
fn member(tokens: &Tokens) -> Diagnostic {
    let Some(TokenTree::Ident(name)) = tokens.peek_ahead(1) else {
        return tokens.error("stray `.`; a number is written `0.5`");
    };
    let message = match name.to_string().as_str() {
        "powi" | "powf" | "pow" => format!("`.{name}` is not a method; write `x^2` for a power"),
        _ if tokens.at_group_ahead(2, Delimiter::Parenthesis) => {
            format!("`.{name}` is not a method; write `{name}(x)`")
        }
        _ => format!("`.{name}` is not known; only components, bodies, joints and elements have members"),
    };
    error_at(tokens, 2, message)
}

/// An error at the next `count` tokens.
fn error_at(tokens: &Tokens, count: usize, message: String) -> Diagnostic {
    Diagnostic { message, place: tokens.place_of_next(count) }
}

/// The next token is not the start of an expression.
pub fn no_operand(tokens: &Tokens) -> Diagnostic {
    let found = tokens.found();
    let message = match tokens.peek() {
        None => format!("expected an expression before {found}"),
        Some(TokenTree::Group(_)) => {
            format!("expected an expression, found {found}; write parentheses `( )`")
        }
        Some(TokenTree::Punct(_)) if tokens.at(".") && !tokens.at("..") => {
            "expected an expression, found `.`; a number is written `0.5`".to_owned()
        }
        Some(TokenTree::Ident(word)) if word == "match" => {
            "`match` is not known; write `if condition { a } else { b }`".to_owned()
        }
        Some(_) => format!("expected an expression, found {found}"),
    };
    tokens.error(message)
}

/// Something stands after an operand that neither goes on with it nor is the expected `end`.
pub fn no_operator(tokens: &Tokens, end: &str) -> Diagnostic {
    let found = tokens.found();
    let remedy = match tokens.peek() {
        Some(TokenTree::Punct(_)) | None => "",
        Some(_) => "; write `*` for a product",
    };
    tokens.error(format!("expected {end} or an operator before {found}{remedy}"))
}
