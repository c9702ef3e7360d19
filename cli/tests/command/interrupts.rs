//! Ctrl-C: commands end at once, with their exit code and without temporary files.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::support::costate;

/// Two masses on springs, of which one drives the other.
const MODEL: &str = "pub Two {
    parameters { c: N/m = 120, d: N*s/m = 0.8 }
    inputs { drive: N }
    coordinates { q: m, s: m }
    mass { q: 1[kg], s: 1[kg] }
    forces { q: drive - c*q - d*dot(q) - c*(q - s), s: -c*(s - q) - d*dot(s) }
    outputs { position: m = q }
}
";

/// Longest time from the signal to the end: far below that of the work, with room for a busy machine.
const LONGEST: Duration = Duration::from_secs(10);

fn folder(samples: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.model"), MODEL).unwrap();
    let mut text = "time [s],position [m],drive [N]\n".to_owned();
    for i in 0..samples {
        let t = 1e-3 * i as f64;
        text += &format!("{t:.3},{:.6},{:.6}\n", 0.1 * (5.0 * t).sin(), 30.0 * (5.0 * t).sin());
    }
    fs::write(folder.path().join("r.csv"), text).unwrap();
    folder
}

/// Runs a command until a temporary file is there or some time has gone, and sends Ctrl-C.
fn interrupt(folder: &Path, arguments: &[&str], is_time: impl Fn(Duration) -> bool) -> (Option<i32>, Duration) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_costate"))
        .current_dir(folder)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while !is_time(begin.elapsed()) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let sent = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    (child.wait().unwrap().code(), sent.elapsed())
}

fn parts(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part")).count()
}

#[test]
fn a_filter_ends() {
    let folder = folder(400_000);
    let arguments = ["filter", "two.model", "--record", "r.csv", "--follow", "c,d", "--noise", "position=0.002"];
    for more in [&["--method", "unscented", "--smooth", "-o", "f.csv"][..], &["--smooth"]] {
        let (code, time) =
            interrupt(folder.path(), &[&arguments[..], more].concat(), |gone| gone > Duration::from_secs(2));
        assert!(code == Some(130) && time < LONGEST, "{code:?} {time:?}");
    }
}

/// The first run of a fit is interrupted, which says nothing about its start values.
#[test]
fn a_fit_ends_before_its_first_iteration() {
    let folder = folder(400_000);
    let mut child = Command::new(env!("CARGO_BIN_EXE_costate"))
        .current_dir(folder.path())
        .args(["fit", "two.model", "--record", "r.csv", "--unknown", "c,d", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut text = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    // a busy machine may still read the record, and ends at once without a word
    if !text.is_empty() {
        assert!(text.contains("interrupted") && !text.contains("start values"), "{text}");
        assert!(!text.contains(".run()"), "{text}");
    }
}

#[test]
fn no_temporary_file_stays() {
    let folder = folder(400_000);
    let run = ["run", "two.model", "--until", "2000", "--step", "0.001", "--error-limit", "1e9", "-o", "o.csv"];
    for arguments in [&["convert", "r.csv", "o.csv"][..], &["convert", "r.csv", "o.uff", "--text"], &run] {
        // until a file is begun
        let (code, time) = interrupt(folder.path(), arguments, |_| parts(folder.path()) > 0);
        assert!(code == Some(130) && time < LONGEST, "{arguments:?} {code:?} {time:?}");
        assert_eq!(parts(folder.path()), 0, "{arguments:?}");
    }
    assert!(!folder.path().join("o.csv").exists());
    assert!(costate(folder.path(), "check two.model").success);
}
