//! Which experiments of a campaign are those of which process.

use std::fmt;
use std::ops::Range;

use costate_system::ensemble::Executor;

use crate::definition::error::{DistributedError, IdentificationError};

/// The experiments of a campaign, counted from 0, that each of several processes reads and simulates: as many for each
/// as for the others, or one more.
///
/// ```
/// use costate::ensemble::Threads;
/// use costate::identify::ExperimentShare;
///
/// let share = ExperimentShare::new(&Threads, 12)?;
/// assert_eq!(share.own(), 0..12);
/// # Ok::<(), costate::identify::IdentificationError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ExperimentShare<'e> {
    executor: &'e dyn Executor,
    experiments: usize,
}

impl<'e> ExperimentShare<'e> {
    /// So many experiments for all processes of an executor.
    ///
    /// # Errors
    /// [`DistributedError::IdleProcesses`] if there are fewer experiments than processes.
    pub fn new(executor: &'e dyn Executor, experiments: usize) -> Result<Self, IdentificationError> {
        let processes = executor.processes();
        match experiments < processes {
            true => Err(DistributedError::IdleProcesses { processes, experiments }.into()),
            false => Ok(Self { executor, experiments }),
        }
    }

    /// The numbers of the experiments of this process.
    pub fn own(&self) -> Range<usize> {
        self.of(self.executor.process())
    }

    /// The numbers of the experiments of a process.
    pub fn of(&self, process: usize) -> Range<usize> {
        let processes = self.executor.processes();
        // the first experiment with number * processes / experiments >= process
        let first = |process: usize| (process * self.experiments).div_ceil(processes).min(self.experiments);
        first(process)..first(process + 1)
    }

    /// The number of experiments of all processes.
    pub fn experiments(&self) -> usize {
        self.experiments
    }

    pub(crate) fn executor(&self) -> &'e dyn Executor {
        self.executor
    }
}

impl fmt::Debug for ExperimentShare<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let process = self.executor.process();
        f.debug_struct("ExperimentShare").field("process", &process).field("own", &self.own()).finish_non_exhaustive()
    }
}
