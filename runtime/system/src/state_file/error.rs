//! The errors of state files.

use std::path::PathBuf;

use costate_ensemble::{StateDifference, list_differences};

/// A state file that cannot be read, written or continued from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum StateFileError {
    /// The file cannot be read.
    #[error("cannot read the state file `{}`", .file.display())]
    Read { file: PathBuf, source: std::io::Error },
    /// The file cannot be written.
    #[error("cannot write the state file `{}`", .file.display())]
    Write { file: PathBuf, source: std::io::Error },
    /// Other work uses the same file.
    #[error(
        "the state file `{}` is in use by other work, of this process or of another one: give each its own file, or \
         wait until the other one has ended",
        .file.display()
    )]
    InUse { file: PathBuf },
    /// The file is not a state.
    #[error(
        "`{}` is not a state file, or is damaged: delete it to start afresh, or choose another file",
        .file.display()
    )]
    Content { file: PathBuf, source: serde_json::Error },
    /// The file was written by another version.
    #[error(
        "the state file `{}` has format {stored}, this version reads format {expected}: delete it to start afresh, or \
         continue with the version that wrote it",
        .file.display()
    )]
    Format { file: PathBuf, stored: u32, expected: u32 },
    /// The state of another kind of work.
    #[error("the state file `{}` belongs to {stored}, not to {given}: choose another file", .file.display())]
    Work { file: PathBuf, stored: String, given: &'static str },
    /// The content was altered after it was written.
    #[error(
        "the state file `{}` is damaged, its content is not what was written: delete it to start afresh, or bring back \
         a copy",
        .file.display()
    )]
    Damaged { file: PathBuf },
    /// The state belongs to another model, or to other settings or data.
    #[error(
        "the state file `{}` was written with other settings or data: {}. Restore these, or delete the file to start \
         afresh",
        .file.display(), list_differences(.differences)
    )]
    Differs { file: PathBuf, differences: Vec<StateDifference> },
}
