//! The answer of a command: text for a terminal, or one JSON object for programs.

use std::path::PathBuf;

use costate::command::shown::plain;
use serde_json::Value;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::{PrintError, print};
use crate::{doubts, state, words};

/// The answer of a command that was carried out.
#[derive(Debug)]
pub struct Answer {
    /// Text for the standard output, with its line breaks.
    pub text: String,
    /// The object that `--json` prints; `Null` where it has been printed.
    pub json: Value,
    /// The exit code.
    pub exit: Exit,
    /// Errors of what could not be done with the result, such as files that could not be written; the result is printed
    /// all the same.
    pub failed: Vec<CommandError>,
    /// States of work that are no longer needed once the answer has been printed.
    pub obsolete: Vec<PathBuf>,
}

impl Answer {
    /// The answer of a command that is done.
    pub fn new(text: impl Into<String>, json: Value) -> Self {
        Self { text: text.into(), json, exit: Exit::Done, failed: Vec::new(), obsolete: Vec::new() }
    }

    /// Adds what could not be done with the result; the first one is the error of the command.
    #[must_use]
    pub fn without(mut self, failed: Vec<CommandError>) -> Self {
        if let Some(first) = failed.first() {
            if self.json.is_object() {
                let all = failed.iter().map(CommandError::text).collect::<Vec<_>>();
                self.json["error"] = all.join("; ").into();
            }
            self.exit = first.exit();
        }
        self.failed.extend(failed);
        self
    }

    /// Adds a state that is removed when all is written and printed.
    #[must_use]
    pub fn making_obsolete(mut self, state: Option<PathBuf>) -> Self {
        self.obsolete.extend(state);
        self
    }

    /// Adds what makes the result doubtful, a line for each.
    #[must_use]
    pub fn doubted(mut self, doubts: &[String]) -> Self {
        for doubt in doubts {
            self.text += &format!("doubtful: {}\n", words::of_command(doubt));
            if self.failed.is_empty() {
                self.exit = Exit::Doubtful;
            }
        }
        self
    }

    /// Prints the answer in one of its forms, and then what could not be done with it. States that are no longer needed
    /// are removed where nothing is lost. Returns the exit code.
    ///
    /// # Errors
    /// [`PrintError`].
    pub fn print(&self, as_json: bool) -> Result<Exit, PrintError> {
        match as_json {
            true if self.json.is_null() => {}
            true => print(&format!("{}\n", doubts::beside(self.json.clone())))?,
            false => print(&self.text)?,
        }
        self.failed.iter().for_each(CommandError::print);
        for path in &self.obsolete {
            match self.failed.is_empty() {
                true => state::remove(path),
                false if !path.exists() => {}
                false => eprintln!("the same call continues from `{}`", plain(&path.display().to_string())),
            }
        }
        Ok(doubts::exit(self.exit))
    }
}
