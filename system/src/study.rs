//! Parameter studies as tasks of an ensemble.

use std::sync::OnceLock;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::causes::with_causes;
use crate::ensemble::{Ensemble, EnsembleError, Failure, Outcome, Task, Tasks};
use crate::interrupt::Interrupt;
use crate::problem::{Problem, SimulationError};
use crate::run::StoredRun;
use crate::scalar::LANES;
use crate::series::Series;
use crate::state_file::description_of;

/// The runs of a group, computed when the first of its tasks asks for them.
type Runs<R> = OnceLock<Vec<Result<R, SimulationError>>>;

impl Problem {
    /// Runs each of these parameter sets as a task of an ensemble, in lanes where possible, and keeps the
    /// result of `keep` for the outputs of each run: a study that continues where it was stopped, in shards
    /// or by several processes. A set whose run fails has its error as the result. Results are those of
    /// [`outputs_each`](Self::outputs_each), to the last bit.
    ///
    /// Logs belong to this problem, to all parameter sets and to `what`, which says in words what is kept;
    /// change `what` together with `keep`. A limit of time holds for the up to four runs that go together.
    ///
    /// # Errors
    /// [`EnsembleError`]: [`EnsembleError::Unfinished`] where an interrupt or a shard has left out some.
    pub fn study<P, R, K>(
        &self,
        parameters: &[P],
        ensemble: &Ensemble<'_>,
        what: &str,
        keep: K,
    ) -> Result<Vec<Outcome<R>>, EnsembleError>
    where
        P: AsRef<[f64]> + Sync,
        R: Serialize + DeserializeOwned + Send + Sync + Clone,
        K: Fn(&Series<f64>) -> R + Sync,
    {
        let Some(first) = parameters.first() else { return Ok(Vec::new()) };
        let mut description = description_of(self, first.as_ref());
        let all: Vec<f64> = parameters.iter().flat_map(|set| set.as_ref().iter().copied()).collect();
        description.values("the parameter sets", &all);
        description.text("what is kept", what);
        let group = match self.runs_in_lanes() {
            true => parameters.len().div_ceil(ensemble.at_once().max(1)).clamp(1, LANES),
            false => 1,
        };
        let tasks = Tasks::new("a parameter study", parameters.len()).in_groups(group).described(description);
        let prepare = |numbers: &[usize]| (numbers.to_vec(), Runs::new());
        let run = |(numbers, runs): &(Vec<usize>, Runs<R>), task: &Task| {
            let runs = runs.get_or_init(|| self.kept(parameters, (numbers, task.interrupt()), &keep));
            let place = numbers.iter().position(|number| *number == task.number());
            match place.and_then(|place| runs.get(place)) {
                Some(Ok(kept)) => Ok(kept.clone()),
                Some(Err(error)) => Err(Failure::new(with_causes(error))),
                None => Err(Failure::new("the group of the task has no run of it")),
            }
        };
        ensemble.run_in_groups(&tasks, prepare, run, |_, _| ())?.complete()
    }

    /// Runs the sets of a group and applies `keep` to their outputs.
    fn kept<P: AsRef<[f64]>, R>(
        &self,
        parameters: &[P],
        (numbers, interrupt): (&[usize], &Interrupt),
        keep: impl Fn(&Series<f64>) -> R,
    ) -> Vec<Result<R, SimulationError>> {
        let sets: Vec<_> = numbers.iter().filter_map(|&number| parameters.get(number)).collect();
        let runs = self.clone().with_interrupt(interrupt.clone()).run_four(&sets);
        runs.into_iter().map(|run| run.map(StoredRun::into_outputs).map(|outputs| keep(&outputs))).collect()
    }
}
