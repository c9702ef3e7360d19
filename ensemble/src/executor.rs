//! Who does the tasks: the threads of this process, or others.

use std::fmt;

use rayon::prelude::*;

use crate::interrupt::Interrupt;

/// Takes the record of a task.
pub type Keep<'k> = &'k (dyn Fn(String) + Sync);

/// What an [`Executor`] is given: tasks in groups that begin together, and how to do one.
pub struct Job<'j> {
    /// Numbers of the tasks of every group. On other processes than the root it is empty.
    pub groups: &'j [Vec<usize>],
    /// Does the tasks of a group, and gives the record of each as soon as it has ended.
    pub work: &'j (dyn Fn(&[usize], Keep<'_>) + Sync),
    /// Called by the root when a process, counted from 0, begins a group.
    pub begin: &'j (dyn Fn(usize, &[usize]) + Sync),
    /// Called by the root with every record, and the process that it comes from.
    pub keep: &'j (dyn Fn(usize, String) + Sync),
    /// No further group begins once it is triggered.
    pub stop: &'j Interrupt,
}

impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("groups", &self.groups).finish_non_exhaustive()
    }
}

/// Who does the tasks of an ensemble: [`Threads`] of this process, or several processes of which every one runs the same program.
///
/// One process is the root. It alone reads and writes logs, deals tasks and has their records; in the end all of them have the
/// results.
pub trait Executor: Sync {
    /// The number of this process, from 0, which is the root.
    fn process(&self) -> usize;

    /// How many processes take part.
    fn processes(&self) -> usize;

    /// Whether this process is the root.
    fn is_root(&self) -> bool {
        self.process() == 0
    }

    /// How many groups are under way at once, in all processes.
    fn at_once(&self) -> usize;

    /// Does the groups of the root on all processes. Called by each of them.
    ///
    /// # Errors
    /// [`ExecutorError`] if processes have lost each other.
    fn execute(&self, job: &Job<'_>) -> Result<(), ExecutorError>;

    /// Gives every process what the root has. Called by each of them.
    ///
    /// # Errors
    /// [`ExecutorError`] if processes have lost each other.
    fn share(&self, of_root: Vec<u8>) -> Result<Vec<u8>, ExecutorError>;

    /// Gives every process what each of them has, by their numbers. Called by each of them.
    ///
    /// # Errors
    /// [`ExecutorError`] if processes have lost each other.
    fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, ExecutorError>;
}

/// Processes that have lost each other, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExecutorError {
    /// What has happened, and what to do.
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
