//! What tasks have given.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::error::EnsembleError;
use crate::task::Outcome;

/// The outcomes of tasks by their numbers.
#[derive(Debug)]
pub struct Outcomes<R> {
    outcomes: BTreeMap<usize, Outcome<R>>,
    tasks: usize,
    folder: Option<PathBuf>,
    was_interrupted: bool,
}

impl<R> Outcomes<R> {
    pub(crate) fn new(
        outcomes: BTreeMap<usize, Outcome<R>>,
        tasks: usize,
        folder: Option<PathBuf>,
        was_interrupted: bool,
    ) -> Self {
        Self { outcomes, tasks, folder, was_interrupted }
    }

    /// The outcomes that there are, by growing number.
    pub fn iter(&self) -> impl Iterator<Item = &Outcome<R>> {
        self.outcomes.values()
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.tasks
    }

    /// How many of them have an outcome.
    pub fn done(&self) -> usize {
        self.outcomes.len()
    }

    /// How many of these are failures.
    pub fn failed(&self) -> usize {
        self.iter().filter(|outcome| outcome.result.is_err()).count()
    }

    /// Numbers of the tasks without outcome, which a shard or an interrupt has left out.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.tasks).filter(|number| !self.outcomes.contains_key(number)).collect()
    }

    /// Whether the interrupt has left out tasks.
    pub fn is_interrupted(&self) -> bool {
        self.was_interrupted && self.done() < self.tasks
    }

    /// The outcomes of all tasks by their numbers.
    ///
    /// # Errors
    /// [`EnsembleError::Unfinished`] if one is missing.
    pub fn complete(self) -> Result<Vec<Outcome<R>>, EnsembleError> {
        let done = self.done();
        match done == self.tasks {
            true => Ok(self.outcomes.into_values().collect()),
            false => Err(EnsembleError::Unfinished { done, tasks: self.tasks, folder: self.folder }),
        }
    }
}
