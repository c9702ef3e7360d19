//! The errors of serde and TOML in the words of the command: the value at its place, and what to write instead.

use std::ops::Range;

use costate_contract::shown::plain;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::error::{CampaignError, Fault};
use super::examples::example;
use super::place::{Place, Text};
use super::values::SECTION;
use crate::amount::check_size;

/// Returns the error of a text that is not TOML.
pub fn syntax(file: &Text, error: &Error) -> CampaignError {
    CampaignError::new(
        &place(file, error.span().unwrap_or_default()),
        Fault::Syntax(error.message().replace('\n', "; ")),
    )
}

/// Refuses what no field takes: dates, numbers that are not decimal, and numbers that double precision does not have.
///
/// # Errors
/// [`Fault::Type`] and [`Fault::Text`].
pub fn check_numbers(file: &Text, table: &DeTable<'_>) -> Result<(), CampaignError> {
    table.iter().try_for_each(|(_, value)| check_number(file, value))
}

fn check_number(file: &Text, value: &Spanned<DeValue<'_>>) -> Result<(), CampaignError> {
    let refused = |fault| Err(CampaignError::new(&place(file, value.span()), fault));
    let other = |wanted: &str| refused(Fault::Type { found: shown(file, value.span()), wanted: wanted.into() });
    match value.get_ref() {
        DeValue::Table(table) => check_numbers(file, table),
        DeValue::Array(list) => list.iter().try_for_each(|value| check_number(file, value)),
        DeValue::Datetime(_) => other("a number, or a text in quotes"),
        DeValue::Integer(digits) if digits.radix() != 10 => other("a number in decimal digits"),
        DeValue::Integer(digits) if digits.as_str().parse::<i128>().is_err() => {
            other("a number with fewer digits, or with an exponent, `1e40`")
        }
        DeValue::Float(digits) => {
            let number = digits.as_str().parse::<f64>().unwrap_or_default();
            if number.is_infinite() && digits.as_str().contains(|c: char| c.is_ascii_digit()) {
                return other("a number below 1.8e308, or `inf` for no bound");
            }
            check_size(digits.as_str(), number).or_else(|message| refused(Fault::Text(message)))
        }
        _ => Ok(()),
    }
}

/// Returns an error of serde in the words of the command.
pub fn value(file: &Text, error: &Error) -> CampaignError {
    let (message, range) = (error.message(), error.span().unwrap_or_default());
    let place = place(file, range.clone());
    let (said, expected) = message.rsplit_once(", expected ").unwrap_or((message, ""));
    let known = || expected.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let quoted = |text: &str| plain(text.strip_suffix('`').unwrap_or(text)).into_owned();
    let fault = if let Some(field) = said.strip_prefix("unknown field `") {
        let (path, field) = (place.field(), quoted(field));
        let section = path.strip_suffix(&format!(".{field}")).unwrap_or_default().to_owned();
        Fault::UnknownField { section, field, known: known() }
    } else if let Some(word) = said.strip_prefix("unknown variant `") {
        Fault::Choice { found: quoted(word), allowed: known() }
    } else if let Some(field) = said.strip_prefix("missing field `") {
        let field = quoted(field);
        let example = example(&place.field(), &field);
        Fault::Missing { field, example }
    } else if said.starts_with("invalid ") {
        Fault::Type { found: shown(file, range), wanted: wanted(expected, &place.field()) }
    } else {
        Fault::Text(message.to_owned())
    };
    CampaignError::new(&place, fault)
}

/// Says what to write in place of a value, from what serde has expected.
fn wanted(expected: &str, field: &str) -> String {
    match expected {
        "a string" => "a text in quotes".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "usize" | "u64" => "a whole number from 0".to_owned(),
        "a sequence" => "a list in brackets, `[a, b]`".to_owned(),
        "a pair" if field.ends_with("bounds") => "two bounds, `[0, 1e6]`; `inf` and `-inf` are no bounds".to_owned(),
        "a pair" => {
            let (section, field) = field.rsplit_once('.').unwrap_or(("", field));
            let example = example(section, field);
            let example = if example.starts_with('[') { &example } else { "[0, 1]" };
            format!("two values in brackets, e.g. `{field} = {example}`")
        }
        _ if expected.starts_with("struct ") => SECTION.to_owned(),
        _ => expected.to_owned(),
    }
}

fn place(file: &Text, range: Range<usize>) -> Place {
    Place::File { file: file.clone(), range }
}

/// Returns the value at these bytes as a message shows it.
fn shown(file: &Text, range: Range<usize>) -> String {
    // a message shows the beginning of a long value
    let text: String = file.text.get(range.clone()).unwrap_or_default().chars().take(40).collect();
    place(file, range).kind().map_or_else(|| format!("`{}`", plain(&text)), str::to_owned)
}
