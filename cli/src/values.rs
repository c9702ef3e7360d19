//! Values of parameters by their names, from a file.

use std::fmt;
use std::path::Path;

use costate_compiler::FileError;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::command_errors;
use crate::options::extension;

/// The error in a file of values.
#[derive(Debug, thiserror::Error)]
pub enum ValuesError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is neither JSON nor CSV.
    #[error("`{0}` is not a file of parameter values; give one whose name ends with `json` or `csv`")]
    Format(String),
    /// The file is not JSON, or JSON with another structure; the source has the line.
    #[error("`{path}`: {source}")]
    Json { path: String, source: serde_json::Error },
    /// The file is not CSV; the source has the line.
    #[error("`{path}`: {source}")]
    Csv { path: String, source: csv::Error },
    /// A CSV file without one of the columns.
    #[error("`{path}` has no column `{column}`; write the heading `name,value`")]
    NoColumn { path: String, column: &'static str },
    /// A value is not a number.
    #[error("`{path}`: the value of `{name}` is `{text}`; write a number")]
    NoNumber { path: String, name: String, text: String },
}

command_errors!(Wrong: ValuesError);

/// Reads names and values, in the order of the file.
pub fn read(path: &Path) -> Result<Vec<(String, f64)>, ValuesError> {
    let name = path.display().to_string();
    let extension = extension(path);
    if extension != "json" && extension != "csv" {
        return Err(ValuesError::Format(name));
    }
    let text = costate::command::files::read_text(path)
        .map_err(|source| FileError::Unreadable { path: path.to_owned(), source: source.into() })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if extension == "json" { json(&name, text) } else { csv(&name, text) }
}

/// Reads `{"name": 1.0}`, or `{"parameters": {"name": 1.0}}` with any other members beside it. In place of a number,
/// an object may have the number as its member `found`, as examples write their fits.
fn json(path: &str, text: &str) -> Result<Vec<(String, f64)>, ValuesError> {
    let wrong = |source| ValuesError::Json { path: path.to_owned(), source };
    let Members(mut members) = serde_json::from_str(text).map_err(wrong)?;
    let of_fit = |(name, value): &&(String, Box<RawValue>)| name == "parameters" && value.get().starts_with('{');
    if let Some((_, parameters)) = members.iter().find(of_fit) {
        Members(members) = serde_json::from_str(parameters.get()).map_err(wrong)?;
    }
    let number = |(name, value): (String, Box<RawValue>)| {
        let found = |found: Found| found.found;
        match serde_json::from_str(value.get()).or_else(|_| serde_json::from_str(value.get()).map(found)) {
            Ok(value) => Ok((name, value)),
            Err(_) => {
                // a message shows the beginning of a long value
                let text = value.get().chars().take(60).collect();
                Err(ValuesError::NoNumber { path: path.to_owned(), name, text })
            }
        }
    };
    members.into_iter().map(number).collect()
}

/// A parameter in the file of a fit.
#[derive(Deserialize)]
struct Found {
    found: f64,
}

/// The members of an object in their order. Repeated names are kept, so that a message can name them.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object with the names of parameters, as in `{\"c\": 125.0}`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Reads a line for every parameter under a heading with the columns `name` and `value`; other columns are ignored.
fn csv(path: &str, text: &str) -> Result<Vec<(String, f64)>, ValuesError> {
    let wrong = |source| ValuesError::Csv { path: path.to_owned(), source };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let headings = reader.headers().map_err(wrong)?.clone();
    let column = |column: &'static str| {
        let position = headings.iter().position(|heading| heading == column);
        position.ok_or_else(|| ValuesError::NoColumn { path: path.to_owned(), column })
    };
    let (names, values) = (column("name")?, column("value")?);
    let mut found = Vec::new();
    for row in reader.records() {
        let row = row.map_err(wrong)?;
        // All rows are as long as the heading; the reader refuses others.
        let cell = |column| row.get(column).unwrap_or_default().to_owned();
        let (name, text) = (cell(names), cell(values));
        match text.parse() {
            Ok(value) => found.push((name, value)),
            Err(_) => return Err(ValuesError::NoNumber { path: path.to_owned(), name, text }),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    /// Tests that mutated files of values give either numbers by their names or an error.
    #[test]
    fn mutated_values() {
        let folder = tempfile::tempdir().unwrap();
        let seeds: [&[u8]; 3] = [
            b"{\"c\": 125.0, \"d\": {\"found\": 1e-3, \"start\": [1]}}",
            b"{\"cost\": 1, \"parameters\": {\"c\": {\"found\": 125.0}}}",
            b"name,unit,value\nc,N/m,125\n\"d, e\",1,-0.5\n",
        ];
        costate_fuzz::drive("values", &seeds, &["\"found\":", "parameters", "value", "null"], |bytes| {
            let mut outcomes = String::new();
            for name in ["a.json", "a.csv"] {
                let path = folder.path().join(name);
                std::fs::write(&path, bytes).unwrap();
                outcomes += &match super::read(&path) {
                    Ok(_) => "read".to_owned(),
                    Err(error) => error.to_string().replace(&path.display().to_string(), ""),
                };
            }
            outcomes
        });
    }
}
