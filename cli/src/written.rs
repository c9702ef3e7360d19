//! Files that hold a result of a command.

use std::path::{Path, PathBuf};

use costate::command::shown::plain;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::error::CommandError;

/// The files of a result. One that cannot be written keeps neither the others nor the result from being shown.
#[derive(Debug, Default)]
pub struct Written {
    /// The files that have been written.
    pub files: Vec<PathBuf>,
    /// The reasons of those that have not.
    pub failed: Vec<CommandError>,
}

impl Written {
    /// Takes note of a file.
    pub fn add(&mut self, path: &Path, written: Result<(), CommandError>) {
        match written {
            Ok(()) => self.files.push(path.to_owned()),
            Err(error) => self.failed.push(error),
        }
    }

    /// Writes every file of a list by a function.
    pub fn each<T: Copy>(files: &[(&Path, T)], write: impl Fn(&Path, T) -> Result<(), CommandError>) -> Self {
        let mut own = Self::default();
        for (path, format) in files {
            own.add(path, write(path, *format));
        }
        own
    }

    /// Returns the answer of a command with lines about the files.
    pub fn answer(self, mut text: String, mut json: Value) -> Answer {
        for path in &self.files {
            text += &format!("`{}` is written\n", plain(&path.display().to_string()));
        }
        json["files"] = json!(self.files);
        Answer::new(text, json).without(self.failed)
    }
}
