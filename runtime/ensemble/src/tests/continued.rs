//! Work that goes on from its logs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{iterate, tasks};
use crate::{Collection, Ensemble, EnsembleError, Failure, Interrupt, Tasks};

/// The logs of a folder.
fn logs(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut logs: Vec<_> = files.filter(|file| file.extension().is_some_and(|end| end == "log")).collect();
    logs.sort();
    logs
}

/// The collected results, as bytes.
fn collected(folder: &Path) -> String {
    serde_json::to_string(&Collection::read(folder).unwrap()).unwrap()
}

/// The number of tasks that are done by a call with all tasks.
fn done_by(ensemble: &Ensemble<'_>, count: usize) -> usize {
    let done = AtomicUsize::new(0);
    let work = |task: &crate::Task| {
        done.fetch_add(1, Ordering::Relaxed);
        iterate(task)
    };
    ensemble.run(&tasks(count, 1.0), work, |_, _| ()).unwrap();
    done.into_inner()
}

#[test]
fn shards_and_interrupted_runs_give_what_one_run_gives() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(done_by(&Ensemble::new().folder(one.path()), 25), 25);
    let other_folder = || Ensemble::new().folder(other.path());
    let interrupt = Interrupt::new();
    let stopped = other_folder().interrupt(interrupt.clone());
    stopped.run(&tasks(25, 1.0), iterate, |_, _| interrupt.trigger()).unwrap();
    let before = Collection::read(other.path()).unwrap().done;
    assert!((1..25).contains(&before), "{before}");
    let shards = ["1/3", "3/3", "2/3"].map(|shard| other_folder().shard(shard.parse().unwrap()));
    let done: usize = shards.iter().map(|shard| done_by(shard, 25)).sum();
    assert_eq!(before + done, 25);
    assert_eq!(collected(one.path()), collected(other.path()));
    assert_eq!(Collection::read(other.path()).unwrap().repeated, 0);
    // more of them, and nothing left to do: no new log
    assert_eq!(done_by(&other_folder(), 27), 2);
    let files = logs(other.path());
    assert_eq!((done_by(&other_folder(), 27), done_by(&other_folder(), 25)), (0, 0));
    assert_eq!(logs(other.path()), files);
}

#[test]
fn damaged_logs_lose_only_what_is_damaged() {
    let whole = tempfile::tempdir().unwrap();
    done_by(&Ensemble::new().folder(whole.path()), 12);
    let expected = collected(whole.path());
    let log = fs::read(&logs(whole.path())[0]).unwrap();
    let header = log.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for end in (0..log.len()).step_by(61) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("tasks-all-0001.log"), &log[..end]).unwrap();
        let lines = log[..end].iter().filter(|byte| **byte == b'\n').count();
        let missing = 12 - lines.saturating_sub(1);
        assert_eq!(done_by(&Ensemble::new().folder(folder.path()), 12), missing, "cut at {end}");
        assert_eq!(collected(folder.path()), expected);
    }
    let mut damaged = log.clone();
    damaged[header + 40] ^= 4;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tasks-all-0001.log"), &damaged).unwrap();
    assert_eq!(done_by(&Ensemble::new().folder(folder.path()), 12), 1);
    assert_eq!(collected(folder.path()), expected);
    damaged[5] ^= 4;
    fs::write(folder.path().join("tasks-all-0001.log"), &damaged).unwrap();
    assert!(matches!(Collection::read(folder.path()), Err(EnsembleError::Content { .. })));
}

