//! Exceptions: the classes are those of the module `costate._errors`, the texts those of the library in Python's words.

use std::error::Error;
use std::iter::successors;

use costate::command::{BuildError, FileError};
use costate::identify::IdentificationError;
use costate::interpreted::LoadError;
use costate::measure::RecordError;
use costate::model::UnknownName;
use costate::simulate::{InputError, SimulationError};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

use crate::words;

/// The text about a defect of the library.
pub const DEFECT: &str = "a defect of costate has ended this call; please report it with the model and the call";

/// An error that becomes an exception.
pub trait Raised {
    /// Returns the exception.
    fn raised(self, py: Python<'_>) -> PyErr;
}

impl Raised for PyErr {
    fn raised(self, _: Python<'_>) -> PyErr {
        self
    }
}

/// Returns the exception of a class of `costate._errors` with this text.
pub fn of_text(py: Python<'_>, class: &str, text: &str) -> PyErr {
    with_fields(py, class, text, |_| Ok(()))
}

/// Returns the exception of a class of `costate._errors` with this text, whose attributes `fields` sets.
pub fn with_fields(
    py: Python<'_>,
    class: &str,
    text: &str,
    fields: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>,
) -> PyErr {
    let text = costate::command::shown::plain(text).into_owned();
    let made = py.import("costate._errors").and_then(|module| module.getattr(class)?.call1((&text,)));
    match made.and_then(|exception| fields(&exception).map(|()| exception)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => PyRuntimeError::new_err(text),
    }
}

/// Returns an error with its causes, as one text in Python's words.
pub fn text_of(error: &(dyn Error + 'static)) -> String {
    let all: Vec<String> = causes(error).map(ToString::to_string).collect();
    words::of_python(&all.join(": "))
}

/// Returns the causes of an error, itself first.
fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    successors(Some(error), |cause| {
        let cause: &'e (dyn Error + 'static) = *cause;
        cause.source()
    })
}

/// Makes an exception of this class, unless a cause of the error has one of its own.
pub fn of_error(py: Python<'_>, class: &str, error: &(dyn Error + 'static)) -> PyErr {
    let mut class = class;
    for cause in causes(error) {
        if let Some(unknown) = cause.downcast_ref::<UnknownName>() {
            return of_unknown(py, unknown);
        }
        if matches!(cause.downcast_ref(), Some(SimulationError::Interrupted(_)))
            || matches!(cause.downcast_ref(), Some(IdentificationError::Interrupted(_)))
        {
            return PyKeyboardInterrupt::new_err(());
        }
        let is_data = cause.is::<RecordError>()
            || cause.is::<InputError>()
            || cause.is::<costate::identify::DataError>()
            || cause.is::<costate::simulate::SettingsError>()
            || cause.is::<costate::measure::UnitError>()
            || cause.is::<costate::cost::MeasurementError>()
            || matches!(
                cause.downcast_ref(),
                Some(SimulationError::Input(_) | SimulationError::Settings(_) | SimulationError::TableUnit(_))
            )
            || matches!(cause.downcast_ref(), Some(IdentificationError::Data(_)));
        let is_run = cause.is::<SimulationError>()
            || matches!(
                cause.downcast_ref(),
                Some(IdentificationError::Simulation(_) | IdentificationError::StartValues(_))
            );
        if is_data {
            class = "DataError";
        } else if is_run {
            class = "SimulationError";
        }
    }
    let time = causes(error).find_map(time_of);
    with_fields(py, class, &text_of(error), |exception| exception.setattr("time", time))
}

