//! Runs tasks on an executor, and keeps their outcomes.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::caught::caught;
use crate::error::EnsembleError;
use crate::executor::{Executor, Job, Threads};
use crate::interrupt::Interrupt;
use crate::log::{Folder, Header, LogWriter};
use crate::merged::Merged;
use crate::outcomes::Outcomes;
use crate::progress::{Counter, Progress};
use crate::shard::Shard;
use crate::task::{End, Failure, Outcome, Record, Task, Tasks};

/// Runs tasks: on which executor, which of them, and in which folder their outcomes are kept.
///
/// ```
/// use costate_ensemble::{Ensemble, Tasks};
///
/// let squares = Ensemble::new().run(&Tasks::new("squares", 5), |task| Ok(task.number() * task.number()), |_, _| ())?;
/// let squares: Vec<usize> = squares.complete()?.into_iter().filter_map(|outcome| outcome.result.ok()).collect();
/// assert_eq!(squares, [0, 1, 4, 9, 16]);
/// # Ok::<(), costate_ensemble::EnsembleError>(())
/// ```
#[derive(Clone, Default)]
pub struct Ensemble<'e> {
    folder: Option<PathBuf>,
    shard: Shard,
    executor: Option<&'e dyn Executor>,
    time_limit: Option<Duration>,
    retries_failed: bool,
    interrupt: Interrupt,
    estimate: Option<Tell<'e>>,
}

/// A callback that takes an estimate.
type Tell<'e> = Arc<dyn Fn(&Progress) + Send + Sync + 'e>;

impl<'e> Ensemble<'e> {
    /// Runs all tasks on the threads of this process, without logs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps the outcome of every task in this folder as soon as it has ended, and does only tasks without an
    /// outcome there: work that was stopped or killed can be continued, with any other number of threads, shards
    /// or processes.
    ///
    /// The folder belongs to one ensemble; it is made if it does not exist.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Does only the tasks of one shard. Other processes do the rest, with the same folder.
    #[must_use]
    pub fn shard(mut self, shard: Shard) -> Self {
        self.shard = shard;
        self
    }

    /// Runs the tasks on `executor` in place of the threads of this process.
    #[must_use]
    pub fn on(mut self, executor: &'e dyn Executor) -> Self {
        self.executor = Some(executor);
        self
    }

    /// Limits the time of each task. A task that takes longer fails as soon as it polls its interrupt. Such
    /// failures depend on the machine; see [`retry_failed`](Self::retry_failed).
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Repeats the tasks that failed according to the logs of the folder.
    #[must_use]
    pub fn retry_failed(mut self) -> Self {
        self.retries_failed = true;
        self
    }

    /// Sets the flag that stops the tasks; tasks that have not ended then are done by the next call.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// Does the first task, or group of tasks, before all others, and calls `tell` with the time that it lets
    /// expect for these: [`expected_seconds`](Progress::expected_seconds). The first one is alone on its machine,
    /// so that the others may take longer. `tell` is not called where nothing is left to do; where several
    /// processes share the tasks, the root calls it.
    #[must_use]
    pub fn estimate(mut self, tell: impl Fn(&Progress) + Send + Sync + 'e) -> Self {
        self.estimate = Some(Arc::new(tell));
        self
    }

    /// Returns the folder of the logs; `None` if outcomes are not kept.
    pub fn logs(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the number of groups of tasks that run at once.
    pub fn at_once(&self) -> usize {
        self.executor().at_once()
    }

    fn executor(&self) -> &dyn Executor {
        self.executor.unwrap_or(&Threads)
    }

    /// Does the tasks that have no outcome yet. `work` does one task; its result must follow from the number of
    /// the task alone, and must be recovered when its JSON is read back. A panic is a failure of the task.
    /// `watch` is called when a task has ended, by one thread at a time, in the process that keeps the logs.
    ///
    /// # Errors
    /// [`EnsembleError`]. Failed tasks, and those that an interrupt or a shard leaves out, are part of the
    /// [`Outcomes`].
    pub fn run<R, W, P>(&self, tasks: &Tasks, work: W, watch: P) -> Result<Outcomes<R>, EnsembleError>
    where
        R: Serialize + DeserializeOwned + Send,
        W: Fn(&Task) -> Result<R, Failure<R>> + Sync,
        P: FnMut(&Outcome<R>, &Progress) + Send,
    {
        let one_by_one = |tasks: &[Task], end: End<'_, R>| {
            for task in tasks {
                end(task, caught(|| work(task)).unwrap_or_else(|panic| Err(Failure::new(panic))));
            }
        };
        self.run_in_groups(tasks, 1, one_by_one, watch)
    }

