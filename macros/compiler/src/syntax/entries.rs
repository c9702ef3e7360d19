//! The entries of a block: separated by commas, repeated by `for`, with `let`s between them. An error in one entry is
//! recorded, and reading continues with the next entry.

use proc_macro2::{Delimiter, Ident, TokenTree};

use super::ast::{Entry, ForSyntax, IfSyntax, IndexSyntax, LetSyntax};
use super::attributes::{Documentation, documentation};
use super::expression::expression;
use super::identifiers::new_name;
use super::names::{at_running_index, range, running_index};
use super::operators;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::tokens::{Parsed, Tokens};

/// The entries of a kind of block.
pub trait EntrySyntax: Sized {
    /// The name of an entry for messages: "a force".
    const WHAT: &'static str;
    /// True if a doc comment is allowed before an entry.
    const DOCUMENTED: bool;
    /// True if a `let` is allowed between the entries.
    const USES_LET: bool = true;
    /// True if an `if` chooses between entries; false if it is the beginning of an expression.
    const USES_IF: bool = true;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>>;
}

/// An entry with an error.
pub struct Unreadable<T> {
    errors: Vec<Diagnostic>,
    /// The declaration in the entry nevertheless, so that uses of the declared name are not further errors.
    declared: Option<Box<T>>,
}

impl<T> From<Diagnostic> for Unreadable<T> {
    fn from(error: Diagnostic) -> Self {
        Unreadable { errors: vec![error], declared: None }
    }
}

/// Reads the text after a declared name into `item`.
pub fn declared<T>(mut item: T, read: impl FnOnce(&mut T) -> Parsed<()>) -> Result<T, Unreadable<T>> {
    match read(&mut item) {
        Ok(()) => Ok(item),
        Err(error) => Err(Unreadable { errors: vec![error], declared: Some(Box::new(item)) }),
    }
}

/// Returns `item`, whose own entries have been read, with their errors if there are any.
pub fn with_errors<T>(item: T, diagnostics: Diagnostics) -> Result<T, Unreadable<T>> {
    if diagnostics.is_empty() {
        return Ok(item);
    }
    Err(Unreadable { errors: diagnostics.into_errors(), declared: Some(Box::new(item)) })
}

