//! `costate collect`.

use std::fs;
use std::path::Path;

use costate::ensemble::{Description, Ensemble, Failure, Task, Tasks};
use serde_json::{Value, json};

use super::support::costate;

/// Does the tasks of a shard, of which the fifth fails.
fn shard(folder: &Path, shard: &str) {
    let mut description = Description::default();
    description.number("the divisor", 3.0);
    let divide = |task: &Task| match task.number() {
        4 => Err(Failure::new("not today")),
        number => Ok(number as f64 / 3.0),
    };
    let ensemble = Ensemble::new().folder(folder).shard(shard.parse().unwrap());
    ensemble.run(&Tasks::new("divisions", 7).described(description), divide, |_, _| ()).unwrap();
}

#[test]
fn logs_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    shard(&logs, "2/3");
    let said = costate(folder.path(), "collect logs -o some.json");
    assert!(said.success, "{}", said.stderr);
    assert!(said.stdout.starts_with(
        "divisions: 2 of 7 tasks done, 1 failed, 5 missing\nmissing: 0, 2, 3, 5, 6\ntask 4 failed: not today\n1 log, \
             0.000 s of work\n"
    ), "{}", said.stdout);
    shard(&logs, "1/1");
    let cut = logs.join("tasks-2-of-3-0001.log");
    let text = fs::read_to_string(&cut).unwrap();
    fs::write(&cut, &text[..text.len() - 3]).unwrap();
    shard(&logs, "1/1");
    let said = costate(folder.path(), "collect logs -o all.json");
    assert!(said.success, "{}", said.stderr);
    assert!(
        said.stdout.starts_with(
            "divisions: 7 of 7 tasks done, 1 failed, 0 missing\ntask 4 failed: not today\n3 logs, 0.000 s of work\n1 \
                 line cut short"
        ),
        "{}",
        said.stdout
    );
    let read = |name: &str| -> Value { serde_json::from_slice(&fs::read(folder.path().join(name)).unwrap()).unwrap() };
    let (some, all) = (read("some.json"), read("all.json"));
    assert_eq!(some["missing"], json!([0, 2, 3, 5, 6]));
    assert_eq!((&some["results"][1], &some["results"][2]), (&json!(1.0 / 3.0), &Value::Null));
    let expected: Vec<_> = (0..7).map(|n| if n == 4 { Value::Null } else { json!(f64::from(n) / 3.0) }).collect();
    assert_eq!(all["results"], Value::Array(expected));
    assert_eq!(all["failed"], json!({"4": "not today"}));
}

#[test]
fn what_is_no_folder_of_logs_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let said = costate(folder.path(), "collect logs");
    let message = "error: there is no log in `logs`; give the folder into which the tasks were written\n";
    assert_eq!((said.success, &*said.stderr), (false, message));
    fs::write(folder.path().join("tasks-all-0001.log"), "something else\n").unwrap();
    let said = costate(folder.path(), "collect .");
    assert!(said.stderr.contains("is not a log of tasks, or its first line is damaged"), "{}", said.stderr);
}

/// Messages of tasks are text: a terminal does not obey what is in them.
#[test]
fn messages_of_tasks_are_only_shown() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    let fail = |_: &Task| Err::<f64, _>(Failure::new("gone\u{1b}[2J\u{202e}\rdone"));
    Ensemble::new().folder(&logs).run(&Tasks::new("attempts", 1), fail, |_, _| ()).unwrap();
    let said = costate(folder.path(), "collect logs");
    assert!(said.stdout.contains("task 0 failed: gone\u{fffd}[2J\u{fffd}\u{fffd}done\n"), "{}", said.stdout);
}

#[test]
fn no_work_takes_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let interrupt = costate::simulate::Interrupt::new();
    interrupt.trigger();
    let ensemble = Ensemble::new().folder(folder.path().join("logs")).interrupt(interrupt);
    ensemble.run(&Tasks::new("attempts", 2), |_| Ok(1.0), |_, _| ()).unwrap();
    let said = costate(folder.path(), "collect logs");
    assert!(said.stdout.contains("1 log, 0.000 s of work"), "{} {}", said.stdout, said.stderr);
}
