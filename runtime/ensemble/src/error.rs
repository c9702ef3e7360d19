//! Reasons why tasks cannot be done, continued or collected.

use std::path::PathBuf;

use crate::description::{StateDifference, list_differences};
use crate::executor::ExecutorError;

/// Reason why tasks cannot be done, continued or collected. The failure of a single task is part of the results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum EnsembleError {
    /// A log or its folder cannot be read.
    #[error("cannot read `{}`", .file.display())]
    Read { file: PathBuf, source: std::io::Error },
    /// A log or its folder cannot be written.
    #[error("cannot write `{}`; what was written before is kept", .file.display())]
    Write { file: PathBuf, source: std::io::Error },
    /// Another process does the same tasks.
    #[error(
        "the logs in `{}` are in use by another process that does {}: wait until it has ended, or give every process \
             its own shard",
        .folder.display(), .what
    )]
    InUse { folder: PathBuf, what: &'static str },
    /// A file is no log.
    #[error("`{}` is not a log of tasks, or its first line is damaged: move it out of the folder", .file.display())]
    Content { file: PathBuf },
    /// There are more tasks than a log can hold.
    #[error("{} has {tasks} tasks, a log has at most {most}: {remedy}", of_log(.file.as_ref()))]
    TooMany {
        /// The log with this number of tasks; `None` if the tasks were to be done.
        file: Option<PathBuf>,
        tasks: usize,
        most: usize,
        remedy: &'static str,
    },
    /// The machine has no memory for the results.
    #[error(transparent)]
    Memory(#[from] costate_contract::machine::OutOfMemory),
    /// A log was written by another version.
    #[error(
        "the log `{}` has format {stored}, this version reads format {expected}: choose another folder, or continue \
             with the version that wrote it",
        .file.display()
    )]
    Format { file: PathBuf, stored: u32, expected: u32 },
    /// A log belongs to another kind of work.
    #[error("the log `{}` belongs to {stored}, not to {given}: choose another folder", .file.display())]
    Work { file: PathBuf, stored: String, given: String },
    /// A log belongs to work with another description.
    #[error(
        "the log `{}` was written with other settings or data: {}. Restore these, or choose another folder",
        .file.display(), list_differences(.differences)
    )]
    Differs { file: PathBuf, differences: Vec<StateDifference> },
    /// The folder has no logs.
    #[error("there is no log in `{}`; give the folder into which the tasks were written", .folder.display())]
    NoLogs { folder: PathBuf },
    /// A record has another type of result than its task.
    #[error(
        "the log has a result of task {task} that cannot be read: choose another folder, or continue with the version \
             that wrote it"
    )]
    Result { task: usize, source: serde_json::Error },
    /// Processes have lost contact.
    #[error(transparent)]
    Executor(#[from] ExecutorError),
    /// The process that deals the tasks has failed.
    #[error("the process that distributes the tasks has ended: {message}")]
    Root { message: String },
    /// Some tasks are left to other processes.
    #[error("{}", unfinished(*.done, *.tasks, .folder.as_ref()))]
    Unfinished { done: usize, tasks: usize, folder: Option<PathBuf> },
}

fn of_log(file: Option<&PathBuf>) -> String {
    file.map_or_else(|| "the work".to_owned(), |file| format!("the log `{}`", file.display()))
}

fn unfinished(done: usize, tasks: usize, folder: Option<&PathBuf>) -> String {
    let how = folder.map_or(String::new(), |folder| {
        format!(": let the other shards end, then run once more without a shard on `{}`", folder.display())
    });
    format!("{done} of {tasks} tasks are done{how}")
}
