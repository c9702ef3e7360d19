//! The processes of a job.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

use costate_ensemble::ExecutorError;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};
use mpi::{Rank, Threading};

use crate::message::{Message, receive, send};

/// All processes of an MPI job. The world belongs to the thread that has made it.
///
/// If the world is dropped during a panic, the whole job ends, since the other processes would wait for ever.
pub struct World {
    _universe: Universe,
    thread: ThreadId,
    rank: Rank,
    processes: Rank,
    /// Number of threads of all processes.
    threads: usize,
    /// Processes that have ended.
    left: Mutex<HashSet<Rank>>,
}

/// The reason why a world cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// MPI has been initialised already.
    #[error("MPI has been initialised already; make one `World`, and share it")]
    InUse,
    /// The MPI library supports one thread only.
    #[error("this MPI does not allow for threads beside the one that calls it; use one that is built with threads")]
    NoThreads,
}

impl World {
    /// Initialises MPI.
    ///
    /// # Errors
    /// [`WorldError`].
    pub fn new() -> Result<Self, WorldError> {
        let begun = mpi::initialize_with_threading(Threading::Funneled);
        let (universe, threading) = begun.ok_or(WorldError::InUse)?;
        if threading < Threading::Funneled {
            return Err(WorldError::NoThreads);
        }
        let world = SimpleCommunicator::world();
        let (own, mut threads) = (rayon::current_num_threads() as u64, 0_u64);
        world.all_reduce_into(&own, &mut threads, mpi::collective::SystemOperation::sum());
        Ok(Self {
            _universe: universe,
            thread: std::thread::current().id(),
            rank: world.rank(),
            processes: world.size(),
            threads: threads as usize,
            left: Mutex::new(HashSet::new()),
        })
    }

    /// Returns the number of this process, from 0.
    pub fn rank(&self) -> usize {
        self.rank.unsigned_abs() as usize
    }

    /// Checks whether this process is the root, which deals tasks and should print results.
    pub fn is_root(&self) -> bool {
        self.rank == 0
    }

    /// Returns the number of processes.
    pub fn processes(&self) -> usize {
        self.processes.unsigned_abs() as usize
    }

    /// Returns the number of threads of all processes.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the rank from which this process, which is not the root, receives data of the root.
    pub(crate) fn parent(&self) -> Rank {
        (self.rank - 1) / 2
    }

    /// Returns the ranks to which this process passes data of the root: a binary tree with rank 0 as its root.
    pub(crate) fn children(&self) -> impl Iterator<Item = Rank> {
        let first = 2 * i64::from(self.rank) + 1;
        let all = i64::from(self.processes);
        (first..first + 2).filter(move |child| *child < all).filter_map(|child| Rank::try_from(child).ok())
    }

    /// Refuses calls by threads other than the owner.
    pub(crate) fn check_thread(&self) -> Result<(), ExecutorError> {
        match std::thread::current().id() == self.thread {
            true => Ok(()),
            false => Err(ExecutorError {
                message: "tasks are dealt by MPI from another thread than the one that made the `World`; \
                          call this where the world was made"
                    .to_owned(),
            }),
        }
    }

    /// Locks the set of processes that have ended; it is consistent even after a panic.
    fn left(&self) -> MutexGuard<'_, HashSet<Rank>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next message, if there is one. Records processes that have ended.
    pub(crate) fn poll(&self) -> Option<(Rank, Message)> {
        loop {
            match receive()? {
                (rank, Message::Left) => _ = self.left().insert(rank),
                other => return Some(other),
            }
        }
    }

    /// Fails if the process `rank` has ended.
    pub(crate) fn check(&self, rank: Rank) -> Result<(), ExecutorError> {
        match self.left().contains(&rank) {
            true => Err(ended(rank)),
            false => Ok(()),
        }
    }

    /// Fails if any process has ended.
    pub(crate) fn check_all(&self) -> Result<(), ExecutorError> {
        let first = self.left().iter().next().copied();
        first.map_or(Ok(()), |rank| Err(ended(rank)))
    }
}

fn ended(rank: Rank) -> ExecutorError {
    let message = format!(
        "process {rank} has ended before the others; see what it has said, and run the same again to continue from \
             the logs"
    );
    ExecutorError { message }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            SimpleCommunicator::world().abort(1);
        }
        let others: Vec<Rank> = match self.is_root() {
            true => (1..self.processes).collect(),
            false => std::iter::once(0).chain(self.children()).collect(),
        };
        for rank in others {
            send(rank, &Message::Left);
        }
    }
}
