//! Why tasks cannot be done, continued or collected.

use std::path::PathBuf;

use crate::description::{StateDifference, list_differences};
use crate::executor::ExecutorError;

/// Tasks that cannot be done, continued or collected. That a single task fails is part of the results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleError {
    /// A log or its folder cannot be read.
    #[error("cannot read `{}`", .file.display())]
    Read {
        /// The file or folder.
        file: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A log or its folder cannot be written.
    #[error("cannot write `{}`; what was written before is kept", .file.display())]
    Write {
        /// The file or folder.
        file: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// Another process does the same tasks.
    #[error(
        "the logs in `{}` are in use by another process that does {}: wait until it has ended, or give every process its own shard",
        .folder.display(), .what
    )]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// What the other process does.
        what: &'static str,
    },
    /// A file that is no log.
    #[error("`{}` is not a log of tasks, or its first line is damaged: move it out of the folder", .file.display())]
    Content {
        /// The file.
        file: PathBuf,
    },
    /// More tasks than a log can be of.
    #[error("{} has {tasks} tasks, a log has at most {most}: {remedy}", of_log(.file.as_ref()))]
    TooMany {
        /// The log that says so; `None` where they were to be done.
        file: Option<PathBuf>,
        /// How many there are.
        tasks: usize,
        /// How many there may be.
        most: usize,
        /// What to do.
        remedy: &'static str,
    },
    /// Results for which the machine has no memory.
    #[error(transparent)]
    Memory(#[from] costate_machine::OutOfMemory),
    /// A log of another version.
    #[error(
        "the log `{}` has format {stored}, this version reads format {expected}: choose another folder, or continue with the version that wrote it",
        .file.display()
    )]
    Format {
        /// The file.
        file: PathBuf,
        /// The format that it has.
        stored: u32,
        /// The format of this version.
        expected: u32,
    },
    /// A log of another kind of work.
    #[error("the log `{}` is that of {stored}, not of {given}: choose another folder", .file.display())]
    Work {
        /// The file.
        file: PathBuf,
        /// What it is the log of.
        stored: String,
        /// What was to be done.
        given: String,
    },
    /// A log that belongs to something else.
    #[error(
        "the log `{}` belongs to something else: {}. Change that back, or choose another folder",
        .file.display(), list_differences(.differences)
    )]
    Differs {
        /// The file.
        file: PathBuf,
        /// What differs; at least one.
        differences: Vec<StateDifference>,
    },
    /// A folder without logs.
    #[error("there is no log in `{}`; name the folder that the tasks were told to write to", .folder.display())]
    NoLogs {
        /// The folder.
        folder: PathBuf,
    },
    /// A record with another kind of result than its task has.
    #[error(
        "the log has a result of task {task} that cannot be read: choose another folder, or continue with the version that wrote it"
    )]
    Result {
        /// The task.
        task: usize,
        /// The reason.
        source: serde_json::Error,
    },
    /// Processes have lost each other.
    #[error(transparent)]
    Executor(#[from] ExecutorError),
    /// What has gone wrong in the process that deals the tasks.
    #[error("the process that deals the tasks has ended: {message}")]
    Root {
        /// Its error.
        message: String,
    },
    /// Tasks that are left to others.
    #[error("{}", unfinished(*.done, *.tasks, .folder.as_ref()))]
    Unfinished {
        /// Tasks with an outcome.
        done: usize,
        /// All tasks.
        tasks: usize,
        /// The folder with the logs.
        folder: Option<PathBuf>,
    },
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
