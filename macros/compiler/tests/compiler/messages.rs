//! Messages about wrong models, with lines and marks as a user sees them. `messages/<stage>/<name>.rs` contains a
//! model, and `<name>.txt` next to it contains the messages. `<name>.diff` contains a model as what differs from a file
//! of its folder: its first line names the file, the others begin with `-` (removed), `+` (added) or a blank (kept).
//!
//! `MESSAGES=overwrite cargo test -p costate-compiler --test compiler messages` writes the texts again.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use costate_compiler::{Diagnostic, FileError, ModelFile, compile_str};

const FOLDER: &str = "tests/messages";

/// Applies a difference: every line that it keeps or removes is the next such line of its file.
fn patched(path: &Path) -> String {
    let difference = fs::read_to_string(path).unwrap();
    let (file, changes) = difference.strip_prefix("--- ").and_then(|text| text.split_once('\n')).unwrap();
    let base = fs::read_to_string(path.with_file_name(file)).unwrap();
    let (mut rest, mut text) = (base.lines(), String::new());
    for change in changes.lines() {
        let (sign, line) = change.split_at(1);
        if sign != "+" {
            let position = rest.clone().position(|other| other == line);
            assert!(position.is_some(), "{line}");
            let position = position.unwrap_or_default();
            text.extend(rest.by_ref().take(position).map(|line| format!("{line}\n")));
            rest.next();
        }
        if sign != "-" {
            text += &format!("{line}\n");
        }
    }
    text.extend(rest.map(|line| format!("{line}\n")));
    text
}

/// Writes the errors and warnings of the models of a file, one after the other.
fn said(path: &Path) -> String {
    let mut text = String::new();
    let file = match path.extension() {
        Some(ending) if ending == "diff" => ModelFile::from_text(path.with_extension("rs"), patched(path)),
        _ => ModelFile::read(path),
    };
    match file {
        Ok(file) => {
            let findings = file.check();
            for (level, found) in [(Level::ERROR, &findings.errors), (Level::WARNING, &findings.warnings)] {
                for diagnostic in found {
                    text += &rendered(&file, level.clone(), diagnostic);
                }
            }
        }
        Err(FileError::Model { .. }) => unreachable!("reading a file does not compile its models"),
        Err(error) => text = format!("error: {error}\n"),
    }
    text.replace(env!("CARGO_MANIFEST_DIR"), "$CRATE")
}

fn rendered(file: &ModelFile, level: Level, diagnostic: &Diagnostic) -> String {
    let path = file.path().strip_prefix(FOLDER).unwrap().to_string_lossy();
    let mark = AnnotationKind::Primary.span(diagnostic.range());
    let snippet = Snippet::source(file.text()).path(&*path).annotation(mark);
    let group = level.primary_title(&*diagnostic.message).element(snippet);
    format!("{}\n\n", Renderer::plain().render(&[group]))
}

/// Lists all files with one of these endings below the folders of the stages, sorted.
fn files(endings: &[&str]) -> Vec<PathBuf> {
    let entries =
        |folder: &Path| -> Vec<PathBuf> { fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect() };
    let stages = entries(Path::new(FOLDER));
    let mut files: Vec<PathBuf> = stages.iter().flat_map(|stage| entries(stage)).collect();
    files.retain(|file| endings.iter().any(|ending| file.extension() == Some(OsStr::new(ending))));
    files.sort();
    files
}

#[test]
fn messages() {
    let overwrite = std::env::var_os("MESSAGES").is_some_and(|value| value == "overwrite");
    let models = files(&["rs", "diff"]);
    let mut wrong = Vec::new();
    for model in &models {
        let text = said(model);
        let expected = model.with_extension("txt");
        if overwrite {
            fs::write(&expected, &text).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != text {
            wrong.push(format!("{}:\n{text}", model.display()));
        }
        if text.is_empty() {
            wrong.push(format!("{}: nothing is said", model.display()));
        }
    }
    assert!(wrong.is_empty(), "other than expected:\n\n{}", wrong.join("\n"));
    assert!(models.len() >= 290, "{} cases", models.len());
    for text in files(&["txt"]) {
        let belongs = ["rs", "diff"].iter().filter(|ending| text.with_extension(ending).is_file()).count();
        assert_eq!(belongs, 1, "{} belongs to one model", text.display());
    }
}

/// Repeats the test because sets and maps may iterate in a different order each time.
#[test]
fn of_equally_near_names_the_first_of_the_alphabet_is_meant() {
    let source = "Slider {
        coordinates { x: m }
        mass { x: 1[kg] }
        let pull_d = x; let pull_b = x; let pull_a = x; let pull_c = x; let pull_e = x;
        forces { x: -1[N/m]*(pull_a + pull_b + pull_c + pull_d + pull_e + pull_x) }
    }";
    for _ in 0..20 {
        let errors = compile_str(source).unwrap_err();
        assert_eq!(errors[0].message, "unknown name `pull_x`; did you mean `pull_a`?");
    }
}
