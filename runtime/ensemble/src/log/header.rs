//! The first line of a log, which describes the work that the log belongs to.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::description::Description;
use crate::error::EnsembleError;
use crate::task::Tasks;

/// Changes when the content of logs changes.
const FORMAT: u32 = 1;

/// The first line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub format: u32,
    pub work: String,
    /// Number of tasks when the log was written. A log may be continued with more of them.
    pub tasks: usize,
    pub description: Description,
}

/// The part of the header that all versions have.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

impl Header {
    /// Makes the header of these tasks.
    pub fn of(tasks: &Tasks) -> Self {
        Self { format: FORMAT, work: tasks.work.clone(), tasks: tasks.count, description: tasks.description.clone() }
    }

    /// Refuses more tasks than a log can hold.
    pub fn check_count(&self) -> Result<(), EnsembleError> {
        self.check_count_of(None, "give several of them to one task, or several folders one part of them each")
    }

    fn check_count_of(&self, file: Option<&Path>, remedy: &'static str) -> Result<(), EnsembleError> {
        /// Largest number of tasks of a log: each is a line, and readers of a log keep data of each.
        const MAX_TASKS: usize = 10_000_000;
        match self.tasks <= MAX_TASKS {
            true => Ok(()),
            false => {
                let (file, tasks, most) = (file.map(Path::to_owned), self.tasks, MAX_TASKS);
                Err(EnsembleError::TooMany { file, tasks, most, remedy })
            }
        }
    }

    /// Reads the first line of a file.
    pub fn read(content: Option<&str>, file: &Path) -> Result<Self, EnsembleError> {
        let wrong = || EnsembleError::Content { file: file.to_owned() };
        let content = content.ok_or_else(wrong)?;
        let Format { format } = serde_json::from_str(content).map_err(|_| wrong())?;
        if format != FORMAT {
            return Err(EnsembleError::Format { file: file.to_owned(), stored: format, expected: FORMAT });
        }
        let header: Self = serde_json::from_str(content).map_err(|_| wrong())?;
        header.check_count_of(Some(file), "its first line is wrong, move it out of the folder")?;
        Ok(header)
    }

    /// Checks that the log of `file`, which has this header, belongs to the work of the `given` header.
    pub fn check(&self, given: &Self, file: &Path) -> Result<(), EnsembleError> {
        let file = file.to_owned();
        if self.work != given.work {
            let (stored, given) = (self.work.clone(), given.work.clone());
            return Err(EnsembleError::Work { file, stored, given });
        }
        match self.description.differences(&given.description) {
            none if none.is_empty() => Ok(()),
            differences => Err(EnsembleError::Differs { file, differences }),
        }
    }
}
