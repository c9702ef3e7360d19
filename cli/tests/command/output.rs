//! Output of the command, and its exit code.

use std::process::{Command, Stdio};

use super::support::{ROW, costate, folder_with};

/// Tests a closed pipe, as in `costate compile model.rs | head`.
#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    let folder = folder_with(ROW);
    for action in [&["compile", "--model", "Row"][..], &["report", "--model", "Row"], &["check"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_costate"));
        command.current_dir(folder.path()).args(action).arg("model.rs");
        let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("panicked"), "{action:?}: {said}");
    }
}

/// Tests that the message gives the cause once.
#[test]
fn a_file_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    for action in ["check", "compile", "report"] {
        let said = costate(folder.path(), &[action, "nowhere.rs"]);
        assert!(!said.success);
        assert!(said.stderr.starts_with("error: cannot read `nowhere.rs`: "), "{}", said.stderr);
        assert_eq!((said.stderr.matches("os error").count(), said.stderr.lines().count()), (1, 1), "{}", said.stderr);
    }
}

/// A second name of the old file keeps the old content: the new one is another file with the same name.
#[test]
fn files_are_replaced_whole() {
    let folder = folder_with(ROW);
    let of = |name: &str| folder.path().join(name);
    for action in ["compile", "report"] {
        std::fs::write(of("out"), "old").unwrap();
        std::fs::hard_link(of("out"), of(action)).unwrap();
        let said = costate(folder.path(), &[action, "model.rs", "--model", "Row", "-o", "out"]);
        assert!(said.success, "{}", said.stderr);
        assert_eq!(std::fs::read_to_string(of(action)).unwrap(), "old");
        assert_ne!(std::fs::read_to_string(of("out")).unwrap(), "old");
        std::fs::remove_file(of("out")).unwrap();
    }
}

/// Tests that a call removes the temporary files of killed calls.
#[test]
fn leftovers_of_killed_calls_are_removed() {
    let folder = folder_with(ROW);
    let leftover = folder.path().join(".costate-0123456789ab.part");
    std::fs::write(&leftover, "half").unwrap();
    let said = costate(folder.path(), "compile model.rs --model Row -o out.rs");
    assert!(said.success && !leftover.exists(), "{}", said.stderr);
}

/// Tests that pipes and devices are written to, neither read nor replaced.
#[cfg(unix)]
#[test]
fn pipes_and_devices_stay_what_they_are() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder_with(ROW);
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::write(folder.path().join("values.json"), "{\"m\": 3}").unwrap();
    let arguments = |output| ["defaults", "model.rs", "--model", "Row", "--values", "values.json", "-o", output];
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap())
    };
    let said = costate(folder.path(), &arguments("pipe"));
    assert!(said.success, "{}", said.stderr);
    assert!(reader.join().unwrap().contains("m: kg = 3"));
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    std::os::unix::fs::symlink("/dev/null", folder.path().join("null")).unwrap();
    assert!(costate(folder.path(), &arguments("null")).success);
    assert!(folder.path().join("null").is_symlink());
    let said = costate(folder.path(), &arguments("/dev/stdout"));
    said.prints(0, &["m: kg = 3"]);
}

/// Tests that pipes, devices and folders are refused at once, with a message that says what they are.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_read() {
    let folder = folder_with(ROW);
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    for (path, kind) in [("pipe", "a pipe"), ("/dev/zero", "a device"), (".", "a folder")] {
        let said = costate(folder.path(), &["check", path]);
        assert!(!said.success && said.stderr.contains(&format!("it is {kind}")), "{}", said.stderr);
    }
}
