//! Names and units of the columns of a file.

use super::RecordError;
use super::heading::{Heading, Wrapped, symbol, unwrapped};
use super::options::CsvReader;
use super::sniff::Dialect;
use super::taken::Units;

/// Names and units of the columns.
pub type Names = (Vec<(String, Option<String>)>, Units);

/// Returns the names and units of the columns, and where the units stand.
pub fn names(dialect: &Dialect, options: &CsvReader, file: &str) -> Result<Names, RecordError> {
    let width = dialect.rows.iter().map(|(_, cells)| filled(cells)).max().unwrap_or(0);
    let texts: Vec<String> = match (&options.names, &dialect.heading) {
        (Some(names), _) => {
            let found = dialect.heading.as_ref().map_or(width, |(_, cells)| filled(cells));
            if names.len() < found {
                let value = format!("{} names", names.len());
                return Err(RecordError::Option {
                    option: "names",
                    value,
                    limit: format!("one for each of {found} columns"),
                });
            }
            names.clone()
        }
        (None, Some((_, cells))) => cells.clone(),
        // what is all numbers has no names, if it needs none for the time
        (None, None) if options.no_heading || options.has_clock() => {
            (1..=width).map(|column| column.to_string()).collect()
        }
        (None, None) => return Err(RecordError::NoHeader { file: file.to_owned(), line: dialect.first }),
    };
    let own = dialect.heading.as_ref().filter(|_| options.names.is_some()).map(|(_, cells)| cells);
    let mut units = Units::Nowhere;
    let mut names = Vec::with_capacity(texts.len());
    let has_outputs = texts.iter().any(|text| text.trim().to_lowercase().ends_with("(out)"));
    for (column, text) in texts.iter().enumerate() {
        let (heading, wrapped) = match Heading::parse(text) {
            // an input beside an output, and no inch
            (Heading { unit: Some("in"), .. }, Wrapped::Parentheses) if has_outputs => {
                (Heading { name: text.trim(), unit: None }, Wrapped::Nothing)
            }
            parsed => parsed,
        };
        let mut unit = heading.unit.map(str::to_owned);
        // names that are given keep the units of the file
        if let Some(cell) = own.and_then(|cells| cells.get(column)).filter(|_| unit.is_none()) {
            unit = Heading::parse(cell).0.unit.map(str::to_owned);
        }
        match wrapped {
            Wrapped::Parentheses => units = Units::Parentheses,
            Wrapped::Brackets if unit.is_some() && units == Units::Nowhere => units = Units::Brackets,
            _ => {}
        }
        if let Some((line, cells)) = &dialect.units {
            units = Units::Row(*line);
            let below = cells.get(column).map(|cell| unwrapped(cell)).filter(|text| !matches!(*text, "" | "-"));
            unit = unit.or(below.map(|unit| symbol(unit).to_owned()));
        }
        names.push((heading.name.to_owned(), unit));
    }
    while dialect.heading.is_some()
        && names.len() > width.max(1)
        && names.last().is_some_and(|(name, _)| name.is_empty())
    {
        names.pop();
    }
    for (channel, unit) in &options.units {
        let Some(found) = names.iter_mut().find(|(name, _)| name == channel) else {
            let limit = format!("one of {}", names.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join(", "));
            return Err(RecordError::Option { option: "unit", value: channel.clone(), limit });
        };
        found.1 = Some(unit.clone());
    }
    Ok((names, units))
}

/// Returns the number of cells up to the last one that is not empty.
fn filled(cells: &[String]) -> usize {
    cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1)
}
