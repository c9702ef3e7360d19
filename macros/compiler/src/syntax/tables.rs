//! Entries of the block `tables`: `pressure(speed: rpm, periodic angle: deg): bar = "pressure.csv"`.

use costate_contract::tables::{Extension, Interpolation};
use proc_macro2::{Delimiter, TokenTree};

use super::ast::{TableArgumentSyntax, TableSyntax};
use super::entries::{EntrySyntax, Unreadable, declared};
use super::identifiers::new_name;
use super::punctuation::{colon, equals};
use crate::diagnostic::{Diagnostic, Place};
use crate::tokens::{Parsed, Tokens, place_of_group};
use crate::units::Unit;

const EXAMPLE: &str = "write e.g. `pressure(speed: rpm, periodic angle: deg): bar = \"pressure.csv\"`";

impl EntrySyntax for TableSyntax {
    const WHAT: &'static str = "a table";
    const DOCUMENTED: bool = true;
    const USES_LET: bool = false;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = new_name(tokens, Self::WHAT)?;
        let place = Place::from(name.span());
        let unit = Unit::unreadable(place);
        let table = TableSyntax { documentation, name, arguments: Vec::new(), place, unit, file: None };
        declared(table, |table| {
            let Some(group) = tokens.take_group(Delimiter::Parenthesis) else {
                let found = tokens.found();
                return Err(tokens.error(format!("expected the arguments of a table before {found}; {EXAMPLE}")));
            };
            table.place = place_of_group(&group);
            let wrong = arguments(&mut tokens.inside(&group), table);
            colon(tokens, "the values of a table have a unit")?;
            table.unit = Unit::parse(tokens)?;
            if equals(tokens)? {
                table.file = Some(file(tokens)?);
            }
            wrong.map_or(Ok(()), Err)
        })
    }
}

/// Reads all arguments, the wrong ones as well: the table is known with the right number of them. The first error.
fn arguments(tokens: &mut Tokens, table: &mut TableSyntax) -> Option<Diagnostic> {
    let mut wrong = None;
    tokens.parts(|tokens| {
        let read = argument(tokens).and_then(|argument| {
            if tokens.is_empty() || tokens.take_operator(",").is_some() {
                return Ok(argument);
            }
            let message = format!("expected `,` or `)` before {}; {EXAMPLE}", tokens.found());
            Err(tokens.error(message))
        });
        table.arguments.push(read.unwrap_or_else(|error| {
            wrong.get_or_insert(error);
            tokens.skip_behind(",");
            let unit = Unit::unreadable(table.place);
            TableArgumentSyntax { name: table.name.clone(), interpolation: None, extension: None, unit }
        }));
    });
    wrong
}

/// `monotone periodic angle: deg`
fn argument(tokens: &mut Tokens) -> Parsed<TableArgumentSyntax> {
    let (mut interpolation, mut extension) = (None, None);
    // In front of another name a word says what the table does between or beyond its knots; else it is the argument's
    // own name.
    while let (Some(TokenTree::Ident(_)), Some(TokenTree::Ident(_))) = (tokens.peek(), tokens.peek_ahead(1)) {
        let between = Interpolation::ALL.into_iter().find(|kind| tokens.at_word(kind.word()));
        let beyond = Extension::ALL.into_iter().find(|kind| tokens.at_word(kind.word()));
        let found = tokens.found();
        let place = tokens.place();
        let twice = |what: &str| Diagnostic {
            message: format!("{found} is a second word for what the table does {what} its knots; leave one out"),
            place,
        };
        match (between, beyond) {
            (Some(_), _) if interpolation.is_some() => return Err(twice("between")),
            (_, Some(_)) if extension.is_some() => return Err(twice("beyond")),
            (Some(kind), _) => interpolation = Some((kind, tokens.skip(1))),
            (_, Some(kind)) => extension = Some((kind, tokens.skip(1))),
            (None, None) => {
                let message = format!(
                    "{found} does not say what a table does; before the argument write `monotone`, `straight` or \
                         `spline` for what is between its knots, and `clamped`, `periodic` or `linear` for what is \
                         beyond the last ones"
                );
                return Err(tokens.error(message));
            }
        }
    }
    let name = new_name(tokens, "an argument of the table")?;
    colon(tokens, "an argument has a unit, e.g. `x: m`, or `1` where it is a plain number")?;
    Ok(TableArgumentSyntax { name, interpolation, extension, unit: Unit::parse(tokens)? })
}

/// The path of a CSV file, in quotes.
fn file(tokens: &mut Tokens) -> Parsed<(String, Place)> {
    let place = tokens.place();
    let path = match tokens.peek() {
        Some(TokenTree::Literal(literal)) => syn::parse_str::<syn::LitStr>(&literal.to_string()).ok(),
        _ => None,
    };
    let Some(path) = path else {
        let found = tokens.found();
        let message = format!(
            "expected the path of a CSV file in quotes, found {found}; leave `=` out for a table that is given to a run"
        );
        return Err(tokens.error(message));
    };
    tokens.take();
    Ok((path.value(), place))
}
