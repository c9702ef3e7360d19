//! `costate new`: a crate with a model and a simulation, which runs at once.

use std::path::{Path, PathBuf};

use clap::Args;
use costate_compiler::FileError;

use crate::error::{CommandError, write};

const MANIFEST: &str = include_str!("../templates/Cargo.toml.txt");
const README: &str = include_str!("../templates/README.md");
const MAIN: &str = include_str!("../templates/main.rs");
const MODEL: &str = include_str!("../templates/model.rs");

/// What is made.
#[derive(Debug, Args)]
pub struct Options {
    /// The name of the crate, and of its folder.
    name: String,
    /// A local costate to depend on, instead of the published one of this command's version.
    #[arg(long)]
    path: Option<PathBuf>,
}

/// Writes the crate.
pub fn run(options: &Options) -> Result<(), CommandError> {
    let name = options.name.as_str();
    if !is_crate_name(name) {
        return Err(CommandError::CrateName(name.to_owned()));
    }
    let version = env!("CARGO_PKG_VERSION");
    let dependency = match &options.path {
        None => format!("\"{version}\""),
        Some(path) => format!("{{ path = {} }}", quoted(&runtime(path)?)),
    };
    let folder = Path::new(name);
    if folder.exists() {
        return Err(CommandError::Exists(folder.to_owned()));
    }
    let sources = folder.join("src");
    std::fs::create_dir_all(&sources)
        .map_err(|source| FileError::Unwritable { path: sources.clone(), source })?;
    let filled = |text: &str| text.replace("{name}", name).replace("{dependency}", &dependency);
    for (path, text) in [
        (folder.join("Cargo.toml"), MANIFEST),
        (folder.join("README.md"), README),
        (sources.join("main.rs"), MAIN),
        (sources.join("model.rs"), MODEL),
    ] {
        write(&path, &filled(text))?;
    }
    println!("`{name}` is ready: cd {name}, then cargo run --release");
    Ok(())
}

/// What cargo takes as the name of a crate with a program.
fn is_crate_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(allowed)
        && syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_ok()
        && !["test", "core", "std", "alloc", "proc_macro", "costate"].contains(&name)
}

/// The folder of the runtime crate in a local costate.
fn runtime(path: &Path) -> Result<PathBuf, CommandError> {
    let is_runtime = |folder: &Path| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.lines().any(|line| line.trim() == "name = \"costate\"")
    };
    let candidates = [path.join("runtime"), path.to_owned()];
    let found = candidates.into_iter().find(|folder| is_runtime(folder));
    found
        .and_then(|folder| std::path::absolute(folder).ok())
        .ok_or_else(|| CommandError::NoCostate(path.to_owned()))
}

/// A path as a string of TOML.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}
