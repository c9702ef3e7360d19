//! Errors of replacing defaults in the text of a model.

use super::super::error::remedy;
use super::super::{FileError, ModelFile};
use crate::diagnostic::Diagnostic;

/// The reason why values cannot be the defaults of a model's parameters.
///
/// `line` is counted from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum DefaultsError {
    /// The file or the model is wrong before the change.
    #[error(transparent)]
    File(#[from] FileError),
    /// The model has no parameter of this name, and sets no such initial value.
    #[error(
        "the model `{model}` has no parameter and sets no initial value `{parameter}`; {}",
        remedy(parameter, known)
    )]
    UnknownParameter { model: String, parameter: String, known: Vec<String> },
    /// An initial value follows from parameters.
    #[error(
        "the initial value of `{coordinate}` in line {line} is a formula of parameters; set these, or write a number \
             first"
    )]
    Formula {
        /// The coordinate, or `dot(x)` for a velocity.
        coordinate: String,
        line: usize,
    },
    /// A parameter has two values.
    #[error("`{parameter}` has two values, {first} and {second}; keep one of \
         them", first = costate_contract::shown::Exact(*first), second = costate_contract::shown::Exact(*second))]
    Twice { parameter: String, first: f64, second: f64 },
    /// A value is not a finite number, or not one in the unit of the default.
    #[error(
        "the value of `{parameter}` is {value}{unit}, not a finite number; give one, or leave the parameter \
             out", value = costate_contract::shown::Shown(*value)
    )]
    NotFinite { parameter: String, value: f64, unit: String },
    /// Parameters or initial values share one number, but would need different ones.
    #[error(
        "line {line} has one value for {}; give all of them one, or write them one by one",
        parameters.iter().map(described).collect::<Vec<_>>().join(", ")
    )]
    Shared {
        line: usize,
        /// Names and values; the present values where none are given.
        parameters: Vec<(String, Option<f64>)>,
    },
    /// With these defaults the file has mistakes.
    #[error("with these defaults `{}` has errors, and is not written", file.path().display())]
    Refused { file: Box<ModelFile>, errors: Vec<Diagnostic> },
    /// The text would be read as another value.
    #[error("the value of `{parameter}` would be {} and not {value}; set it by \
         hand", written(found), value = costate_contract::shown::Shown(*value))]
    NotWritten {
        parameter: String,
        value: f64,
        /// The value that would be read; `None` if there would be none.
        found: Option<f64>,
    },
}

/// Writes `c[2]` = 3.
fn described((name, value): &(String, Option<f64>)) -> String {
    format!("`{name}` = {}", written(value))
}

fn written(value: &Option<f64>) -> String {
    value.map_or("no value".to_owned(), number)
}

/// Writes a number as the language does, with the fewest digits that are read as the same double.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value}") } else { format!("{value:?}") }
}