#[test]
fn logs_of_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let ensemble = Ensemble::new().folder(folder.path());
    done_by(&ensemble, 3);
    let refused = |tasks: &Tasks| ensemble.run(tasks, iterate, |_, _| ()).unwrap_err().to_string();
    let other = refused(&tasks(3, 1.5));
    assert!(
        other.ends_with(
            "was written with other settings or data: the constant: 1.0 in the file, now 1.5. Restore these, or \
                 choose another folder"
        ),
        "{other}"
    );
    let other = refused(&Tasks::new("a study", 3));
    assert!(other.ends_with("belongs to iterations of a map, not to a study: choose another folder"), "{other}");
    let log = &logs(folder.path())[0];
    let text = fs::read_to_string(log).unwrap();
    assert!(text.contains(r#"{"format":1,"#));
    let mut fingerprint = crate::Fingerprint::default();
    fingerprint.add(br#"{"format":7}"#);
    fs::write(log, format!("{} {{\"format\":7}}\n", fingerprint.text())).unwrap();
    let other = refused(&tasks(3, 1.0));
    assert!(other.contains("has format 7, this version reads format 1"), "{other}");
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(Collection::read(empty.path()), Err(EnsembleError::NoLogs { .. })));
    assert!(matches!(Collection::read(&empty.path().join("missing")), Err(EnsembleError::NoLogs { .. })));
}

#[test]
fn failed_tasks_are_done_again_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let ensemble = Ensemble::new().folder(folder.path());
    done_by(&ensemble, 12);
    let failed = Collection::read(folder.path()).unwrap().failed;
    assert_eq!(failed.into_keys().collect::<Vec<_>>(), [3, 10]);
    let again = |task: &crate::Task| match task.number() {
        3 => Ok(vec![3.0]),
        _ => Err(Failure::new("once more")),
    };
    let outcomes = ensemble.clone().retry_failed().run(&tasks(12, 1.0), again, |_, _| ()).unwrap();
    assert_eq!((outcomes.done(), outcomes.failed()), (12, 1));
    let collection = Collection::read(folder.path()).unwrap();
    assert_eq!(collection.results[3].as_ref().unwrap().json(), "[3.0]");
    assert_eq!((collection.repeated, collection.contradictory.len()), (2, 0));
}

#[test]
fn progress_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let ensemble = Ensemble::new().folder(folder.path()).shard("2/2".parse().unwrap());
    let mut seen = Vec::new();
    let watch = |outcome: &crate::Outcome<Vec<f64>>, progress: &crate::Progress| {
        seen.push((progress.done, progress.tasks));
        assert!(progress.expected_seconds.is_finite() && !progress.processes[0].running.contains(&outcome.number));
    };
    ensemble.run(&tasks(9, 1.0), iterate, watch).unwrap();
    assert_eq!(seen, [(1, 4), (2, 4), (3, 4), (4, 4)]);
    let text = fs::read_to_string(folder.path().join("tasks-2-of-2-0001.progress")).unwrap();
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((&last["done"], &last["failed"], &last["tasks"]), (&4.into(), &1.into(), &4.into()));
    assert_eq!(last["expected_seconds"], 0.0);
}

/// Anyone can write a header with its checksum: what it says is not believed, before memory is taken for it.
#[test]
fn numbers_of_tasks_that_no_log_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    done_by(&Ensemble::new().folder(folder.path()), 3);
    let file = logs(folder.path()).remove(0);
    let text = fs::read_to_string(&file).unwrap();
    let (header, rest) = text.split_once('\n').unwrap();
    for count in ["10000001", "1000000000000", "18446744073709551615"] {
        let content = header.split_once(' ').unwrap().1.replace("\"tasks\":3", &format!("\"tasks\":{count}"));
        let mut checksum = crate::Fingerprint::default();
        checksum.add(content.as_bytes());
        fs::write(&file, format!("{} {content}\n{rest}", checksum.text())).unwrap();
        let error = Collection::read(folder.path()).unwrap_err();
        assert!(matches!(error, EnsembleError::TooMany { .. }), "{error}");
        let begun = Ensemble::new().folder(folder.path()).run(&tasks(3, 1.0), iterate, |_, _| ());
        assert!(matches!(begun, Err(EnsembleError::TooMany { .. })));
    }
    let other = tempfile::tempdir().unwrap();
    let begun = Ensemble::new().folder(other.path()).run(&tasks(10_000_001, 1.0), iterate, |_, _| ());
    assert!(matches!(begun, Err(EnsembleError::TooMany { file: None, .. })));
    assert!(logs(other.path()).is_empty());
}
