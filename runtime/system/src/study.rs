//! Parameter studies as tasks of an ensemble.

use serde::Serialize;
use serde::de::DeserializeOwned;

use costate_numerics::scalar::LANES;

use crate::causes::with_causes;
use crate::ensemble::{End, Ensemble, EnsembleError, Failure, Outcome, Task, Tasks, caught};
use crate::problem::{Problem, SimulationError};
use crate::run::StoredRun;
use crate::series::Series;
use crate::state_file::description_of;

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
        R: Serialize + DeserializeOwned + Send,
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
        let tasks = Tasks::new("a parameter study", parameters.len()).described(description);
        let run = |tasks: &[Task], end: End<'_, R>| {
            let kept = |run: Result<StoredRun, SimulationError>| match run {
                Ok(run) => caught(|| keep(run.outputs())).map_err(Failure::new),
                Err(error) => Err(Failure::new(with_causes(&error))),
            };
            match caught(|| self.runs_of(parameters, tasks)) {
                Ok(runs) => tasks.iter().zip(runs).for_each(|(task, run)| end(task, kept(run))),
                Err(panic) => tasks.iter().for_each(|task| end(task, Err(Failure::new(&panic)))),
            }
        };
        ensemble.run_in_groups(&tasks, group, run, |_, _| ())?.complete()
    }

    /// Returns the runs of tasks that go together.
    fn runs_of<P: AsRef<[f64]>>(&self, parameters: &[P], tasks: &[Task]) -> Vec<Result<StoredRun, SimulationError>> {
        let sets: Vec<_> = tasks.iter().filter_map(|task| parameters.get(task.number())).collect();
        let interrupt = tasks.first().map(|task| task.interrupt().clone()).unwrap_or_default();
        self.clone().with_interrupt(interrupt).run_four(&sets)
    }
}
