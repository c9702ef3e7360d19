//! Outcomes of tasks.

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

    /// Iterates over the outcomes by growing task number.
    pub fn iter(&self) -> impl Iterator<Item = &Outcome<R>> {
        self.outcomes.values()
    }

    /// Returns the number of tasks.
    pub fn tasks(&self) -> usize {
        self.tasks
    }

    /// Returns the number of tasks with an outcome.
    pub fn done(&self) -> usize {
        self.outcomes.len()
    }

    /// Returns the number of failed tasks.
    pub fn failed(&self) -> usize {
        self.iter().filter(|outcome| outcome.result.is_err()).count()
    }

    /// Returns the numbers of the tasks without an outcome, which a shard or an interrupt has left out.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.tasks).filter(|number| !self.outcomes.contains_key(number)).collect()
    }

    /// Checks whether the interrupt has left out tasks.
    pub fn is_interrupted(&self) -> bool {
        self.was_interrupted && self.done() < self.tasks
    }

    /// Returns the outcomes of all tasks by task number.
    ///
    /// # Errors
    /// [`EnsembleError::Unfinished`] if an outcome is missing.
    pub fn complete(self) -> Result<Vec<Outcome<R>>, EnsembleError> {
        let done = self.done();
        match done == self.tasks {
            true => Ok(self.outcomes.into_values().collect()),
            false => Err(EnsembleError::Unfinished { done, tasks: self.tasks, folder: self.folder }),
        }
    }
}
