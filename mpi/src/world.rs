//! The processes of a job.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Instant;

use costate_ensemble::{Executor, ExecutorError, Job};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};
use mpi::{Rank, Threading};

use crate::dealing::{deal, help};
use crate::message::{Message, receive, send, wait};

/// All processes of an MPI job. It belongs to the thread that has made it.
///
/// Where it is dropped because of a panic the job ends, since the other processes would wait for ever.
pub struct World {
    _universe: Universe,
    thread: ThreadId,
    rank: Rank,
    processes: Rank,
    /// Threads of all processes.
    threads: usize,
    /// Processes that have ended.
    left: Mutex<HashSet<Rank>>,
}

/// Why there is no world.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// MPI is in use already.
    #[error("MPI has been initialised already; make one `World`, and share it")]
    InUse,
    /// An MPI for one thread.
    #[error(
        "this MPI does not allow for threads beside the one that calls it; use one that is built with threads"
    )]
    NoThreads,
}

impl World {
    /// Begins MPI.
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

    /// The number of this process, from 0.
    pub fn rank(&self) -> usize {
        self.rank.unsigned_abs() as usize
    }

    /// Whether this process is the one that deals tasks, and is to print results.
    pub fn is_root(&self) -> bool {
        self.rank == 0
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.processes.unsigned_abs() as usize
    }

    /// The ranks that this one sends to what it is sent: a tree with the root as rank 0.
    fn children(&self) -> impl Iterator<Item = Rank> {
        let first = 2 * i64::from(self.rank) + 1;
        let all = i64::from(self.processes);
        (first..first + 2).filter(move |child| *child < all).filter_map(|child| Rank::try_from(child).ok())
    }

    /// Refuses calls by other threads.
    fn check_thread(&self) -> Result<(), ExecutorError> {
        match std::thread::current().id() == self.thread {
            true => Ok(()),
            false => Err(ExecutorError {
                message: "tasks are dealt by MPI from another thread than the one that made the `World`; \
                          call this where the world was made"
                    .to_owned(),
            }),
        }
    }

    /// Whatever a panic leaves is whole.
    fn left(&self) -> MutexGuard<'_, HashSet<Rank>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next message, if one is there. Processes that have left are remembered.
    pub(crate) fn poll(&self) -> Option<(Rank, Message)> {
        loop {
            match receive()? {
                (rank, Message::Left) => _ = self.left().insert(rank),
                other => return Some(other),
            }
        }
    }

    /// An error if this process has left.
    pub(crate) fn check(&self, rank: Rank) -> Result<(), ExecutorError> {
        match self.left().contains(&rank) {
            true => Err(ended(rank)),
            false => Ok(()),
        }
    }

    /// An error if any process has left.
    pub(crate) fn check_all(&self) -> Result<(), ExecutorError> {
        let first = self.left().iter().next().copied();
        first.map_or(Ok(()), |rank| Err(ended(rank)))
    }
}

fn ended(rank: Rank) -> ExecutorError {
    let message = format!(
        "process {rank} has ended before the others; see what it has said, and run the same again to continue from the logs"
    );
    ExecutorError { message }
}

impl Executor for World {
    fn process(&self) -> usize {
        self.rank()
    }

    fn processes(&self) -> usize {
        Self::processes(self)
    }

    fn at_once(&self) -> usize {
        self.threads
    }

    fn execute(&self, job: &Job<'_>) -> Result<(), ExecutorError> {
        self.check_thread()?;
        if self.is_root() {
            deal(self, job)?
        } else {
            help(self, job)?
        }
        // nobody asks for the groups of the next job while the root still deals those of this one
        self.share(Vec::new())?;
        Ok(())
    }

    fn share(&self, of_root: Vec<u8>) -> Result<Vec<u8>, ExecutorError> {
        self.check_thread()?;
        let (mut shared, begun) = (of_root, Instant::now());
        if !self.is_root() {
            let parent = (self.rank - 1) / 2;
            shared = loop {
                match self.poll() {
                    Some((_, Message::Shared(bytes))) => break bytes,
                    Some(_) => {}
                    None => {
                        self.check(parent)?;
                        wait(begun);
                    }
                }
            };
        }
        for child in self.children() {
            self.check(child)?;
            send(child, &Message::Shared(shared.clone()));
        }
        Ok(shared)
    }

    fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, ExecutorError> {
        self.check_thread()?;
        if !self.is_root() {
            self.check(0)?;
            send(0, &Message::Part(own));
            return Ok(split(&self.share(Vec::new())?));
        }
        let mut parts: Vec<Option<Vec<u8>>> = vec![None; self.processes()];
        let (mut missing, begun) = (self.processes() - 1, Instant::now());
        parts[0] = Some(own);
        while missing > 0 {
            match self.poll() {
                Some((rank, Message::Part(bytes))) => {
                    parts[rank.unsigned_abs() as usize] = Some(bytes);
                    missing -= 1;
                }
                Some(_) => {}
                None => {
                    self.check_all()?;
                    wait(begun);
                }
            }
        }
        let parts: Vec<Vec<u8>> = parts.into_iter().flatten().collect();
        self.share(joined(&parts))?;
        Ok(parts)
    }
}

/// Each part behind its length.
fn joined(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    }
    bytes
}

/// What was [`joined`].
fn split(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (part, rest) = rest.split_at(rest.len().min(u64::from_le_bytes(*length) as usize));
        parts.push(part.to_vec());
        bytes = rest;
    }
    parts
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
