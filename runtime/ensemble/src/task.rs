//! Tasks and their outcomes.

use serde::{Deserialize, Deserializer, Serialize};

use crate::description::Description;
use crate::interrupt::Interrupt;
use crate::seed::task_seed;

/// Number of tasks, and the description of the work that their results belong to.
///
/// The result of a task must follow from its number and the description alone.
#[derive(Debug, Clone)]
pub struct Tasks {
    pub(crate) work: String,
    pub(crate) count: usize,
    pub(crate) description: Description,
}

impl Tasks {
    /// Makes `count` tasks of a kind of `work`, such as "a multistart".
    pub fn new(work: impl Into<String>, count: usize) -> Self {
        Self { work: work.into(), count, description: Description::default() }
    }

    /// Sets the description of the work: a log with another description is refused, and the error names what differs.
    ///
    /// Facts that no result depends on, such as the number of tasks where there may be more of them later, should
    /// not be part of the description.
    #[must_use]
    pub fn described(mut self, description: Description) -> Self {
        self.description = description;
        self
    }
}

/// A task that is being done.
#[derive(Debug, Clone)]
pub struct Task {
    pub(crate) number: usize,
    pub(crate) interrupt: Interrupt,
}

impl Task {
    /// Returns the number of the task, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns a seed for this task alone, which follows from the seed of all tasks and the number of the task.
    pub fn seed(&self, of_all: u64) -> u64 {
        task_seed(of_all, self.number)
    }

    /// Returns the flag that the task has to poll: it is triggered when all work is to stop, and when the time
    /// for one task is over.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }
}

/// The reason why a task has no result, and the partial result that it leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure<R> {
    /// The error in words.
    pub error: String,
    /// Partial result; `None` if the task leaves nothing.
    pub left: Option<R>,
}

impl<R> Failure<R> {
    /// Makes a failure that leaves no partial result.
    pub fn new(error: impl Into<String>) -> Self {
        Self { error: error.into(), left: None }
    }
}

/// Takes the outcome of a task.
pub type End<'e, R> = &'e dyn Fn(&Task, Result<R, Failure<R>>);

/// Outcome of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<R> {
    /// Number of the task, from 0.
    pub number: usize,
    /// Result of the task, or its failure.
    pub result: Result<R, Failure<R>>,
    /// Time that the task took in s, in whichever process did it.
    pub seconds: f64,
}

/// An outcome as logs have it and processes send it.
#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "R: Deserialize<'de>"))]
pub(crate) struct Record<R> {
    pub task: usize,
    pub seconds: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// A result may be `null` itself.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result: Option<R>,
}

fn present<'de, R: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<R>, D::Error> {
    R::deserialize(deserializer).map(Some)
}
