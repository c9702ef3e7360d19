//! All pages of a crate, from its first page on.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::page;

/// Public items: the lines of every item by its kind and path, such as `struct costate::measure::Record`.
pub type Items = BTreeMap<String, Vec<String>>;

/// Reads the documentation of a crate from its folder: the version of rustdoc, and the items.
pub fn items(folder: &Path) -> Result<(String, Items)> {
    let name = folder.file_name().context("a folder of documentation is needed")?.to_string_lossy();
    let first = read(&folder.join("index.html"))?;
    let version = page::version(&first).context("the documentation does not say by which rustdoc it is")?;
    let mut items = Items::new();
    module(folder, &name, &first, &mut items)?;
    Ok((version.to_owned(), items))
}

/// Formats the items, each with its lines indented.
pub fn text(items: &Items) -> String {
    let mut text = String::new();
    for (item, lines) in items {
        let _ = writeln!(text, "\n{item}");
        for line in lines {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// Adds the re-exports and items of a module, and of the modules in it.
fn module(folder: &Path, path: &str, html: &str, items: &mut Items) -> Result<()> {
    items.insert(format!("mod {path}"), page::reexports(html));
    for link in page::links(html) {
        let html = read(&folder.join(link))?;
        if let Some(inner) = link.strip_suffix("/index.html") {
            module(&folder.join(inner), &format!("{path}::{inner}"), &html, items)?;
        } else if let Some((kind, name)) = link.strip_suffix(".html").and_then(|link| link.split_once('.')) {
            items.insert(format!("{kind} {path}::{name}"), page::item(&html));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .with_context(|| format!("{}: cargo doc --no-deps -p costate writes it", path.display()))
}