    /// Does up to `group` tasks at a time together, on one thread, and all as [`run`](Self::run) does. `work` begins
    /// with the tasks of a group, which share an interrupt, and calls its second argument once for each of them, as
    /// soon as the task has ended. A panic of `work` itself is not the failure of a task.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub fn run_in_groups<R, W, P>(
        &self,
        tasks: &Tasks,
        group: usize,
        work: W,
        watch: P,
    ) -> Result<Outcomes<R>, EnsembleError>
    where
        R: Serialize + DeserializeOwned + Send,
        W: Fn(&[Task], End<'_, R>) + Sync,
        P: FnMut(&Outcome<R>, &Progress) + Send,
    {
        let executor = self.executor();
        let (stop, limit) = (self.interrupt.part(None), self.time_limit);
        let begun = executor.is_root().then(|| self.begin(tasks, group.max(1), watch)).transpose();
        let (kept, groups) = self.agree(begun)?.unzip();
        let kept = kept.map(Mutex::new);
        let groups: Groups = groups.unwrap_or_default();
        let work = |group: &[usize], keep: &(dyn Fn(String) + Sync)| {
            if stop.is_triggered() {
                return;
            }
            let (begun, interrupt) = (Instant::now(), stop.part(limit));
            let task = |&number: &usize| Task { number, interrupt: interrupt.clone() };
            let tasks: Vec<Task> = group.iter().map(task).collect();
            work(&tasks, &|task, result| {
                if let Some(record) = record(task, begun.elapsed(), (&stop, limit), result) {
                    keep(record);
                }
            });
        };
        let begin = |process: usize, group: &[usize]| {
            if let Some(kept) = &kept {
                lock(kept).counter.begin(process, group);
            }
        };
        let keep = |process: usize, record: String| {
            if let Some(kept) = &kept
                && !lock(kept).keep(process, record)
            {
                stop.trigger();
            }
        };
        let execute = |groups: &[Vec<usize>]| {
            executor.execute(&Job { groups, work: &work, begin: &begin, keep: &keep, stop: &stop })
        };
        let executed = match &self.estimate {
            None => execute(&groups),
            Some(tell) => {
                let (first, rest) = groups.split_at(groups.len().min(1));
                execute(first).and_then(|()| {
                    if let Some(kept) = &kept
                        && !rest.is_empty()
                    {
                        tell(&lock(kept).counter.progress);
                    }
                    execute(rest)
                })
            }
        };
        let kept = kept.map(|kept| kept.into_inner().unwrap_or_else(PoisonError::into_inner));
        // outcomes are flushed to the medium even after an error
        let ended = kept.map(RootState::finish).transpose();
        executed?;
        let outcomes = match executor.processes() {
            1 => ended?.unwrap_or_default(),
            _ => self.shared(ended)?,
        };
        Ok(Outcomes::new(outcomes, tasks.count, self.folder.clone(), self.interrupt.is_triggered()))
    }

    /// Returns the outcomes in the folder, and the groups of tasks that are left to do.
    fn begin<R: DeserializeOwned, P>(
        &self,
        tasks: &Tasks,
        group: usize,
        watch: P,
    ) -> Result<(RootState<R, P>, Groups), EnsembleError> {
        let header = Header::of(tasks);
        let mut outcomes = BTreeMap::new();
        let mut folder = None;
        if let Some(path) = &self.folder {
            header.check_count()?;
            folder = Some(Folder::open(path, self.shard)?);
            for (number, record) in Merged::of_folder(path, Some(&header))?.records {
                let is_done = record.failed.is_none() || !self.retries_failed;
                if number < tasks.count && is_done {
                    outcomes.insert(number, record.outcome()?);
                }
            }
        }
        let own = |number: &usize| self.shard.has(*number);
        let missing: Vec<usize> =
            (0..tasks.count).filter(own).filter(|number| !outcomes.contains_key(number)).collect();
        let done: Vec<&Outcome<R>> = outcomes.values().filter(|outcome| own(&outcome.number)).collect();
        let failed = done.iter().filter(|outcome| outcome.result.is_err()).count();
        let executor = self.executor();
        let (all, processes) = (missing.len() + done.len(), executor.processes());
        let at_once = executor.at_once() * group;
        let mut counter = Counter::new(all, (done.len(), failed), processes, at_once);
        let mut writer = None;
        if let Some(folder) = folder.as_ref().filter(|_| !missing.is_empty()) {
            let log = LogWriter::create(&folder.path, self.shard, &header)?;
            counter.write_beside(&log.path);
            writer = Some(log);
        }
        let groups = missing.chunks(group).map(<[usize]>::to_vec).collect();
        Ok((RootState { outcomes, writer, error: None, counter, watch, _folder: folder }, groups))
    }

    /// Informs every process whether the root could begin.
    fn agree<T>(&self, begun: Result<Option<T>, EnsembleError>) -> Result<Option<T>, EnsembleError> {
        let executor = self.executor();
        if executor.processes() == 1 {
            return begun;
        }
        let message = begun.as_ref().err().map_or(String::new(), with_causes);
        let of_root = executor.share(message.into_bytes())?;
        match begun {
            Ok(None) if !of_root.is_empty() => Err(root_ended(&of_root)),
            begun => begun,
        }
    }

    /// Sends the outcomes of the root to every process.
    fn shared<R: DeserializeOwned + Serialize>(
        &self,
        ended: Result<Option<Ended<R>>, EnsembleError>,
    ) -> Result<Ended<R>, EnsembleError> {
        let records = ended.as_ref().map(|ended| -> Result<Vec<String>, serde_json::Error> {
            let outcomes = ended.iter().flat_map(|ended| ended.values());
            outcomes.map(|outcome| serde_json::to_string(&Record::of(outcome))).collect()
        });
        let message = match records {
            Ok(Ok(lines)) => lines.iter().fold("\n".to_owned(), |text, line| text + line + "\n"),
            Ok(Err(error)) => error.to_string(),
            Err(error) => with_causes(error),
        };
        let of_root = self.executor().share(message.into_bytes())?;
        if let Some(own) = ended? {
            return Ok(own);
        }
        let Some(lines) = std::str::from_utf8(&of_root).ok().and_then(|text| text.strip_prefix('\n')) else {
            return Err(root_ended(&of_root));
        };
        let mut outcomes = BTreeMap::new();
        for line in lines.lines() {
            let outcome = Record::parse(line)?;
            outcomes.insert(outcome.number, outcome);
        }
        Ok(outcomes)
    }
}

