//! What a person sees who builds a crate with mistakes in it: rustc's own messages, at most one for a mistake.
//! `mistakes/<name>.rs` has the program, `<name>.txt` beside it what is said. Other messages of the compiler of models are
//! tested in its own crate.
//!
//! `MESSAGES=overwrite cargo test -p costate-cli --test command mistakes` writes the texts anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::support::{cargo, checkout, costate};

/// The programs, sorted.
fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect();
    programs.sort();
    programs
}

/// What cargo says about each example of a crate, by the example's name.
fn said(folder: &Path) -> BTreeMap<String, String> {
    let arguments = ["build", "--examples", "--keep-going", "--message-format=json"];
    let output = cargo(folder, &arguments).output().unwrap();
    assert!(!output.status.success(), "mistakes have been built");
    let mut said = BTreeMap::<String, String>::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let (target, text) = (&message["target"]["name"], &message["message"]["rendered"]);
        let (Some(target), Some(text)) = (target.as_str(), text.as_str()) else { continue };
        // How many there are, and where to read of them.
        let is_about_messages = message["message"]["spans"].as_array().is_some_and(Vec::is_empty);
        if !is_about_messages {
            *said.entry(target.to_owned()).or_default() += text;
        }
    }
    said
}

#[test]
fn in_a_new_crate() {
    let folder = tempfile::tempdir().unwrap();
    let made = costate(folder.path(), &["new", "mistaken", "--path", checkout().to_str().unwrap()]);
    assert!(made.success, "{}", made.stderr);
    let new = folder.path().join("mistaken");
    fs::create_dir(new.join("examples")).unwrap();
    let programs = programs();
    for program in &programs {
        fs::copy(program, new.join("examples").join(program.file_name().unwrap())).unwrap();
    }
    let said = said(&new);
    let mut wrong = Vec::new();
    for program in &programs {
        let name = program.file_stem().unwrap().to_str().unwrap();
        let text = said.get(name).map_or("", String::as_str);
        let expected = program.with_extension("txt");
        if std::env::var_os("MESSAGES").is_some_and(|value| value == "overwrite") {
            fs::write(&expected, text).unwrap();
        } else if text.is_empty() || fs::read_to_string(&expected).unwrap_or_default() != text {
            wrong.push(format!("{name}:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "other than expected:\n\n{}", wrong.join("\n"));
    assert!(programs.len() >= 21, "{} programs", programs.len());
}
