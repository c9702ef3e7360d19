//! Compares everything public of crates, as their documentation shows it, with a list: what is taken away or changed is
//! seen before users see it, and nothing becomes public unnoticed. The first crate is the door, which shows the others:
//! the names that it describes itself are counted, and there may not be more than a limit, so that its pages stay
//! short.
//!
//! ```text
//! cargo doc --no-deps --workspace
//! public_api .ci/api.txt --described 86 target/doc/costate target/doc/costate_identify [--record]
//! ```

mod page;
mod tree;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

#[derive(Parser)]
#[command(about = "Compares everything public of crates with a list")]
struct Arguments {
    /// The list.
    list: PathBuf,
    /// The folders of the crates' documentation, which `cargo doc` has written; the door first.
    #[arg(required = true)]
    documentation: Vec<PathBuf>,
    /// The largest number of names that the door describes itself.
    #[arg(long)]
    described: usize,
    /// Writes the list.
    #[arg(long)]
    record: bool,
}

fn main() -> Result<ExitCode> {
    let Arguments { list, documentation, described: limit, record } = Arguments::parse();
    let (mut version, mut items, mut described) = (String::new(), BTreeMap::new(), 0);
    for (number, folder) in documentation.iter().enumerate() {
        let (by, found) = tree::items(folder)?;
        if number == 0 {
            described = found.keys().filter(|item| !item.starts_with("mod ")).count();
            version = by;
        }
        items.extend(found);
    }
    println!("{described} names are described by {}", documentation[0].display());
    if described > limit {
        println!("That is more than {limit}: re-export parts of results and errors with `#[doc(no_inline)]`");
        return Ok(ExitCode::FAILURE);
    }
    let written = format!("rustdoc {version}\n{}", tree::text(&items));
    if record {
        costate_contract::files::write(&list, written).with_context(|| list.display().to_string())?;
        println!("{} public items are recorded", items.len());
        return Ok(ExitCode::SUCCESS);
    }
    let recorded = std::fs::read_to_string(&list).with_context(|| list.display().to_string())?;
    let by = recorded.lines().next().and_then(|line| line.strip_prefix("rustdoc ")).unwrap_or_default();
    if minor(by) != minor(&version) {
        println!("Not compared: the list is what rustdoc {by} writes, and this is {version}");
        return Ok(ExitCode::SUCCESS);
    }
    let changes = changes(&recorded, &written);
    println!("{} public items, {} lines of them differ from {}", items.len(), changes.len(), list.display());
    let most = 60;
    for change in changes.iter().take(most) {
        println!("{change}");
    }
    if changes.len() > most {
        println!("and {} more", changes.len() - most);
    }
    if changes.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!("If that is meant, say it in CHANGELOG.md and record it: the same command with --record");
    Ok(ExitCode::FAILURE)
}

/// A version without its last number.
fn minor(version: &str) -> &str {
    version.rsplit_once('.').map_or(version, |(minor, _)| minor)
}

/// The lines that only one of two lists has, each with its item.
fn changes(before: &str, after: &str) -> Vec<String> {
    let mut counts = BTreeMap::<_, i64>::new();
    for (text, sign) in [(before, -1), (after, 1)] {
        let mut item = "";
        for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
            if !line.starts_with(' ') {
                item = line;
            }
            *counts.entry((item, line.trim())).or_default() += sign;
        }
    }
    let changed = counts.into_iter().filter(|(_, count)| *count != 0);
    changed
        .map(|((item, line), count)| {
            let sign = if count < 0 { '-' } else { '+' };
            if item == line { format!("{sign} {item}") } else { format!("{sign} {item}: {line}") }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ_are_told_with_their_items() {
        let before = "rustdoc 1.95.0\nstruct a::B\n    pub x: f64,\n    pub fn f(&self)\n\nfn a::g\n    pub fn g()\n";
        let after = "rustdoc 1.95.1\nstruct a::B\n    pub x: f64,\n    pub fn f(self)\n";
        let expected =
            ["- fn a::g", "- fn a::g: pub fn g()", "- struct a::B: pub fn f(&self)", "+ struct a::B: pub fn f(self)"];
        assert_eq!(changes(before, after), expected);
        assert!(changes(before, before).is_empty());
        assert_eq!(minor("1.95.0"), minor("1.95.1"));
        assert_ne!(minor("1.95.0"), minor("1.96.0"));
    }
}
