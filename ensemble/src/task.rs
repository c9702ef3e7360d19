//! What tasks are, and what becomes of them.

use serde::{Deserialize, Deserializer, Serialize};

use crate::description::Description;
use crate::interrupt::Interrupt;
use crate::seed::task_seed;

/// How many tasks there are, and what their results belong to.
///
/// The result of a task must follow from its number and the description alone.
#[derive(Debug, Clone)]
pub struct Tasks {
    pub(crate) work: String,
    pub(crate) count: usize,
    pub(crate) description: Description,
}

impl Tasks {
    /// So many tasks of a kind of `work`, such as "a multistart".
    pub fn new(work: impl Into<String>, count: usize) -> Self {
        Self { work: work.into(), count, description: Description::default() }
    }

    /// Sets what the results belong to: a log with another description is refused, and the error names what differs.
    ///
    /// What a result does not depend on, such as the number of tasks where there may be more of them later, should not be part of
    /// the description.
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
    /// Its number, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// A seed of its own, which follows from the seed of all tasks and its number.
    pub fn seed(&self, of_all: u64) -> u64 {
        task_seed(of_all, self.number)
    }

    /// The flag that the task has to poll: it is triggered when all work is to stop, and when the time for one task is over.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }
}

/// Why a task has no result, and what it leaves nevertheless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure<R> {
    /// What has gone wrong, in words.
    pub error: String,
    /// What there is of a result.
    pub left: Option<R>,
}

impl<R> Failure<R> {
    /// A failure that leaves nothing.
    pub fn new(error: impl Into<String>) -> Self {
        Self { error: error.into(), left: None }
    }
}

/// Takes what becomes of a task.
pub type End<'e, R> = &'e dyn Fn(&Task, Result<R, Failure<R>>);

/// What has become of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<R> {
    /// Number of the task, from 0.
    pub number: usize,
    /// Its result; a failure is the result of a task as well.
    pub result: Result<R, Failure<R>>,
    /// How long it took in s, in whichever process did it.
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
