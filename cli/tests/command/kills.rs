//! A command that is killed while it writes leaves the old file or the new one.

use std::process::Command;
use std::time::Duration;

use super::support::{ROW, costate, folder_with};

#[test]
fn the_old_file_or_the_new_one() {
    let folder = folder_with(ROW);
    for action in ["report", "compile"] {
        let path = folder.path().join(action);
        assert!(costate(folder.path(), &[action, "model.rs", "--model", "Row", "-o", action]).success);
        let whole = std::fs::read(&path).unwrap();
        let start = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_costate"));
            command.current_dir(folder.path()).args([action, "model.rs", "--model", "Row", "-o", action]);
            command
        };
        costate_fuzz::kill_while_writing(start, &path, Duration::from_secs(2), |content| content == whole);
        assert!(costate(folder.path(), &[action, "model.rs", "--model", "Row", "-o", action]).success);
    }
    // the folder has nothing but the model and what was written
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "leftovers");
}
