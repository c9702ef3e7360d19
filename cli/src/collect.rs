//! `costate collect`: what is in the logs of an ensemble, whoever wrote them.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use costate::command::shown::plain;
use costate::ensemble::Collection;

use crate::answer::Answer;
use crate::error::{CommandError, command_errors};
use crate::output::write;

/// Number of task numbers, and of errors, that are printed; of more, their count is.
const MAX_SHOWN: usize = 10;

/// Which logs, and where to.
#[derive(Debug, Args)]
pub struct Options {
    /// The folder with the logs. Processes may still write to them.
    folder: PathBuf,
    /// The file to write: the results by the numbers of the tasks, and which tasks have failed or are missing, as JSON.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Joined logs that are no JSON.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the joined logs")]
struct CollectionError(#[source] serde_json::Error);

command_errors!(Wrong: CollectionError);

/// Joins the logs.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let collection = Collection::read(&options.folder)?;
    let mut failed = Vec::new();
    if let Some(file) = &options.output {
        let text = serde_json::to_string_pretty(&collection).map_err(CollectionError)?;
        failed.extend(write(file, &(text + "\n")).err());
    }
    // texts of tasks may come from anywhere
    let text = plain(&report(&collection)).into_owned();
    let json = serde_json::to_value(&collection).map_err(CollectionError)?;
    Ok(Answer::new(text, json).without(failed))
}

fn report(collection: &Collection) -> String {
    let Collection { work, tasks, done, failed, missing, .. } = collection;
    let mut text =
        format!("{work}: {done} of {tasks} tasks done, {} failed, {} missing\n", failed.len(), missing.len());
    let mut line = |what: &str| _ = writeln!(text, "{what}");
    if !missing.is_empty() && missing.len() < *tasks {
        let numbers: Vec<_> = missing.iter().take(MAX_SHOWN).map(usize::to_string).collect();
        line(&format!("missing: {}{}", numbers.join(", "), more(missing.len())));
    }
    for (task, error) in failed.iter().take(MAX_SHOWN) {
        line(&format!("task {task} failed: {error}"));
    }
    if failed.len() > MAX_SHOWN {
        line(&format!("{} more have failed", failed.len() - MAX_SHOWN));
    }
    let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    line(&format!("{}, {:.3} s of work", plural(collection.logs, "log"), collection.seconds));
    if collection.damaged > 0 {
        line(&format!(
            "{} cut short or damaged, as by a kill: tasks without another outcome are done again",
            plural(collection.damaged, "line")
        ));
    }
    if collection.repeated > 0 {
        line(&format!("{} of tasks that had one already", plural(collection.repeated, "outcome")));
    }
    if !collection.contradictory.is_empty() {
        let numbers: Vec<_> = collection.contradictory.iter().take(MAX_SHOWN).map(usize::to_string).collect();
        line(&format!(
            "tasks with results that differ: {}{}; they depend on more than their number, such as the machine",
            numbers.join(", "),
            more(collection.contradictory.len())
        ));
    }
    text
}

fn more(count: usize) -> String {
    if count > MAX_SHOWN { format!(" and {} more", count - MAX_SHOWN) } else { String::new() }
}