/// Returns the record of a task that has ended after this time; `None` if the task was stopped.
fn record<R: Serialize>(
    task: &Task,
    time: Duration,
    (stop, limit): (&Interrupt, Option<Duration>),
    result: Result<R, Failure<R>>,
) -> Option<String> {
    let (failed, result) = match result {
        Ok(result) => (None, Some(result)),
        Err(_) if stop.is_triggered() => return None,
        Err(failure) if task.interrupt.is_late() => {
            let limit = limit.unwrap_or_default();
            (Some(format!("took longer than {limit:?}, the time limit of a task")), failure.left)
        }
        Err(failure) => (Some(failure.error), failure.left),
    };
    let seconds = time.as_secs_f64();
    let record = Record { task: task.number, seconds, failed, result };
    Some(serde_json::to_string(&record).unwrap_or_else(|error| unstorable(task.number, seconds, &error)))
}

impl fmt::Debug for Ensemble<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ensemble")
            .field("folder", &self.folder)
            .field("shard", &self.shard)
            .field("time_limit", &self.time_limit)
            .field("retries_failed", &self.retries_failed)
            .finish_non_exhaustive()
    }
}

/// Locks a mutex, even after a panic, which leaves its value complete.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Numbers of the tasks of every group.
type Groups = Vec<Vec<usize>>;

type Ended<R> = BTreeMap<usize, Outcome<R>>;

/// State of the root while tasks are being done.
struct RootState<R, P> {
    outcomes: Ended<R>,
    writer: Option<LogWriter>,
    /// The first error of keeping an outcome; `None` while there is none.
    error: Option<EnsembleError>,
    counter: Counter,
    watch: P,
    _folder: Option<Folder>,
}

impl<R: DeserializeOwned, P: FnMut(&Outcome<R>, &Progress)> RootState<R, P> {
    /// Takes the record of a task; returns whether the record could be kept.
    fn keep(&mut self, process: usize, mut record: String) -> bool {
        let outcome = Record::parse(&record).or_else(|error| {
            // such as a number that is not finite
            let EnsembleError::Result { task, source } = &error else { return Err(error) };
            record = unstorable(*task, 0.0, source);
            Record::parse(&record)
        });
        let kept = outcome.and_then(|outcome| {
            if let Some(writer) = &mut self.writer {
                writer.append(&record)?;
            }
            let ended = (outcome.number, outcome.seconds, outcome.result.is_err());
            self.counter.end(process, ended);
            (self.watch)(&outcome, &self.counter.progress);
            self.outcomes.insert(outcome.number, outcome);
            Ok(())
        });
        match kept {
            Ok(()) => true,
            Err(error) => {
                self.error.get_or_insert(error);
                false
            }
        }
    }
}

impl<R, P> RootState<R, P> {
    fn finish(self) -> Result<Ended<R>, EnsembleError> {
        let finished = self.writer.map(LogWriter::finish).transpose();
        match self.error {
            Some(error) => Err(error),
            None => finished.map(|_| self.outcomes),
        }
    }
}

/// Makes the record of a task whose result cannot be kept.
fn unstorable(task: usize, seconds: f64, error: &serde_json::Error) -> String {
    let failed = format!("its result cannot be stored, as where a number is not finite: {error}");
    let record = Record::<()> { task, seconds, failed: Some(failed), result: None };
    serde_json::to_string(&record).unwrap_or_default()
}

fn root_ended(message: &[u8]) -> EnsembleError {
    EnsembleError::Root { message: String::from_utf8_lossy(message).trim().to_owned() }
}

/// Formats an error and its causes in a line.
fn with_causes(error: &EnsembleError) -> String {
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
