//! What the command prints, and how it ends.

use std::process::{Command, Stdio};

use super::support::{ROW, costate, folder_with};

/// As in `costate expand model.rs | head`.
#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    let folder = folder_with(ROW);
    for action in [&["expand", "--model", "Row"][..], &["report", "--model", "Row"], &["check"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_costate"));
        command.current_dir(folder.path()).args(action).arg("model.rs");
        let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("panicked"), "{action:?}: {said}");
    }
}

/// The cause stands in the message once.
#[test]
fn a_file_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    for action in ["check", "expand", "report"] {
        let said = costate(folder.path(), &[action, "nowhere.rs"]);
        assert!(!said.success);
        assert!(said.stderr.starts_with("error: cannot read `nowhere.rs`: "), "{}", said.stderr);
        assert_eq!(
            (said.stderr.matches("os error").count(), said.stderr.lines().count()),
            (1, 1),
            "{}",
            said.stderr
        );
    }
}
