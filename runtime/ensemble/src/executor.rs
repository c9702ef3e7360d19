//! Executors of tasks: the threads of this process, or several processes.

use std::fmt;

use rayon::prelude::*;

use crate::interrupt::Interrupt;

/// Takes the record of a task.
pub type RecordSink<'k> = &'k (dyn Fn(String) + Sync);

/// The job of an [`Executor`]: tasks in groups that begin together, and the function that does a group.
pub struct Job<'j> {
    /// Numbers of the tasks of every group; empty on processes other than the root.
    pub groups: &'j [Vec<usize>],
    /// Does the tasks of a group, and gives the record of each as soon as it has ended.
    pub work: &'j (dyn Fn(&[usize], RecordSink<'_>) + Sync),
    /// Called by the root when a process, counted from 0, begins a group.
    pub begin: &'j (dyn Fn(usize, &[usize]) + Sync),
    /// Called by the root with every record, and the process that it comes from.
    pub keep: &'j (dyn Fn(usize, String) + Sync),
    /// Once triggered, no further group begins.
    pub stop: &'j Interrupt,
}

impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("groups", &self.groups).finish_non_exhaustive()
    }
}

/// Executor of the tasks of an ensemble: the [`Threads`] of this process, or several processes of which every one
/// runs the same program.
///
/// One process is the root. It alone reads and writes logs, deals tasks and receives their records; in the end
/// all processes have the results.
pub trait Executor: Sync {
    /// The number of this process, from 0, which is the root.
    fn process(&self) -> usize;

    /// Returns the number of processes that take part.
    fn processes(&self) -> usize;

    /// Checks whether this process is the root.
    fn is_root(&self) -> bool {
        self.process() == 0
    }

    /// Returns the number of groups that run at once, over all processes.
    fn at_once(&self) -> usize;

    /// Does the groups of the root on all processes. Called by each of them.
    ///
    /// # Errors
    /// [`ExecutorError`] if processes have lost contact.
    fn execute(&self, job: &Job<'_>) -> Result<(), ExecutorError>;

    /// Sends the data of the root to every process. Called by each of them.
    ///
    /// # Errors
    /// [`ExecutorError`] if processes have lost contact.
    fn share(&self, of_root: Vec<u8>) -> Result<Vec<u8>, ExecutorError>;

    /// Sends the data of each process to every process, ordered by process number. Called by each of them.
    ///
    /// # Errors
    /// [`ExecutorError`] if processes have lost contact.
    fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, ExecutorError>;
}

/// Description of how processes have lost contact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExecutorError {
    /// Description of the failure, with advice.
    pub message: String,
}

/// The threads of rayon's pool: all cores, unless called in a pool of one's own.
#[derive(Debug, Clone, Copy, Default)]
pub struct Threads;

impl Executor for Threads {
    fn process(&self) -> usize {
        0
    }

    fn processes(&self) -> usize {
        1
    }

    fn at_once(&self) -> usize {
        rayon::current_num_threads()
    }

    fn execute(&self, job: &Job<'_>) -> Result<(), ExecutorError> {
        job.groups.par_iter().with_max_len(1).for_each(|group| {
            if !job.stop.is_triggered() {
                (job.begin)(0, group);
                (job.work)(group, &|record| (job.keep)(0, record));
            }
        });
        Ok(())
    }

    fn share(&self, of_root: Vec<u8>) -> Result<Vec<u8>, ExecutorError> {
        Ok(of_root)
    }

    fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, ExecutorError> {
        Ok(vec![own])
    }
}
