//! Which states of a run are stored.

use serde::{Deserialize, Serialize};

use crate::machine::available_memory;

/// Of the memory that the machine has left, what [`Checkpoints::Automatic`] takes: the rest is for costs, for the
/// derivatives of the outputs, and for others.
const AUTOMATIC_PART: u64 = 2;

/// Whether `Problem::run` stores all states for the gradient, or fewer, from which the others are
/// computed once more when the gradient needs them.
///
/// Whatever is chosen, results are the same bit by bit. With checkpoints, the run keeps the outputs at all steps,
/// snapshots of the integrator at some of them, and the states of one block of steps; the gradient restarts from the
/// snapshots. As long as the budget allows for it no step is computed more than twice, which takes about
/// 2 sqrt(N snapshot state) bytes beside inputs and outputs, with the sizes of a state and of a snapshot (some three
/// states). With less, steps are computed several times, by the schedule that repeats the fewest (Griewank and Walther,
/// Algorithm 799: revolve, ACM TOMS 26, 2000). [`Memory`](super::Memory) says before the run what it needs and how many steps are
/// repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Checkpoints {
    /// All states are stored; a run that needs more than `memory_limit` is refused. The default.
    #[default]
    Off,
    /// All states if inputs, outputs and states take no more than this number of bytes, checkpoints otherwise.
    Within(u64),
    /// All states if they fit in half of the memory that the machine, or the container, has left when the run is prepared,
    /// checkpoints otherwise. Where the system does not tell, which is anywhere but on Linux, `memory_limit` takes its
    /// place, and without it all states are stored.
    Automatic,
}

impl Checkpoints {
    /// The share of each of several runs at once.
    #[doc(hidden)]
    pub fn shared_by(self, runs: usize) -> Self {
        match (self, automatic_budget()) {
            (Self::Automatic, Some(bytes)) => Self::Within(bytes / runs.max(1) as u64),
            _ => self,
        }
    }
}

/// What [`Checkpoints::Automatic`] takes of the memory that the machine has left now, in bytes; nothing where that is not known.
pub(super) fn automatic_budget() -> Option<u64> {
    available_memory().map(|bytes| bytes / AUTOMATIC_PART)
}
