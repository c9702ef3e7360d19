//! One record for every task, of all logs in a folder.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::error::EnsembleError;
use crate::log::{Header, Log, read_logs};
use crate::task::{Failure, Outcome, Record};

/// A record whose result has not been read.
pub(crate) type RawRecord = Record<Box<RawValue>>;

/// The records of several logs.
#[derive(Default)]
pub(crate) struct Merged {
    /// The header of the log with the largest number of tasks.
    pub header: Option<Header>,
    pub logs: usize,
    pub records: BTreeMap<usize, RawRecord>,
    /// Lines that were cut short or damaged.
    pub damaged: usize,
    /// Records of tasks that another record counts for.
    pub repeated: usize,
    /// Tasks with several results that differ.
    pub contradictory: Vec<usize>,
}

impl Merged {
    /// All logs of a folder, which must be those of one work: the `given` one if there is one.
    pub fn of_folder(folder: &Path, given: Option<&Header>) -> Result<Self, EnsembleError> {
        let mut merged = Self::default();
        for log in read_logs(folder)? {
            if let Some(given) = given.or(merged.header.as_ref()) {
                log.header.check(given, &log.file)?;
            }
            merged.add(log);
        }
        Ok(merged)
    }

    fn add(&mut self, log: Log) {
        self.logs += 1;
        self.damaged += log.damaged;
        for line in &log.records {
            match serde_json::from_str(line) {
                Ok(record) => self.take(record),
                Err(_) => self.damaged += 1,
            }
        }
        if self.header.as_ref().is_none_or(|header| header.tasks < log.header.tasks) {
            self.header = Some(log.header);
        }
    }

    /// A result counts more than a failure; of two results the first one does.
    fn take(&mut self, record: RawRecord) {
        match self.records.entry(record.task) {
            Entry::Vacant(entry) => {
                entry.insert(record);
            }
            Entry::Occupied(mut entry) => {
                self.repeated += 1;
                let known = entry.get();
                let text = |record: &RawRecord| record.result.as_ref().map(|result| result.get().to_owned());
                match (known.failed.is_some(), record.failed.is_some()) {
                    (true, false) => {
                        entry.insert(record);
                    }
                    (false, false) if text(known) != text(&record) => self.contradictory.push(record.task),
                    _ => {}
                }
            }
        }
    }
}

impl RawRecord {
    /// With its result read.
    pub fn outcome<R: DeserializeOwned>(self) -> Result<Outcome<R>, EnsembleError> {
        let number = self.task;
        let read = |raw: Box<RawValue>| serde_json::from_str(raw.get());
        let result = self.result.map(read).transpose();
        let result = result.map_err(|source| EnsembleError::Result { task: number, source })?;
        let result = match (self.failed, result) {
            (Some(error), left) => Err(Failure { error, left }),
            (None, Some(result)) => Ok(result),
            (None, None) => Err(Failure::new("its record has no result")),
        };
        Ok(Outcome { number, result, seconds: self.seconds })
    }
}

impl<'r, R> Record<&'r R> {
    /// The record of an outcome.
    pub fn of(outcome: &'r Outcome<R>) -> Self {
        let (failed, result) = match &outcome.result {
            Ok(result) => (None, Some(result)),
            Err(failure) => (Some(failure.error.clone()), failure.left.as_ref()),
        };
        Self { task: outcome.number, seconds: outcome.seconds, failed, result }
    }
}

impl Record<()> {
    /// The outcome that a record describes.
    pub fn parse<R: DeserializeOwned>(text: &str) -> Result<Outcome<R>, EnsembleError> {
        let raw: RawRecord = serde_json::from_str(text).map_err(|source| EnsembleError::Result { task: 0, source })?;
        raw.outcome()
    }
}