/// Reads entries to the end of the block.
pub fn entries<T: EntrySyntax>(tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Vec<Entry<T>> {
    let mut entries = Vec::new();
    tokens.parts(|tokens| {
        let comment = documentation(tokens, diagnostics);
        if tokens.is_empty() {
            comment.refuse("the end of a block", diagnostics);
        } else {
            entries.extend(entry(comment, tokens, diagnostics));
        }
    });
    entries
}

/// Reads one entry and the separator after it.
fn entry<T: EntrySyntax>(
    comment: Documentation,
    tokens: &mut Tokens,
    diagnostics: &mut Diagnostics,
) -> Option<Entry<T>> {
    if tokens.at_word("let") {
        comment.refuse("a `let`", diagnostics);
        if !T::USES_LET {
            let message = "a `let` has no use among declarations; write it between the blocks";
            diagnostics.error(tokens.place(), message);
        }
        return let_statement(tokens, diagnostics, |_| false).map(Entry::Let);
    }
    if tokens.at_word("for") {
        comment.refuse("a `for`", diagnostics);
        let repeated = repetition(tokens, diagnostics);
        tokens.take_operator(",");
        return repeated.map(Entry::For);
    }
    if T::USES_IF && tokens.at_word("if") {
        comment.refuse("an `if`", diagnostics);
        let chosen = choice(tokens, diagnostics);
        tokens.take_operator(",");
        return chosen.map(Entry::If);
    }
    if tokens.at(",") || tokens.at(";") {
        diagnostics.error(tokens.place(), format!("expected {} before {}; leave it out", T::WHAT, tokens.found()));
        tokens.take();
        return None;
    }
    let lines = if T::DOCUMENTED {
        comment.lines
    } else {
        comment.refuse(T::WHAT, diagnostics);
        Vec::new()
    };
    match T::parse(lines, tokens) {
        Ok(item) => {
            separator(tokens, diagnostics);
            Some(Entry::Item(item))
        }
        Err(Unreadable { errors, declared }) => {
            errors.into_iter().for_each(|error| record(error, diagnostics));
            tokens.recover(|_| false);
            declared.map(|item| Entry::Item(*item))
        }
    }
}

fn separator(tokens: &mut Tokens, diagnostics: &mut Diagnostics) {
    if tokens.is_empty() || tokens.take_operator(",").is_some() {
        return;
    }
    if tokens.at(";") {
        diagnostics.error(tokens.place(), "expected `,`, found `;`; entries are separated by commas");
        tokens.take();
    } else if tokens.at_entry() {
        let next = if tokens.at("#") { "this doc comment".to_owned() } else { tokens.found() };
        diagnostics.error(tokens.place(), format!("expected `,` before {next}; entries are separated by commas"));
    } else {
        record(operators::no_operator(tokens, "`,`"), diagnostics);
        tokens.recover(|_| false);
    }
}

/// Reads `let name = value;`. After an error, reading continues after the `;` or before tokens that `next` accepts.
pub fn let_statement(
    tokens: &mut Tokens,
    diagnostics: &mut Diagnostics,
    next: impl Fn(&Tokens) -> bool,
) -> Option<LetSyntax> {
    tokens.take();
    let statement = match name_and_value(tokens) {
        Ok(statement) => statement,
        Err(error) => {
            record(error, diagnostics);
            tokens.recover(next);
            return None;
        }
    };
    if tokens.take_operator(";").is_some() {
        return Some(statement);
    }
    if tokens.at(",") {
        diagnostics.error(tokens.place(), "a `let` ends with `;`; write `;` instead of `,`");
        tokens.take();
    } else if tokens.is_empty() || tokens.at_entry() || next(tokens) {
        diagnostics.error(tokens.place(), format!("expected `;` before {}; a `let` ends with it", tokens.found()));
    } else {
        record(operators::no_operator(tokens, "`;`"), diagnostics);
        tokens.recover(next);
    }
    Some(statement)
}

fn name_and_value(tokens: &mut Tokens) -> Parsed<LetSyntax> {
    let name = new_name(tokens, "a name after `let`")?;
    if tokens.at(":") {
        return Err(tokens.error(format!("a `let` has the unit of its value; write `let {name} = value;`")));
    }
    let index = match tokens.take_group(Delimiter::Bracket) {
        Some(group) => Some(Box::new(index_of_let(&name, &mut tokens.inside(&group))?)),
        None => None,
    };
    if tokens.at("==") || tokens.take_operator("=").is_none() {
        let message = format!("expected `=` before {}; write `let {name} = value;`", tokens.found());
        return Err(tokens.error(message));
    }
    Ok(LetSyntax { name, index, value: expression(tokens)? })
}

/// Reads `i in 1..=3` in the brackets after the name of a `let`.
fn index_of_let(name: &Ident, tokens: &mut Tokens) -> Parsed<IndexSyntax> {
    if !at_running_index(tokens) {
        let message =
            format!("the index of a `let` runs through a range; write e.g. `let {name}[i in 1..=3] = value;`");
        return Err(tokens.error(message));
    }
    let (index, _) = running_index(tokens, "let")?;
    if !tokens.is_empty() {
        let message = format!("expected `]` before {}; a name has one index only", tokens.found());
        return Err(tokens.error(message));
    }
    Ok(index)
}

/// Reads `for i in 1..=3 { entries }`. If the first line is wrong, the entries are read only to find their errors.
fn repetition<T: EntrySyntax>(tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Option<ForSyntax<T>> {
    tokens.take();
    let header = variable_and_range(tokens).map_err(|error| record(error, diagnostics)).ok();
    if header.is_none() {
        skip_to_braces(tokens);
    }
    let Some(group) = tokens.take_group(Delimiter::Brace) else {
        if header.is_some() {
            let message = format!("expected `{{` before {}; write `for i in 1..=3 {{ ... }}`", tokens.found());
            diagnostics.error(tokens.place(), message);
            tokens.recover(|_| false);
        }
        return None;
    };
    let inner = tokens.nested(|tokens| Ok(entries(&mut tokens.inside(&group), diagnostics)));
    match (header, inner) {
        (Some((variable, range)), Ok(entries)) => Some(ForSyntax { variable, range, entries }),
        (_, Err(error)) => {
            record(error, diagnostics);
            None
        }
        _ => None,
    }
}

/// Reads `if condition { entries } else { entries }`. If the condition is wrong, the entries are read only to find
/// their errors.
fn choice<T: EntrySyntax>(tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Option<IfSyntax<T>> {
    tokens.take();
    let condition = expression(tokens).map_err(|error| record(error, diagnostics)).ok();
    if condition.is_none() {
        skip_to_braces(tokens);
    }
    let yes = branch(condition.is_some(), tokens, diagnostics);
    let no = if !tokens.at_word("else") {
        Some(Vec::new())
    } else if tokens.peek_ahead(1).is_some_and(|next| matches!(next, TokenTree::Ident(word) if word == "if")) {
        tokens.take();
        let nested = tokens.nested(|tokens| Ok(choice(tokens, diagnostics)));
        nested.map_err(|error| record(error, diagnostics)).ok().flatten().map(|inner| vec![Entry::If(inner)])
    } else {
        tokens.take();
        branch(true, tokens, diagnostics)
    };
    Some(IfSyntax { condition: condition?, yes: yes?, no: no? })
}

/// Reads the entries of a branch, in braces; `missed` is true if missing braces are to be reported.
fn branch<T: EntrySyntax>(missed: bool, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Option<Vec<Entry<T>>> {
    let Some(group) = tokens.take_group(Delimiter::Brace) else {
        if missed {
            let message = format!(
                "expected `{{` before {}; write `if condition {{ entries }} else {{ entries }}`",
                tokens.found()
            );
            diagnostics.error(tokens.place(), message);
            tokens.recover(|_| false);
        }
        return None;
    };
    let inner = tokens.nested(|tokens| Ok(entries(&mut tokens.inside(&group), diagnostics)));
    inner.map_err(|error| record(error, diagnostics)).ok()
}

fn variable_and_range(tokens: &mut Tokens) -> Parsed<(proc_macro2::Ident, super::ast::RangeSyntax)> {
    let variable = new_name(tokens, "an index after `for`")?;
    if !tokens.at_word("in") {
        let message = format!("expected `in` before {}; write `for {variable} in 1..=3 {{ ... }}`", tokens.found());
        return Err(tokens.error(message));
    }
    tokens.take();
    Ok((variable, range(tokens)?))
}

/// Skips to the braces of a broken `for`, unless another entry starts before them.
pub fn skip_to_braces(tokens: &mut Tokens) {
    let end = |tokens: &Tokens| {
        tokens.at_group(Delimiter::Brace) || tokens.at(",") || tokens.at(";") || tokens.at_word("for")
    };
    while !tokens.is_empty() && !end(tokens) {
        tokens.take();
    }
}

pub fn record(error: Diagnostic, diagnostics: &mut Diagnostics) {
    diagnostics.error(error.place, error.message);
}
