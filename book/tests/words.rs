//! Checks of words over all sources and pages: how comments begin, how long pages are, and that the files they name
//! exist.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

/// Words with which a comment begins as a clause, not as a sentence or a noun phrase.
const CLAUSES: [&str; 18] = [
    "What", "Whether", "How", "Why", "Of", "Its", "The same", "Those", "Such", "They", "None", "Not", "When", "If",
    "This", "These", "Only", "Anything",
];

/// Further words of this kind, which the documentation of quantities in a `model!` block may begin with.
const OUTSIDE_MODELS: [&str; 6] = ["Where", "Nothing", "Nobody", "It", "As", "Everything"];

/// First lines of models.
const MODELS: [&str; 2] = ["model! {", "costate::model! {"];

/// Folders without sources of people: built, expected or recorded text.
const OTHERS: [&str; 6] = ["target", "out", "golden", "snapshots", "mistakes", "messages"];

/// The largest number of lines of the pages at the top.
const MAX_PAGE_LINES: [(&str, usize); 5] =
    [("README.md", 130), ("ARCHITECTURE.md", 140), ("CONTRIBUTING.md", 100), ("CHANGELOG.md", 60), ("SECURITY.md", 60)];

/// The largest number of columns of a line of code, or on these pages outside of tables and links.
const MAX_COLUMNS: usize = 120;

/// The largest number of files at the top whose names do not begin with a dot.
const MAX_TOP_FILES: usize = 12;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Adds all Rust files of a folder.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && !OTHERS.contains(&name.as_str()) {
                sources(&path, files);
            }
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
}

/// Returns the text of a line of documentation.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim_start)
}

/// Returns the numbers of the lines where documentation begins as a clause.
fn clauses(text: &str) -> Vec<usize> {
    let begins = |line: &str, word: &str| {
        line.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    };
    let mut found = Vec::new();
    let mut before = false;
    // the indentation of the model around the line
    let mut model = None;
    for (number, line) in text.lines().enumerate() {
        let code = line.trim_start();
        match model {
            Some(indentation) if line.strip_suffix('}') == Some(indentation) => model = None,
            None if MODELS.contains(&code) => model = line.strip_suffix(code),
            _ => (),
        }
        let others = OUTSIDE_MODELS.iter().filter(|_| model.is_none());
        let mut words = CLAUSES.iter().chain(others);
        let comment = documentation(line);
        if !before && comment.is_some_and(|comment| words.any(|word| begins(comment, word))) {
            found.push(number + 1);
        }
        before = comment.is_some();
    }
    found
}

#[test]
fn comments_begin_as_sentences() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    assert!(files.len() > 1000, "{}", files.len());
    let of_file = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        clauses(&text).into_iter().map(|line| format!("{}:{line}", path.display())).collect::<Vec<_>>()
    };
    let found: Vec<String> = files.iter().flat_map(of_file).collect();
    assert!(
        found.is_empty(),
        "a comment begins with a verb in the third person or a noun phrase:\n{}",
        found.join("\n")
    );
}

#[test]
fn clauses_are_found() {
    let text = "/// What is left.\nfn a() {}\n\n/// Whatever is left.\n/// What is no first line.\nfn b() {}\n\n//! \
         Its name\n";
    assert_eq!(clauses(text), [1, 8]);
    let model = "    model! {\n        /// Where it is.\n        x: m,\n        /// Those.\n        y: m,\n    }\n\
         \x20   /// Where it is.\n";
    assert_eq!(clauses(model), [4, 7]);
}

#[test]
fn pages_are_short() {
    for (page, most) in MAX_PAGE_LINES {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let lines = text.lines().count();
        assert!(
            lines <= most,
            "{page} has {lines} lines, at most {most} are read: details stand on the pages of crates"
        );
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('|')) {
            let columns = line.chars().count();
            assert!(columns <= MAX_COLUMNS || line.contains("://"), "{page}:{}: {columns} columns", number + 1);
        }
    }
}