/// Returns the time at which a run has failed.
fn time_of(error: &(dyn Error + 'static)) -> Option<f64> {
    match error.downcast_ref::<SimulationError>()? {
        SimulationError::StepTooSmall { time, .. } => Some(*time),
        _ => None,
    }
}

fn of_unknown(py: Python<'_>, unknown: &UnknownName) -> PyErr {
    with_fields(py, "UnknownNameError", &words::of_python(&unknown.to_string()), |exception| {
        exception.setattr("name", &unknown.name)?;
        exception.setattr("kind", unknown.kind)?;
        exception.setattr("available", unknown.available.clone())
    })
}

/// Makes exceptions of these classes of errors of the library.
macro_rules! raised_as {
    ($($error:ty => $class:literal),+ $(,)?) => {$(
        impl Raised for $error {
            fn raised(self, py: Python<'_>) -> PyErr {
                of_error(py, $class, &self)
            }
        }
    )+};
}

raised_as!(
    UnknownName => "Error",
    RecordError => "DataError",
    InputError => "DataError",
    SimulationError => "SimulationError",
    IdentificationError => "FitError",
    costate::identify::FitFileError => "FitError",
    costate::cost::MeasurementError => "DataError",
    costate::table::GridError => "DataError",
    costate::animate::AnimationError => "Error",
    costate::plot::PlotError => "Error",
    costate::signal::SignalError => "DataError",
    costate::measure::ResponseError => "DataError",
    costate::vibration::VibrationError => "SimulationError",
    costate::harmonic::HarmonicError => "SimulationError",
    costate::filter::FilterError => "SimulationError",
);

/// A mistake in a model, with its place in the text.
#[derive(Debug)]
pub struct Mistake {
    /// Line from 1.
    pub line: usize,
    /// Column from 1.
    pub column: usize,
    /// Length of the marked part of the line, in characters.
    pub length: usize,
    /// The mistake, and what to write instead.
    pub message: String,
}

/// A model that cannot be loaded.
#[derive(Debug)]
pub struct ModelFault {
    path: String,
    text: String,
    mistakes: Vec<Mistake>,
    message: String,
}

impl ModelFault {
    /// Takes an error in this text, in the thread that has found it.
    pub fn of_file(error: &FileError, path: &str, text: &str) -> Self {
        let mistakes = match error {
            FileError::Model { errors, .. } => {
                let mistake = |one: &_| mistake(text, one);
                errors.iter().map(mistake).collect()
            }
            FileError::NotRust { range, message, .. } => {
                let before = text.get(..range.start).unwrap_or(text);
                let start = before.rfind('\n').map_or(0, |at| at + 1);
                let column = before.get(start..).unwrap_or_default().chars().count() + 1;
                let line = before.matches('\n').count() + 1;
                vec![Mistake { line, column, length: range.len(), message: message.clone() }]
            }
            _ => Vec::new(),
        };
        Self { path: path.to_owned(), text: text.to_owned(), mistakes, message: text_of(error) }
    }
}

fn mistake(text: &str, found: &costate::command::Diagnostic) -> Mistake {
    let (line, column) = found.position();
    let marked = text.get(found.range()).and_then(|marked| marked.lines().next()).unwrap_or_default();
    Mistake { line, column, length: marked.chars().count(), message: found.message.clone() }
}

impl ModelFault {
    /// Takes the digest of another model than that of the text.
    pub fn of_other(digest: &str) -> Self {
        let message = format!("the text of the model was changed while it was compiled (to {digest}); load it again");
        Self { path: String::new(), text: String::new(), mistakes: Vec::new(), message }
    }
}

/// Makes the fault of a model of errors without a place.
macro_rules! model_faults {
    ($($error:ty),+) => {$(
        impl From<$error> for ModelFault {
            fn from(error: $error) -> Self {
                Self { path: String::new(), text: String::new(), mistakes: Vec::new(), message: text_of(&error) }
            }
        }
    )+};
}

model_faults!(LoadError, BuildError);

impl Raised for ModelFault {
    fn raised(self, py: Python<'_>) -> PyErr {
        let marked = self.mistakes.iter().map(|mistake| marked(&self.path, &self.text, mistake));
        let mut shown = marked.collect::<Vec<_>>().join("\n");
        if shown.is_empty() {
            shown = self.message;
        }
        let first = self.mistakes.first();
        let fields = |exception: &Bound<'_, PyAny>| {
            exception.setattr("line", first.map(|first| first.line))?;
            exception.setattr("column", first.map(|first| first.column))?;
            exception.setattr("path", &self.path)?;
            let all = self.mistakes.iter().map(|one| (one.line, one.column, one.message.as_str()));
            exception.setattr("mistakes", all.collect::<Vec<_>>())
        };
        // lines stay apart
        let lines: Vec<_> = shown.lines().map(costate::command::shown::plain).collect();
        let text = lines.join("\n");
        let made = py.import("costate._errors").and_then(|module| module.getattr("ModelError")?.call1((&text,)));
        match made.and_then(|exception| fields(&exception).map(|()| exception)) {
            Ok(exception) => PyErr::from_value(exception),
            Err(_) => PyRuntimeError::new_err(text),
        }
    }
}

/// Returns a mistake with its line, and a mark under the part that is wrong.
fn marked(path: &str, text: &str, mistake: &Mistake) -> String {
    /// Longest line that is shown.
    const LONGEST: usize = 200;
    let Mistake { line, column, length, message } = mistake;
    let mut shown = format!("{path}:{line}:{column}: {message}");
    if let Some(source) = text.lines().nth(line.saturating_sub(1)).filter(|source| source.len() <= LONGEST) {
        let number = line.to_string();
        let blank: String = source.chars().take(column - 1).map(|c| if c == '\t' { c } else { ' ' }).collect();
        let marks = "^".repeat((*length).max(1));
        shown += &format!("\n{number} | {source}\n{} | {blank}{marks}", " ".repeat(number.len()));
    }
    shown
}
