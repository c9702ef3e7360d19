//! Processes that are killed at any moment: no outcome is lost, and no task is done twice.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{iterate, tasks};
use crate::{Collection, Ensemble, task_seed};

const TASKS: usize = 60;

/// Number of trials, unless the variable gives another one.
const TRIALS: usize = 3;
const TRIALS_VARIABLE: &str = "COSTATE_KILL_TRIALS";

/// Variables that say to another process of this program which tasks to do.
const FOLDER: &str = "COSTATE_KILL_FOLDER";
const SHARD: &str = "COSTATE_KILL_SHARD";

/// Runs as the process that is killed: its tasks take some ms. Does nothing unless another process has started it.
#[test]
fn worker() {
    let (Ok(folder), Ok(shard)) = (std::env::var(FOLDER), std::env::var(SHARD)) else { return };
    let work = |task: &crate::Task| {
        std::thread::sleep(Duration::from_millis(2 + task.number() as u64 % 3));
        iterate(task)
    };
    let ensemble = Ensemble::new().folder(folder).shard(shard.parse().unwrap());
    ensemble.run(&tasks(TASKS, 1.0), work, |_, _| ()).unwrap();
}

fn start(folder: &Path, shard: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["tests::kills::worker", "--exact"]).env(FOLDER, folder).env(SHARD, shard);
    command.stdout(Stdio::null()).spawn().unwrap()
}

#[test]
fn killed_processes_lose_nothing() {
    let single = tempfile::tempdir().unwrap();
    Ensemble::new().folder(single.path()).run(&tasks(TASKS, 1.0), iterate, |_, _| ()).unwrap();
    let json = |folder: &Path| serde_json::to_string(&Collection::read(folder).unwrap()).unwrap();
    let expected = json(single.path());
    let trials = std::env::var(TRIALS_VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or(TRIALS);
    let mut kills_within = 0;
    for trial in 0..trials {
        let folder = tempfile::tempdir().unwrap();
        let mut random = (0..).map(|number| task_seed(trial as u64, number));
        let mut wait = || std::thread::sleep(Duration::from_millis(random.next().unwrap_or(0) % 60));
        // one of three shards is killed, then all of them
        let mut shards = ["1/3", "2/3", "3/3"].map(|shard| start(folder.path(), shard));
        wait();
        shards[trial % 3].kill().unwrap();
        wait();
        for shard in &mut shards {
            shard.kill().unwrap();
            shard.wait().unwrap();
        }
        let done = |folder: &Path| Collection::read(folder).map_or(0, |collection| collection.done);
        kills_within += usize::from((1..TASKS).contains(&done(folder.path())));
        // one process with all tasks is killed twice, then two shards run to the end
        for _ in 0..2 {
            let mut all = start(folder.path(), "1/1");
            wait();
            all.kill().unwrap();
            all.wait().unwrap();
            kills_within += usize::from((1..TASKS).contains(&done(folder.path())));
        }
        for mut shard in ["1/2", "2/2"].map(|shard| start(folder.path(), shard)) {
            assert!(shard.wait().unwrap().success());
        }
        assert_eq!(json(folder.path()), expected, "trial {trial}");
        assert_eq!(Collection::read(folder.path()).unwrap().repeated, 0, "trial {trial}");
    }
    println!("{kills_within} of {} kills found work under way", 3 * trials);
    assert!(kills_within > 0);
}
