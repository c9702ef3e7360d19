//! The choice of the states of a run that are stored.

use serde::{Deserialize, Serialize};

use costate_contract::machine::available_memory;

/// The choice whether `Problem::run` stores all states for the gradient, or fewer, from which the others are
/// recomputed when the gradient needs them.
///
/// Results are the same with any choice, bit by bit. With checkpoints, the run keeps the outputs at all
/// steps, snapshots of the integrator at some of them, and the states of one block of steps; the gradient
/// restarts from the snapshots. As long as the budget allows it, no step is computed more than twice, which
/// takes about 2 sqrt(N snapshot state) bytes besides inputs and outputs, with the sizes of a state and of a
/// snapshot (about three states). With a smaller budget, steps are computed several times, by the schedule
/// that repeats the fewest (Griewank and Walther, Algorithm 799: revolve, ACM TOMS 26, 2000).
/// [`Memory`](super::Memory) says before the run how much memory it needs and how many steps are repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Checkpoints {
    /// All states are stored; a run that needs more than `memory_limit` is refused. The default.
    #[default]
    Off,
    /// All states if inputs, outputs and states take no more than this number of bytes, checkpoints otherwise.
    Within(u64),
    /// All states if they fit in half of the memory that the machine, or the container, has left when the run
    /// is prepared, checkpoints otherwise. Where the system does not report its free memory, which is
    /// everywhere but on Linux, `memory_limit` takes its place, and without `memory_limit` all states are
    /// stored.
    Automatic,
}

impl Checkpoints {
    /// Returns the budget of each of several runs at once.
    #[doc(hidden)]
    pub fn shared_by(self, runs: usize) -> Self {
        match (self, automatic_budget()) {
            (Self::Automatic, Some(bytes)) => Self::Within(bytes / runs.max(1) as u64),
            _ => self,
        }
    }
}

/// Returns the bytes that [`Checkpoints::Automatic`] takes of the memory that the machine has left now;
/// `None` where that is not known.
pub(super) fn automatic_budget() -> Option<u64> {
    /// Divisor of the memory that the machine has left, for [`Checkpoints::Automatic`]: the rest is for costs,
    /// for the derivatives of the outputs, and for other programs.
    const MEMORY_DIVISOR: u64 = 2;
    available_memory().map(|bytes| bytes / MEMORY_DIVISOR)
}
