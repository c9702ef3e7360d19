//! Structural arguments: `(cylinders: usize = 4, damper: bool = true)` after the name of a model. An error in
//! one of them is recorded, and reading goes on with the next.

use super::ast::{ArgumentDefault, ArgumentSyntax};
use super::attributes::documentation;
use super::entries::record;
use super::expression::expression;
use super::identifiers::new_name;
use super::operators;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::tokens::{Parsed, Tokens};

/// Reads arguments to the end of the parentheses.
pub fn arguments(tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Vec<ArgumentSyntax> {
    let mut arguments = Vec::new();
    tokens.parts(|tokens| {
        let comment = documentation(tokens, diagnostics);
        if tokens.is_empty() {
            comment.refuse("the end of the arguments", diagnostics);
        } else {
            arguments.extend(argument(comment.lines, tokens, diagnostics));
        }
    });
    arguments
}

/// One argument and the comma after it.
fn argument(documentation: Vec<String>, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Option<ArgumentSyntax> {
    let failed = |error: Diagnostic, tokens: &mut Tokens, diagnostics: &mut Diagnostics| {
        record(error, diagnostics);
        tokens.recover(|_| false);
    };
    let name = match new_name(tokens, "a structural argument") {
        Ok(name) => name,
        Err(error) => {
            failed(error, tokens, diagnostics);
            return None;
        }
    };
    let mut argument = ArgumentSyntax { documentation, name, is_feature: false, default: ArgumentDefault::Unreadable };
    let read = type_name(&mut argument, tokens, diagnostics).and_then(|()| default(&argument, tokens));
    match read {
        Ok(default) => {
            argument.default = default;
            comma(tokens, diagnostics);
        }
        Err(error) => failed(error, tokens, diagnostics),
    }
    Some(argument)
}

/// `: usize` or `: bool`. Another type is recorded; the value after it is read all the same.
fn type_name(argument: &mut ArgumentSyntax, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Parsed<()> {
    let name = &argument.name;
    if tokens.at("::") || tokens.take_operator(":").is_none() {
        let found = tokens.found();
        return Err(tokens.error(format!(
            "expected `:` before {found}; a structural argument has a type, e.g. `{name}: usize = 4`"
        )));
    }
    if tokens.is_empty() || at_end_of_type(tokens) {
        let found = tokens.found();
        return Err(tokens.error(format!("expected `usize` before {found}; write e.g. `{name}: usize = 4`")));
    }
    if tokens.at_word("usize") || tokens.at_word("bool") {
        argument.is_feature = tokens.at_word("bool");
        tokens.take();
        return Ok(());
    }
    let mut place = tokens.place();
    while !tokens.is_empty() && !at_end_of_type(tokens) {
        place = place.to(tokens.skip(1));
    }
    let message = format!(
        "a structural argument is a whole number, 0 or more, or on or off, known at compile time; \
         write `{name}: usize` or `{name}: bool`"
    );
    diagnostics.error(place, message);
    Ok(())
}

fn at_end_of_type(tokens: &Tokens) -> bool {
    tokens.at("=") || tokens.at(",") || tokens.at(";")
}

/// `= value`, if it is there.
fn default(argument: &ArgumentSyntax, tokens: &mut Tokens) -> Parsed<ArgumentDefault> {
    if tokens.at("==") {
        let message = "`==` compares; write a single `=` before a value".to_owned();
        return Err(Diagnostic { message, place: tokens.place_of_next(2) });
    }
    if tokens.take_operator("=").is_some() {
        return Ok(ArgumentDefault::Written(Box::new(expression(tokens)?)));
    }
    if tokens.is_empty() || tokens.at(",") || tokens.at(";") {
        // An error, unless a value is given from outside.
        return Ok(ArgumentDefault::Missing);
    }
    let (name, found) = (&argument.name, tokens.found());
    Err(tokens.error(format!("expected `=` before {found}; write e.g. `{name}: usize = 4`")))
}

fn comma(tokens: &mut Tokens, diagnostics: &mut Diagnostics) {
    if tokens.is_empty() || tokens.take_operator(",").is_some() {
        return;
    }
    if tokens.at(";") {
        diagnostics.error(tokens.place(), "expected `,`, found `;`; arguments are separated by commas");
        tokens.take();
    } else if tokens.at_entry() {
        let message = format!("expected `,` before {}; arguments are separated by commas", tokens.found());
        diagnostics.error(tokens.place(), message);
    } else {
        record(operators::no_operator(tokens, "`,`"), diagnostics);
        tokens.recover(|_| false);
    }
}
