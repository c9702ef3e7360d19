//! Runs the command, and the crates that it makes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Output of a call of the command.
pub struct Said {
    pub success: bool,
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `costate` with `arguments` in `folder`.
pub fn costate(folder: &Path, arguments: &[&str]) -> Said {
    let output =
        Command::new(env!("CARGO_BIN_EXE_costate")).current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code();
    Said { success: output.status.success(), code, stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A new folder with the file `model.rs` in it.
pub fn folder_with(model: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.rs"), model).unwrap();
    folder
}

/// Two models, the second a variant of the first.
pub const ROW: &str = "//! Masses in a row.

costate::model! {
    /// Masses in a row, each on a spring.
    pub Row(
        /// Number of masses.
        masses: usize = 2,
        damped: bool = true,
    ) {
        parameters {
            /// Mass of each body.
            m: kg = 2,
            c: N/mm = 0.1,
            if damped { d: N*s/m = 3 },
        }
        inputs { pull: N }
        coordinates { x[1..=masses]: m, end: m }
        mass { for i in 1..=masses { x[i]: m }, end: m }
        forces {
            x[1]: -c*x[1],
            for i in 2..=masses { let force = c*(x[i] - x[i - 1]); x[i]: -force, x[i - 1]: force },
            if damped { x[1]: -d*dot(x[1]) },
            end: if pull > 1[N] { pull } else { 0 },
        }
        constraints {
            /// The end is fixed to the last mass.
            tie: x[masses] - end,
        }
        initial { x[1] = 0.5[m], dot(x[1]) = 1[m/s], end ~ 0.2[m] }
        outputs { load: N = multiplier(tie), travel: mm = end }
    }

    pub LongRow = Row(masses = 4);
}
";

/// The checkout that this crate is part of.
pub fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs the program of the crate in `folder` and returns its output.
pub fn run(folder: &Path) -> String {
    let output = cargo(folder, &["run", "--quiet"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Prepares a call of Cargo in the folder of a crate outside of the workspace, without a network and with the
/// versions of the workspace. All such crates share a target folder. Nothing is optimised, since that would take
/// longer than the programs run.
pub fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    std::fs::copy(checkout().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_BIN_EXE_costate")).ancestors().nth(2).unwrap().join("outside");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(folder).args(arguments).arg("--offline").env("CARGO_TARGET_DIR", target);
    for package in ["\"*\"", "costate-compiler"] {
        cargo.args(["--config", &format!("profile.dev.package.{package}.opt-level=0")]);
    }
    for setting in ["opt-level=0", "debug=false", "incremental=false"] {
        cargo.args(["--config", &format!("profile.dev.{setting}")]);
    }
    cargo
}
