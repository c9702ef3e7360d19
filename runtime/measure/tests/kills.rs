//! A process that is killed while it writes a record leaves the old one or the new one.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use costate_measure::record::Record;

fn record(value: f64) -> Record {
    let times = (0..20_000).map(f64::from).collect();
    Record::new(times).unwrap().with_channel("x", None, vec![value; 20_000]).unwrap()
}

#[test]
fn the_old_record_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.csv");
    record(1.0).write_csv(&path).unwrap();
    let start = || {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "writer", "--ignored"]).env("COSTATE_RECORD", &path);
        child
    };
    costate_fuzz::kill_while_writing(start, &path, Duration::from_millis(100), |content| {
        Record::from_csv(content, "a").is_ok_and(|read| read.times().len() == 20_000)
    });
    record(3.0).write_csv(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "leftovers");
}

#[test]
#[ignore = "by the test above"]
fn writer() {
    let path = std::env::var_os("COSTATE_RECORD").unwrap();
    for value in (0..).map(f64::from) {
        record(value).write_csv(Path::new(&path)).unwrap();
    }
}
