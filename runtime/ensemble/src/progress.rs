//! Progress of an ensemble, for a terminal and as a file of JSON lines.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// Progress of the tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Progress {
    /// Number of tasks of this call: those of its shard.
    pub tasks: usize,
    /// Number of tasks that have ended, including those of earlier logs.
    pub done: usize,
    /// Number of failures among them.
    pub failed: usize,
    /// Number of tasks that have ended in this call.
    pub done_now: usize,
    /// Time in s since this call began.
    pub seconds: f64,
    /// Mean time of a task of this call, in s.
    pub seconds_per_task: f64,
    /// Expected time in s until all tasks have ended; known once the first task has ended.
    pub expected_seconds: f64,
    /// Progress of every process.
    pub processes: Vec<ProcessProgress>,
}

/// Progress of one process.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct ProcessProgress {
    /// Number of tasks that the process has ended in this call.
    pub done: usize,
    /// Tasks that the process has begun and not ended.
    pub running: BTreeSet<usize>,
}

/// A line of the file.
#[derive(Serialize)]
struct Line<'p> {
    /// Seconds since 1970.
    time: f64,
    #[serde(flatten)]
    progress: &'p Progress,
}

/// Counter of begun and ended tasks.
pub(crate) struct Counter {
    begin: Instant,
    at_once: usize,
    sum: f64,
    pub progress: Progress,
    file: Option<File>,
    written: Option<Instant>,
}

impl Counter {
    /// Starts counting `tasks` tasks, of which `done` were done before, with `at_once` running at once.
    pub fn new(tasks: usize, (done, failed): (usize, usize), processes: usize, at_once: usize) -> Self {
        let progress = Progress {
            tasks,
            done,
            failed,
            done_now: 0,
            seconds: 0.0,
            seconds_per_task: 0.0,
            expected_seconds: 0.0,
            processes: vec![ProcessProgress::default(); processes],
        };
        Self { begin: Instant::now(), at_once: at_once.max(1), sum: 0.0, progress, file: None, written: None }
    }

    /// Writes progress lines to a file next to a log. Progress that cannot be written does not stop the work.
    pub fn write_beside(&mut self, log: &Path) {
        self.file = File::options().create(true).append(true).open(log.with_extension("progress")).ok();
    }

    /// Counts tasks that a process has begun.
    pub fn begin(&mut self, process: usize, tasks: &[usize]) {
        if let Some(process) = self.progress.processes.get_mut(process) {
            process.running.extend(tasks);
        }
    }

    /// Counts a task that has ended.
    pub fn end(&mut self, process: usize, (task, seconds, failed): (usize, f64, bool)) {
        /// Least time between two lines of the file, except for the first and the last one.
        const MIN_INTERVAL: Duration = Duration::from_secs(1);
        if let Some(process) = self.progress.processes.get_mut(process) {
            process.running.remove(&task);
            process.done += 1;
        }
        self.sum += seconds;
        let progress = &mut self.progress;
        progress.done += 1;
        progress.done_now += 1;
        progress.failed += usize::from(failed);
        progress.seconds = self.begin.elapsed().as_secs_f64();
        let (now, left) = (progress.done_now as f64, progress.tasks.saturating_sub(progress.done) as f64);
        progress.seconds_per_task = self.sum / now;
        // the rate is known when every thread has ended some tasks
        progress.expected_seconds = match progress.done_now > 2 * self.at_once {
            true => left * progress.seconds / now,
            false => left * progress.seconds_per_task / self.at_once as f64,
        };
        let is_due = self.written.is_none_or(|written| written.elapsed() >= MIN_INTERVAL);
        if is_due || progress.done == progress.tasks {
            self.write();
        }
    }

    fn write(&mut self) {
        self.written = Some(Instant::now());
        let Some(file) = &mut self.file else { return };
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
        let text = serde_json::to_string(&Line { time, progress: &self.progress });
        if text.is_ok_and(|text| file.write_all((text + "\n").as_bytes()).is_err()) {
            self.file = None;
        }
    }
}
