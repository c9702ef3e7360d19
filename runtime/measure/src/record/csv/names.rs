//! Names and units of the columns of a file.

use super::RecordError;
use super::heading::{Heading, Wrapped, foreign_time, symbol, unwrapped};
use super::options::CsvReader;
use super::sniff::Dialect;
use super::taken::{Doubt, Units};

/// Names and units of the columns, where the units stand, and what is doubtful about them.
pub type Names = (Vec<(String, Option<String>)>, Units, Vec<Doubt>);

/// Returns the names and units of the columns.
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
    let doubts = inches(dialect, (&texts, &names), options);
    Ok((names, units, doubts))
}

/// Returns the doubts about columns in inches, such as `p (in)`, which may be an input `p` where no other column has a
/// unit in parentheses.
fn inches(
    dialect: &Dialect,
    (texts, names): (&[String], &[(String, Option<String>)]),
    options: &CsvReader,
) -> Vec<Doubt> {
    let Some((_, cells)) = &dialect.heading else { return Vec::new() };
    let of_cell = |cell| match Heading::parse(cell) {
        (heading, Wrapped::Parentheses) => heading.unit,
        _ => None,
    };
    if cells.iter().any(|cell| of_cell(cell).is_some_and(|unit| unit != "in") || foreign_unit(cell)) {
        return Vec::new();
    }
    let columns = cells.iter().zip(texts).zip(names);
    let doubtful = columns.filter(|((cell, text), (name, unit))| {
        let is_given =
            options.units.iter().any(|(given, _)| given == name) || Heading::in_brackets(text).unit.is_some();
        of_cell(cell).is_some() && unit.as_deref() == Some("in") && !is_given
    });
    doubtful.map(|((cell, _), (name, _))| Doubt::Inches { heading: cell.clone(), name: name.clone() }).collect()
}

/// Returns true for a time with a unit in parentheses that only times have, such as `Time (sec)`.
fn foreign_unit(cell: &str) -> bool {
    cell.trim().ends_with(')') && foreign_time(cell).flatten().is_some()
}

/// Returns the number of cells up to the last one that is not empty.
fn filled(cells: &[String]) -> usize {
    cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1)
}
