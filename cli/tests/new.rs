//! `costate new`: the crate builds and runs, and so does expanded code in it.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::costate;

/// The checkout that this crate is part of.
fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A program of the crate in `folder`, built without a network and with what the workspace has built already.
fn run(folder: &Path, program: &[&str]) -> String {
    // The same versions as in the workspace.
    std::fs::copy(checkout().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let executable = Path::new(env!("CARGO_BIN_EXE_costate"));
    let target = executable.ancestors().nth(2).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
    cargo.args(["run", "--offline", "--quiet"]).args(program);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Simulates the same engine, as `costate expand` wrote it and as the macro expands it.
const COMPARISON: &str = r#"
mod expanded {
    include!("engine.rs");
}

mod by_macro {
    MODEL
}

use costate::Simulation;

macro_rules! twist {
    ($engine:ty) => {{
        let engine = <$engine>::default();
        let run = Simulation::new(&engine)
            .input(<$engine>::Q_RUN, |t| 157.0 * t)
            .input(<$engine>::V_RUN, |_| 157.0)
            .step(5e-5)
            .until(0.02)
            .alpha(-0.1)
            .run();
        let bits: Vec<u64> = run.unwrap().output(<$engine>::TWIST).into_iter().map(f64::to_bits).collect();
        bits
    }};
}

fn main() {
    assert_eq!(expanded::FourCylinderEngine::CYLINDERS, 6);
    let twist = twist!(expanded::FourCylinderEngine);
    assert_eq!(twist, twist!(by_macro::FourCylinderEngine));
    assert!(twist.iter().any(|bits| f64::from_bits(*bits).abs() > 1e-6));
    println!("{} samples", twist.len());
}
"#;

#[test]
fn a_crate_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout();
    let path = checkout.to_str().unwrap();
    let said = costate(folder.path(), &["new", "my-pendulum", "--path", path]);
    assert!(said.success, "{}", said.stderr);
    assert_eq!(said.stdout, "`my-pendulum` is ready: cd my-pendulum, then cargo run --release\n");
    let new = folder.path().join("my-pendulum");
    let printed = run(&new, &["--bin", "my-pendulum"]);
    // Angle at t = 0, and the damping that is found.
    assert!(printed.contains("      0.0         20.000"), "{printed}");
    let found = printed.lines().find(|line| line.starts_with("d ")).unwrap_or_default();
    let numbers: Vec<f64> = found.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(numbers.iter().any(|number| (number - 0.01).abs() < 1e-6), "{printed}");
    // What the README says.
    let readme = std::fs::read_to_string(new.join("README.md")).unwrap();
    assert!(readme.starts_with("# my-pendulum\n"), "{readme}");
    assert!(costate(&new, &["check", "src/model.rs"]).success);
    assert!(costate(&new, &["report", "src/model.rs", "-o", "model.html"]).success);

    let said = costate(folder.path(), &["new", "my-pendulum", "--path", path]);
    assert!(!said.success);
    assert_eq!(
        said.stderr,
        "error: `my-pendulum` exists already; choose another name, nothing is overwritten\n"
    );

    six_cylinders(&new, &checkout);
}

/// The engine of the ready-made models with six cylinders.
fn six_cylinders(folder: &Path, checkout: &Path) {
    let file = checkout.join("models/src/four_cylinder_engine.rs");
    let source = std::fs::read_to_string(&file).unwrap();
    let programs = folder.join("src/bin");
    std::fs::create_dir_all(&programs).unwrap();
    let said = costate(
        folder,
        &[
            "expand",
            file.to_str().unwrap(),
            "--model",
            "FourCylinderEngine",
            "--set",
            "cylinders=6",
            "-o",
            "src/bin/engine.rs",
        ],
    );
    assert!(said.success, "{}", said.stderr);
    let model = source.split_once("costate::model! {").unwrap().1.split_once("\n    }\n").unwrap().0;
    let model = model.replace("cylinders: usize = 4", "cylinders: usize = 6");
    let comparison = COMPARISON.replace("MODEL", &format!("costate::model! {{ {model} }} }}"));
    std::fs::create_dir_all(programs.join("comparison")).unwrap();
    std::fs::rename(programs.join("engine.rs"), programs.join("comparison/engine.rs")).unwrap();
    std::fs::write(programs.join("comparison/main.rs"), comparison).unwrap();
    assert_eq!(run(folder, &["--bin", "comparison"]), "401 samples\n");
}

#[test]
fn names_and_paths() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["", "9lives", "a b", "fn", "../up", "costate", "test", "über"] {
        let said = costate(folder.path(), &["new", name]);
        assert!(!said.success, "{name}");
        assert!(
            said.stderr.starts_with(&format!("error: `{name}` is no name of a crate; ")),
            "{}",
            said.stderr
        );
    }
    let said = costate(folder.path(), &["new", "engine", "--path", "nowhere"]);
    assert!(!said.success);
    assert!(said.stderr.starts_with("error: `nowhere` has no costate; "), "{}", said.stderr);
    assert!(!folder.path().join("engine").exists());
}

/// Without a path, the crate depends on the published version of this command.
#[test]
fn depends_on_this_version() {
    let folder = tempfile::tempdir().unwrap();
    assert!(costate(folder.path(), &["new", "engine"]).success);
    let manifest = std::fs::read_to_string(folder.path().join("engine/Cargo.toml")).unwrap();
    assert!(manifest.contains(&format!("costate = \"{}\"\n", env!("CARGO_PKG_VERSION"))), "{manifest}");
}
