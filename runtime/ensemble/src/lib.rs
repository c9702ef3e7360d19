//! Numbered tasks that do not depend on each other: a multistart, a study, repetitions with other noise.
//!
//! The result of a task follows from its number alone, not from the thread, the process or the machine that does it. An
//! [`Ensemble`] therefore does the same [`Tasks`] on the threads of one process, in [`Shard`]s of several, as those of
//! a job array, or by an [`Executor`] such as that of `costate-mpi`. With a [folder](Ensemble::folder) every outcome is
//! in a log as soon as it is there, and tasks that have one are not done again:
//!
//! ```
//! use costate_ensemble::{Collection, Description, Ensemble, Failure, Tasks};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path();
//! let mut description = Description::default();
//! description.number("the divisor", 3.0);
//! let tasks = Tasks::new("divisions", 10).described(description);
//! let divide = |number: usize| match number % 5 {
//!     4 => Err(Failure::new("not today")),
//!     _ => Ok(number as f64 / 3.0),
//! };
//! for shard in ["1/2", "2/2"] {
//!     let ensemble = Ensemble::new().folder(folder).shard(shard.parse()?);
//!     ensemble.run(&tasks, |task| divide(task.number()), |_, progress| println!("{} done", progress.done))?;
//! }
//! let all = Ensemble::new().folder(folder).run(&tasks, |task| divide(task.number()), |_, _| ())?;
//! assert_eq!((all.done(), all.failed()), (10, 2));
//! assert_eq!(Collection::read(folder)?.failed[&9], "not today");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A failed task is a result, with its error. Logs belong to what a [`Description`] says, and others are refused with
//! what differs.
//!
//! # Rules
//!
//! - The result of a task follows from its number and from what its log describes. One process writes a log, and
//!   nothing is written after a line that was cut short.
//! - An executor is a type that implements [`Executor`], in a crate of its own like `bridges/mpi`. Work that can be
//!   continued is [`Tasks`] with a [`Description`] of everything that results depend on.

mod caught;
mod collection;
mod description;
mod ensemble;
mod error;
mod executor;
mod fingerprint;
mod interrupt;
mod log;
mod merged;
mod outcomes;
mod progress;
mod seed;
mod shard;
mod task;
#[cfg(test)]
mod tests;

#[doc(hidden)]
pub use caught::caught;
pub use collection::{Collection, Raw};
pub use description::{Description, StateDifference, list_differences};
pub use ensemble::Ensemble;
pub use error::EnsembleError;
pub use executor::{Executor, ExecutorError, Job, RecordSink, Threads};
pub use fingerprint::{Fingerprint, fingerprint};
pub use interrupt::Interrupt;
pub use outcomes::Outcomes;
pub use progress::{ProcessProgress, Progress};
pub use seed::task_seed;
pub use shard::{Shard, ShardError};
pub use task::{End, Failure, Outcome, Task, Tasks};
