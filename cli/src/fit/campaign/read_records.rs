//! Reading how a campaign's records are read.

use costate_measure::record::{CsvReader, DateOrder, Decimal, Encoding, Record, Separator};

use super::document::{Entry, Section};
use super::error::CampaignError;
use super::fields;

/// Reads the options of a reader, named as the options of the command are.
///
/// # Errors
/// [`CampaignError`].
pub fn reading(entry: &Entry<'_>) -> Result<CsvReader, CampaignError> {
    let section = entry.section(fields::READING)?;
    let mut reader = Record::reader();
    for pattern in texts(&section, "channels")? {
        reader = reader.channels(pattern);
    }
    for pattern in texts(&section, "group")? {
        reader = reader.group(pattern);
    }
    for text in texts(&section, "missing")? {
        reader = reader.missing(text);
    }
    for column in section.read("ignore", columns)?.unwrap_or_default() {
        reader = reader.ignore(column);
    }
    let names = texts(&section, "names")?;
    if !names.is_empty() {
        reader = reader.names(names);
    }
    if let Some(column) = section.read("time", column)? {
        reader = reader.time_column(column);
    }
    if let Some(unit) = section.read("time_unit", Entry::text)? {
        reader = reader.time_unit(unit.value);
    }
    if let Some(rate) = section.read("rate", |entry| entry.amount()?.positive("the rate", "Hz"))? {
        reader = reader.rate(rate);
    }
    if let Some(interval) = section.read("every", |entry| entry.amount()?.positive("the interval", "s"))? {
        reader = reader.every(interval);
    }
    if let Some(variable) = section.read("rate_of", Entry::text)? {
        reader = reader.rate_of(variable.value);
    }
    if let Some((from, to)) = section.read("part", span)? {
        reader = reader.part(from, to);
    }
    if let Some(origin) = section.read("counting_from", Entry::text)? {
        reader = reader.counting_from(origin.value);
    }
    if let Some(lines) = section.read("skip_lines", Entry::count)? {
        reader = reader.skip_lines(lines as u64);
    }
    if section.read("thousands", Entry::boolean)?.unwrap_or(false) {
        reader = reader.thousands();
    }
    if section.read("no_heading", Entry::boolean)?.unwrap_or(false) {
        reader = reader.no_heading();
    }
    reader = match section.read("decimal", |entry| entry.choice(&["point", "comma"]))? {
        Some("comma") => reader.decimal(Decimal::Comma),
        Some(_) => reader.decimal(Decimal::Point),
        None => reader,
    };
    let separators = &["comma", "semicolon", "tab", "pipe", "blanks"];
    reader = match section.read("separator", |entry| entry.choice(separators))? {
        Some("comma") => reader.separator(Separator::Comma),
        Some("semicolon") => reader.separator(Separator::Semicolon),
        Some("tab") => reader.separator(Separator::Tab),
        Some("pipe") => reader.separator(Separator::Pipe),
        Some(_) => reader.separator(Separator::Blanks),
        None => reader,
    };
    let encodings = &["utf8", "utf16le", "utf16be", "windows1252"];
    reader = match section.read("encoding", |entry| entry.choice(encodings))? {
        Some("utf8") => reader.encoding(Encoding::Utf8),
        Some("utf16le") => reader.encoding(Encoding::Utf16Le),
        Some("utf16be") => reader.encoding(Encoding::Utf16Be),
        Some(_) => reader.encoding(Encoding::Windows1252),
        None => reader,
    };
    Ok(match section.read("dates", |entry| entry.choice(&["day_first", "month_first"]))? {
        Some("day_first") => reader.dates(DateOrder::DayFirst),
        Some(_) => reader.dates(DateOrder::MonthFirst),
        None => reader,
    })
}

/// Reads a text, or a list of them.
fn texts(section: &Section<'_>, field: &str) -> Result<Vec<String>, CampaignError> {
    let texts = section.read(field, Entry::texts)?.unwrap_or_default();
    Ok(texts.into_iter().map(|text| text.value).collect())
}

/// Reads the name of a column, or its number.
fn column(entry: &Entry<'_>) -> Result<String, CampaignError> {
    entry.count().map(|number| number.to_string()).or_else(|_| Ok(entry.text()?.value))
}

fn columns(entry: &Entry<'_>) -> Result<Vec<String>, CampaignError> {
    match column(entry) {
        Ok(column) => Ok(vec![column]),
        Err(_) => entry.list()?.iter().map(column).collect(),
    }
}

fn span(entry: &Entry<'_>) -> Result<(f64, f64), CampaignError> {
    match &entry.list()?[..] {
        [from, to] => Ok((from.amount()?.in_unit("the time", "s")?, to.amount()?.in_unit("the time", "s")?)),
        _ => Err(entry.other("the first and the last time in s, `[0.0, 0.5]`")),
    }
}
