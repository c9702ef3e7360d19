//! Checks numbers in the JSON files that the examples have written: each line of a list names a file, a path in it, and
//! the least and the largest number that are right there. Every JSON file of the folder needs a line.
//!
//! ```text
//! # file       path                        least   largest
//! mount.json   fit.parameters[0].found     99e3    101e3
//! ```

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;
use serde_json::Value;

#[derive(Parser)]
#[command(about = "Checks numbers in JSON files against ranges")]
struct Arguments {
    /// The list of ranges.
    ranges: std::path::PathBuf,
    /// The folder of the files.
    folder: std::path::PathBuf,
}

fn main() -> Result<ExitCode> {
    let Arguments { ranges, folder } = Arguments::parse();
    let text = std::fs::read_to_string(&ranges).with_context(|| ranges.display().to_string())?;
    let mut outside = 0;
    let mut checked = 0;
    let mut unlisted = written(&folder).with_context(|| folder.display().to_string())?;
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        checked += 1;
        unlisted.retain(|file| line.split_whitespace().next() != Some(file));
        if let Err(error) = check(line, &folder) {
            println!("{}:{}: {error:#}", ranges.display(), number + 1);
            outside += 1;
        }
    }
    for file in &unlisted {
        println!("{}: no number of {file} is checked", ranges.display());
    }
    println!("{checked} numbers checked, {outside} are not what they have to be");
    Ok(if outside == 0 && unlisted.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The names of the JSON files in a folder, sorted.
fn written(folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    files.sort();
    Ok(files)
}

/// Checks one line of the list.
fn check(line: &str, folder: &Path) -> Result<()> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [file, path, least, largest] = fields[..] else { bail!("`{line}`: write file, path, least, largest") };
    let (least, largest): (f64, f64) = (least.parse()?, largest.parse()?);
    let text = std::fs::read_to_string(folder.join(file)).with_context(|| file.to_owned())?;
    let document: Value = serde_json::from_str(&text).with_context(|| file.to_owned())?;
    let found = number(&document, path).with_context(|| format!("{file}: {path}"))?;
    if !(least..=largest).contains(&found) {
        bail!("{file}: {path} is {found}, and has to be from {least} to {largest}");
    }
    Ok(())
}

/// The number at a path of keys and indices, as `fit.parameters[0].found`; of a truth value 0 or 1, of a list its
/// length. A key may have an index of its own, as the name of a parameter `c[1]`.
fn number(document: &Value, path: &str) -> Result<f64> {
    let mut value = document;
    for part in path.split('.') {
        if let Some(found) = value.get(part) {
            value = found;
            continue;
        }
        for piece in part.split(['[', ']']).filter(|piece| !piece.is_empty()) {
            let next = match value {
                Value::Array(all) => piece.parse().ok().and_then(|index: usize| all.get(index)),
                _ => value.get(piece),
            };
            value = next.with_context(|| format!("there is no `{piece}`"))?;
        }
    }
    match value {
        Value::Bool(value) => Ok(f64::from(u8::from(*value))),
        Value::Array(all) => Ok(all.len() as f64),
        _ => value.as_f64().context("that is no number"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_paths_and_compared() {
        let document = serde_json::json!({ "fit": { "parameters": [{ "found": 2.5 }], "good": true, "c[1]": 4 } });
        assert_eq!(number(&document, "fit.parameters[0].found").unwrap(), 2.5);
        assert_eq!(number(&document, "fit.parameters").unwrap(), 1.0);
        assert_eq!(number(&document, "fit.good").unwrap(), 1.0);
        assert_eq!(number(&document, "fit.c[1]").unwrap(), 4.0);
        assert!(number(&document, "fit.parameters[1].found").is_err());
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.json"), document.to_string()).unwrap();
        check("a.json fit.parameters[0].found 2 3", folder.path()).unwrap();
        let error = check("a.json fit.parameters[0].found 3 4", folder.path()).unwrap_err().to_string();
        assert!(error.contains("is 2.5, and has to be from 3 to 4"), "{error}");
        assert!(check("b.json fit 0 1", folder.path()).is_err());
        std::fs::write(folder.path().join("c.json"), "1").unwrap();
        std::fs::write(folder.path().join("d.txt"), "1").unwrap();
        assert_eq!(written(folder.path()).unwrap(), ["a.json", "c.json"]);
    }
}
