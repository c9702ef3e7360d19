//! Contents of the logs of a folder, whichever process wrote them.

use std::collections::BTreeMap;
use std::path::Path;

use costate_contract::machine::Room;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::description::Description;
use crate::error::EnsembleError;
use crate::merged::Merged;

/// The joined logs of a folder, which show the progress of tasks that other processes do. The JSON depends on the
/// outcomes alone: not on which process has done which task, how often and how fast.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Collection {
    /// The kind of work, such as "a multistart".
    pub work: String,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of tasks with an outcome.
    pub done: usize,
    /// Errors of the tasks that failed, by task number.
    pub failed: BTreeMap<usize, String>,
    /// Numbers of the tasks without outcome.
    pub missing: Vec<usize>,
    /// Results by task number; `None` for a task without result. A failed task may have left a partial result.
    pub results: Vec<Option<Raw>>,
    /// Description of the work that the results belong to.
    pub description: Description,
    /// Number of logs.
    #[serde(skip)]
    pub logs: usize,
    /// Number of lines that were cut short or damaged; their tasks are done again.
    #[serde(skip)]
    pub damaged: usize,
    /// Number of outcomes of tasks that had been done already.
    #[serde(skip)]
    pub repeated: usize,
    /// Tasks with several different results: these do not follow from the number of the task alone, as where
    /// machines differ.
    #[serde(skip)]
    pub contradictory: Vec<usize>,
    /// Sum of the times that the tasks took, in s.
    #[serde(skip)]
    pub seconds: f64,
}

/// A result as JSON text, as it stands in its log.
#[derive(Debug)]
pub struct Raw(Box<RawValue>);

impl Raw {
    /// Returns the JSON text.
    pub fn json(&self) -> &str {
        self.0.get()
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Collection {
    /// Reads all logs of a folder. Processes may still write to them.
    ///
    /// # Errors
    /// [`EnsembleError`] for logs of different work, and for a folder without logs.
    pub fn read(folder: &Path) -> Result<Self, EnsembleError> {
        let Merged { header, logs, mut records, damaged, repeated, contradictory } = Merged::of_folder(folder, None)?;
        let Some(header) = header else { return Err(EnsembleError::NoLogs { folder: folder.to_owned() }) };
        records.retain(|task, _| *task < header.tasks);
        let room = Room {
            what: "the results",
            count: header.tasks,
            counted: "tasks",
            remedy: "read them on a machine with more memory",
        };
        let results = room.take(header.tasks)?;
        let mut collection = Self {
            work: header.work,
            tasks: header.tasks,
            done: records.len(),
            failed: BTreeMap::new(),
            missing: (0..header.tasks).filter(|task| !records.contains_key(task)).collect(),
            results,
            description: header.description,
            logs,
            damaged,
            repeated,
            contradictory,
            // the empty sum is -0
            seconds: 0.0 + records.values().map(|record| record.seconds).sum::<f64>(),
        };
        for task in 0..collection.tasks {
            let record = records.remove(&task);
            let (failed, result) = record.map_or((None, None), |record| (record.failed, record.result));
            collection.failed.extend(failed.map(|error| (task, error)));
            collection.results.push(result.map(Raw));
        }
        Ok(collection)
    }
}
