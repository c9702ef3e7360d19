//! Why values cannot stand in the text of a model.

use super::super::error::remedy;
use super::super::{FileError, ModelFile};
use crate::diagnostic::Diagnostic;

/// Why values cannot be the defaults of a model's parameters.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DefaultsError {
    /// The file or the model is wrong as it is.
    #[error(transparent)]
    File(#[from] FileError),
    /// The model has no parameter of this name, and sets no such initial value.
    #[error(
        "the model `{model}` has no parameter and sets no initial value `{parameter}`; {}",
        remedy(parameter, known)
    )]
    UnknownParameter {
        /// The model.
        model: String,
        /// The name that is given.
        parameter: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// An initial value follows from parameters.
    #[error(
        "the initial value of `{coordinate}` in line {line} is a formula of parameters; set these, or write a number first"
    )]
    Formula {
        /// The coordinate, or `dot(x)` for its velocity.
        coordinate: String,
        /// The line of the initial value, from 1.
        line: usize,
    },
    /// A parameter has two values.
    #[error("`{parameter}` has two values, {first} and {second}; keep one of them", first = costate_contract::shown::Exact(*first), second = costate_contract::shown::Exact(*second))]
    Twice {
        /// The parameter.
        parameter: String,
        /// Its first value.
        first: f64,
        /// Its second value.
        second: f64,
    },
    /// A value is no number, or none in the unit of the default.
    #[error(
        "the value of `{parameter}` is {value}{unit}, not a finite number; give one, or leave the parameter out", value = costate_contract::shown::Shown(*value)
    )]
    NotFinite {
        /// The parameter.
        parameter: String,
        /// The value, in the unit of the default.
        value: f64,
        /// That unit, in brackets, if the default has one of its own.
        unit: String,
    },
    /// Parameters or initial values have one number together, and would need several.
    #[error(
        "line {line} has one value for {}; give all of them one, or write them one by one",
        parameters.iter().map(described).collect::<Vec<_>>().join(", ")
    )]
    Shared {
        /// The line of the number, from 1.
        line: usize,
        /// Names and values, those that they have where no others are given.
        parameters: Vec<(String, Option<f64>)>,
    },
    /// With these defaults the file has mistakes.
    #[error("with these defaults `{}` has errors, and is not written", file.path().display())]
    Refused {
        /// The file as it would be.
        file: Box<ModelFile>,
        /// The mistakes.
        errors: Vec<Diagnostic>,
    },
    /// The value that would be written is another one.
    #[error("the value of `{parameter}` would be {} and not {value}; set it by hand", written(found), value = costate_contract::shown::Shown(*value))]
    NotWritten {
        /// The parameter.
        parameter: String,
        /// The value that is given.
        value: f64,
        /// What would be read.
        found: Option<f64>,
    },
}

/// `c[2]` = 3.
fn described((name, value): &(String, Option<f64>)) -> String {
    format!("`{name}` = {}", written(value))
}

fn written(value: &Option<f64>) -> String {
    value.map_or("no value".to_owned(), number)
}

/// A number as the language writes it, with the fewest digits that give it back.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value}") } else { format!("{value:?}") }
}
