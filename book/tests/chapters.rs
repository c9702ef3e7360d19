//! Checks that statements of the chapters about other files are true.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

fn book() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = book().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn chapters() -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(book().join("src")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let markdown = files.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    markdown.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), read(&path))).collect()
}

/// Iterates over the targets of links: the text from `](` up to `)`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

#[test]
fn every_chapter_with_listings_is_compiled() {
    let library = read("lib.rs");
    for (name, text) in chapters() {
        let has_listings = text.lines().any(|line| line == "```rust");
        assert_eq!(has_listings, library.contains(&format!("\"{name}\"")), "{name}");
        // a listing that is not compiled would have one of these marks
        assert!(!text.contains(",ignore") && !text.contains("no_run"), "{name}");
        assert!(name == "SUMMARY.md" || read("src/SUMMARY.md").contains(&format!("({name})")), "{name}");
    }
}

#[test]
fn links_lead_somewhere() {
    for (name, text) in chapters() {
        for link in links(&text).filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { &name } else { file };
            assert!(book().join("src").join(file).exists(), "{name}: {link}");
            if !anchor.is_empty() {
                let headings = read(Path::new("src").join(file));
                let mut headings = headings
                    .lines()
                    .filter(|line| line.starts_with('#'))
                    .map(|line| line.trim_start_matches(['#', ' ']).to_lowercase().replace(' ', "-").replace(',', ""));
                assert!(headings.any(|heading| heading == anchor), "{name}: {link}");
            }
        }
        for include in text.split("{{#include ").skip(1).filter_map(|rest| rest.split("}}").next()) {
            assert!(book().join("src").join(include).exists(), "{name}: {include}");
        }
    }
}

#[test]
fn the_manifest_of_the_tutorial_is_that_of_new_crates() {
    let template = read("../cli/templates/Cargo.toml.txt");
    let filled = template
        .replace("{name}", "bench")
        .replace("{dependency}", "{ path = \"../costate/runtime\", features = [\"interpreted-models\"] }");
    assert!(read("src/tutorial.md").contains(filled.trim()), "{filled}");
}

/// Collects the text of all sources of a crate.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn messages_stand_in_the_sources() {
    let mut text = String::new();
    for storey in ["macros", "runtime"] {
        for folder in fs::read_dir(book().join("..").join(storey)).unwrap() {
            let source = folder.unwrap().path().join("src");
            if source.join("lib.rs").exists() {
                sources(&source, &mut text);
            }
        }
    }
    // joins strings that continue on the next line
    let joined: String = text.split("\\\n").map(str::trim_start).collect();
    let mut messages = 0;
    for line in read("src/errors.md").lines().filter(|line| line.starts_with("| `")) {
        let message = line.trim_start_matches("| `").split('`').next().unwrap();
        assert!(text.contains(message) || joined.contains(message), "{message}");
        messages += 1;
    }
    assert!(messages > 20, "{messages}");
}
