//! The output of rustc for mistakes in a model and in its use: one message for a mistake, at the token that
//! is wrong. `mistakes/<name>.rs` has the program, `<name>.stderr` beside it the expected output. All
//! messages of the compiler of models, with marks of its own, are tested in its crate.
//!
//! rustc reads each program with the crate `costate` that this test is linked to, so that nothing is built again.
//! `MESSAGES=overwrite cargo test --release -p costate --test mistakes` writes the texts anew.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests may fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Returns the library that was built last, beside this test.
fn library() -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libcostate-") && name.ends_with(".rlib")
    };
    let built = |path: &PathBuf| fs::metadata(path).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(is_library).max_by_key(built).expect("the library that this test is linked to")
}

/// Returns what rustc says about a program, without its last lines, which count the errors.
fn said(program: &Path, library: &Path) -> String {
    let output = tempfile::tempdir().unwrap();
    let folder = library.parent().unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition=2024", "--crate-type=bin", "--crate-name=mistake", "--emit=metadata", "--color=never"]);
    command.arg("--out-dir").arg(output.path()).arg("-L").arg(format!("dependency={}", folder.display()));
    command.arg("--extern").arg(format!("costate={}", library.display())).arg(program);
    command.env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"));
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{} compiles", program.display());
    let text = String::from_utf8(output.stderr).unwrap();
    let counts = |paragraph: &&str| {
        let is_count = paragraph.starts_with("error: aborting due to") || paragraph.contains("warning emitted");
        is_count || paragraph.starts_with("For more information") || paragraph.starts_with("Some errors have detailed")
    };
    let paragraphs: Vec<&str> = text.trim_end().split("\n\n").filter(|paragraph| !counts(paragraph)).collect();
    paragraphs.join("\n\n") + "\n"
}

#[test]
fn mistakes() {
    let overwrite = std::env::var_os("MESSAGES").is_some_and(|value| value == "overwrite");
    let entries = fs::read_dir("tests/mistakes").unwrap().map(|entry| entry.unwrap().path());
    let is_program = |path: &PathBuf| {
        let text = path.to_string_lossy();
        text.ends_with(".rs") && (cfg!(feature = "interpreted") || !text.contains("interpreted-"))
    };
    let mut programs: Vec<PathBuf> = entries.filter(is_program).collect();
    programs.sort();
    assert!(programs.len() >= 19, "{} programs", programs.len());
    let (library, mut wrong) = (library(), Vec::new());
    for program in &programs {
        let (text, expected) = (said(program, &library), program.with_extension("stderr"));
        if overwrite {
            fs::write(&expected, &text).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != text {
            wrong.push(format!("{}:\n{text}", program.display()));
        }
    }
    assert!(wrong.is_empty(), "other than expected:\n\n{}", wrong.join("\n"));
}
