//! The error of a command: an error of a subcommand or of the library, with its exit code and its places in texts.

use std::error::Error;
use std::iter::successors;

use costate::campaign::error::with_causes;
use costate::command::shown::plain;
use costate::ensemble::EnsembleError;
use costate::identify::{FitFileError, IdentificationError};
use costate::measure::RecordError;
use costate::model::UnknownName;
use costate::simulate::{Interrupted, SimulationError};
use costate_compiler::{DefaultsError, FileError, ModelFile};
use serde_json::{Value, json};

use crate::diagnostics::{Kind, Mark, marks};
use crate::exit::Exit;
use crate::{doubts, words};

/// The reason why a command has failed.
#[derive(Debug)]
pub struct CommandError {
    error: Box<dyn Error>,
    exit: Exit,
    /// The places of the error in the text of a model, a campaign or an expression.
    marks: Vec<Mark>,
    /// The line after the marks.
    summary: Option<String>,
}

/// Makes errors of commands of other errors, which end a command with this exit code.
macro_rules! command_errors {
    ($exit:ident: $($error:ty),+ $(,)?) => {$(
        impl From<$error> for $crate::error::CommandError {
            fn from(error: $error) -> Self {
                Self::new(error, $crate::exit::Exit::$exit)
            }
        }
    )+};
}
pub(crate) use command_errors;

command_errors!(
    Wrong: UnknownName, EnsembleError, RecordError, SimulationError, IdentificationError, FitFileError,
    costate::animate::AnimationError, costate::cost::MeasurementError, costate::filter::FilterError,
    costate::interpreted::LoadError, costate::measure::ResponseError, costate::plot::PlotError,
    costate::restoring_force::RestoringForceError,
    costate::signal::SignalError, costate::vibration::VibrationError,
);

impl From<FileError> for CommandError {
    fn from(error: FileError) -> Self {
        let (marks, summary) = match &error {
            FileError::Model { path, errors } => {
                (ModelFile::read(path).map_or_else(|_| Vec::new(), |file| marks(&file, Kind::Error, errors)), None)
            }
            FileError::NotRust { path, text, range, message } => (
                vec![Mark::new(path, text.as_str(), range.clone(), message)],
                Some(format!("`{}` is not made of Rust tokens", path.display())),
            ),
            _ => (Vec::new(), None),
        };
        Self { summary, ..Self::new(error, Exit::Wrong).marked(marks) }
    }
}

impl From<DefaultsError> for CommandError {
    fn from(error: DefaultsError) -> Self {
        match error {
            DefaultsError::File(error) => error.into(),
            DefaultsError::Refused { ref file, ref errors } => {
                let (marks, summary) = (marks(file, Kind::Error, errors), Some(error.to_string()));
                Self { summary, ..Self::new(error, Exit::Wrong).marked(marks) }
            }
            error => Self::new(error, Exit::Wrong),
        }
    }
}

impl CommandError {
    /// Creates an error that ends the command with this exit code, unless it is an interruption.
    pub fn new(error: impl Error + 'static, exit: Exit) -> Self {
        let mut own = Self { error: Box::new(error), exit, marks: Vec::new(), summary: None };
        let simulation = matches!(own.error.downcast_ref(), Some(SimulationError::Interrupted(_)));
        let identification = matches!(own.error.downcast_ref(), Some(IdentificationError::Interrupted(_)));
        if simulation || identification || own.interruption().is_some() {
            own.exit = Exit::Interrupted;
        }
        own
    }

    /// Adds the places of the error, which are shown in place of its text.
    #[must_use]
    pub fn marked(self, marks: Vec<Mark>) -> Self {
        Self { marks, ..self }
    }

    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Prints the error, or its places with their lines.
    pub fn print(&self) {
        self.marks.iter().for_each(Mark::print);
        if self.marks.is_empty() {
            eprintln!("error: {}", self.text());
        } else if let Some(summary) = &self.summary {
            eprintln!("error: {summary}");
        }
    }

    /// Returns the object that `--json` prints.
    pub fn json(&self) -> Value {
        object(&self.text(), self.marks.iter().map(Mark::json).collect())
    }

    /// Returns the text with those of its causes, in the words of the command; of interrupted work, that of the
    /// interruption alone.
    pub fn text(&self) -> String {
        let error: &(dyn Error + 'static) = match self.interruption() {
            Some(interrupted) => interrupted,
            None => &*self.error,
        };
        plain(&words::of_command(&with_causes(error))).into_owned()
    }

    /// Finds the interruption among the causes, which is no fault of what was being done.
    fn interruption(&self) -> Option<&Interrupted> {
        causes(&*self.error).find_map(|cause| match cause.downcast_ref::<SimulationError>() {
            Some(SimulationError::Interrupted(interrupted)) => Some(interrupted),
            _ => cause.downcast_ref::<Interrupted>(),
        })
    }
}

fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    successors(error.source(), |&cause| cause.source())
}

/// Returns the object that `--json` prints after an error.
pub fn object(message: &str, diagnostics: Vec<Value>) -> Value {
    let mut object = json!({ "error": message });
    if !diagnostics.is_empty() {
        object["diagnostics"] = diagnostics.into();
    }
    doubts::beside(object)
}
