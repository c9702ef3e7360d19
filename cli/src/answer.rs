//! The answer of a command: text for a terminal, or one JSON object for programs.

use serde_json::{Value, json};

use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::print;

/// The answer of a command that was carried out.
#[derive(Debug)]
pub struct Answer {
    /// Text for the standard output, with its line breaks.
    pub text: String,
    /// The object that `--json` prints; `Null` where it has been printed.
    pub json: Value,
    /// The exit code.
    pub exit: Exit,
}

impl Answer {
    /// The answer of a command that is done.
    pub fn new(text: impl Into<String>, json: Value) -> Self {
        Self { text: text.into(), json, exit: Exit::Done }
    }

    /// Adds what makes the result doubtful, a line for each.
    #[must_use]
    pub fn doubted(mut self, doubts: &[String]) -> Self {
        for doubt in doubts {
            self.text += &format!("doubtful: {doubt}\n");
            self.exit = Exit::Doubtful;
        }
        self
    }

    /// Prints the answer in one of its forms.
    ///
    /// # Errors
    /// [`CommandError::Print`].
    pub fn print(&self, as_json: bool) -> Result<(), CommandError> {
        match as_json {
            true if self.json.is_null() => Ok(()),
            true => print(&format!("{}\n", self.json)),
            false => print(&self.text),
        }
    }
}

/// The object that `--json` prints after an error.
pub fn of_error(message: &str, diagnostics: Vec<Value>) -> Value {
    let mut object = json!({ "error": message });
    if !diagnostics.is_empty() {
        object["diagnostics"] = diagnostics.into();
    }
    object
}