#[test]
fn lines_of_code_are_short() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            let columns = line.chars().count();
            assert!(columns <= MAX_COLUMNS, "{}:{}: {columns} columns", path.display(), number + 1);
        }
    }
}

#[test]
fn few_files_stand_at_the_top() {
    let entries = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file());
    let names: Vec<String> = files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let shown: Vec<&String> = names.iter().filter(|name| !name.starts_with('.')).collect();
    assert!(shown.len() <= MAX_TOP_FILES, "{shown:?}");
}

#[test]
fn files_that_the_architecture_names_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let named = text.split('`').skip(1).step_by(2);
    let is_path = |name: &&str| {
        let first = name.split('/').next().unwrap_or_default();
        name.contains('/') && !name.contains(['{', '*', '<', ' ', ':']) && root().join(first).is_dir()
    };
    let mut count = 0;
    for name in named.filter(is_path) {
        count += 1;
        assert!(root().join(name.trim_start_matches("../")).exists(), "`{name}` does not exist");
    }
    assert!(count > 20, "{count}");
}

/// Adds all files and folders of a folder, but for what is built.
fn entries(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || ["target", "out"].contains(&name.as_str()) {
            continue;
        }
        if entry.path().is_dir() {
            entries(&entry.path(), paths);
        }
        paths.push(entry.path());
    }
}

/// Iterates over the names of files and folders in a line: in backticks, with the ending `.rs` or a path from a folder
/// with sources.
fn named_files(line: &str) -> impl Iterator<Item = &str> {
    let folders = ["src/", "tests/", "macros/", "runtime/", "examples/", "bridges/", "cli/", "book/"];
    let is_file = move |name: &&str| name.ends_with(".rs") || folders.iter().any(|folder| name.starts_with(folder));
    line.split('`').skip(1).step_by(2).filter(is_file).filter(|name| !name.contains([' ', '*', '<', '{', '(']))
}

#[test]
fn files_that_front_pages_name_exist() {
    let mut paths = Vec::new();
    entries(&root(), &mut paths);
    let mut count = 0;
    for page in paths.iter().filter(|path| ["lib.rs", "mod.rs", "main.rs"].iter().any(|name| path.ends_with(name))) {
        let text = fs::read_to_string(page).unwrap();
        for name in text.lines().filter(|line| line.starts_with("//!")).flat_map(named_files) {
            count += 1;
            assert!(paths.iter().any(|path| path.ends_with(name)), "{}: `{name}` does not exist", page.display());
        }
    }
    assert!(count > 20, "{count}");
}

/// Returns the names in backticks with which the entry of a list or the row of a table begins.
fn entry_names(line: &str) -> Vec<&str> {
    let heads: Vec<&str> = match (line.strip_prefix("//! - "), line.strip_prefix("//! | ")) {
        (Some(entry), _) => entry.split("; ").filter_map(|part| part.split_once(':')).map(|(head, _)| head).collect(),
        (_, Some(row)) => row.split('|').take(1).collect(),
        _ => Vec::new(),
    };
    let names = heads.into_iter().flat_map(|head| head.split('`').skip(1).step_by(2));
    names.filter(|name| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')).collect()
}

#[test]
fn modules_that_front_pages_list_exist() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut count = 0;
    for page in files.iter().filter(|path| path.ends_with("lib.rs") || path.ends_with("mod.rs")) {
        let text = fs::read_to_string(page).unwrap();
        let names: Vec<&str> = text.lines().flat_map(entry_names).collect();
        let is_module = |name: &&str| text.contains(&format!("mod {name};"));
        // a list of one module is a list of modules
        if names.iter().any(is_module) {
            count += names.len();
            let gone: Vec<&&str> = names.iter().filter(|name| !is_module(name)).collect();
            assert!(gone.is_empty(), "{}: {gone:?} are no modules here", page.display());
        }
    }
    assert!(count > 20, "{count}");
}
