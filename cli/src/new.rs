//! `costate new`: a crate with a model and a simulation, which runs at once.

use std::path::{Path, PathBuf};

use clap::Args;
use costate_compiler::FileError;
use serde_json::json;

use crate::answer::Answer;
use crate::error::{CommandError, command_errors};
use crate::output::write;

const MANIFEST: &str = include_str!("../templates/Cargo.toml.txt");
const README: &str = include_str!("../templates/README.md");
const MAIN: &str = include_str!("../templates/main.rs");
const MODEL: &str = include_str!("../templates/model.rs");

/// The crate to create.
#[derive(Debug, Args)]
pub struct Options {
    /// The name of the crate, and of its folder.
    name: String,
    /// The folder of the costate to depend on; without it, the one that this command was built from.
    #[arg(long)]
    path: Option<PathBuf>,
}

/// A crate that cannot be made.
#[derive(Debug, thiserror::Error)]
enum NewError {
    /// The folder exists already.
    #[error("`{}` exists already; choose another name, nothing is overwritten", .0.display())]
    Exists(PathBuf),
    /// A name that a crate cannot have.
    #[error(
        "`{0}` is not a valid crate name; begin with a letter, continue with letters, digits, `-` and `_`, and avoid \
             Rust keywords"
    )]
    CrateName(String),
    /// A name that something else has already.
    #[error("`{name}` cannot be the name of the new crate, since {}; choose another one, such as `{name}-model`", .why)]
    Reserved { name: String, why: &'static str },
    /// The folder given by `--path` does not contain costate.
    #[error("`{}` does not contain costate; give the folder of its workspace, or of the crate `costate` \
         itself", .0.display())]
    NoCostate(PathBuf),
    /// No `--path`, and the source that the command was built from has gone.
    #[error(
        "the sources of costate from which this command was built are no longer in `{}`; give the folder of its \
             workspace with `--path FOLDER`",
        .0.display()
    )]
    NoSource(PathBuf),
}

command_errors!(Wrong: NewError);

/// Writes the crate.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let name = options.name.as_str();
    if !is_crate_name(name) {
        return Err(NewError::CrateName(name.to_owned()).into());
    }
    if let Some(why) = reserved(name) {
        return Err(NewError::Reserved { name: name.to_owned(), why }.into());
    }
    let runtime = dependency(options.path.as_deref(), built_from())?;
    let folder = Path::new(name);
    if folder.exists() {
        return Err(NewError::Exists(folder.to_owned()).into());
    }
    let sources = folder.join("src");
    std::fs::create_dir_all(&sources).map_err(|source| FileError::Unwritable { path: sources.clone(), source })?;
    let dependency = format!("{{ path = {}, features = [\"interpreted-models\"] }}", quoted(&runtime));
    let filled = |text: &str| text.replace("{name}", name).replace("{dependency}", &dependency);
    for (path, text) in [
        (folder.join("Cargo.toml"), MANIFEST),
        (folder.join("README.md"), README),
        (sources.join("main.rs"), MAIN),
        (sources.join("model.rs"), MODEL),
    ] {
        write(&path, &filled(text))?;
    }
    let text = format!(
        "`{name}` is ready: cd {name}, then cargo run --release\nIt takes costate from `{}`.\n",
        runtime.display()
    );
    Ok(Answer::new(text, json!({ "folder": folder, "costate": runtime })))
}

/// Returns the folder of the workspace that this command was built in: the source that was installed, or the checkout
/// that Cargo keeps of a repository.
fn built_from() -> &'static Path {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.parent().unwrap_or(crate_folder)
}

/// Finds the folder of the runtime crate: in the named costate, or else in the one that the command was built from.
fn dependency(named: Option<&Path>, built_from: &Path) -> Result<PathBuf, NewError> {
    match named {
        Some(path) => runtime(path).ok_or_else(|| NewError::NoCostate(path.to_owned())),
        None => runtime(built_from).ok_or_else(|| NewError::NoSource(built_from.to_owned())),
    }
}

/// Checks whether cargo accepts `name` as the name of a crate with a program.
fn is_crate_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(allowed)
        && syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_ok()
}

/// Folders of a build, among which Cargo puts the program.
const OF_CARGO: [&str; 5] = ["build", "deps", "examples", "incremental", "artifact"];

/// Crates of Rust itself.
const OF_RUST: [&str; 5] = ["test", "core", "std", "alloc", "proc_macro"];

/// Devices of Windows, also with a number after the last two.
const OF_WINDOWS: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Returns the reason why a crate with a program cannot have a name that a crate could have.
fn reserved(name: &str) -> Option<&'static str> {
    let plain = name.replace('-', "_").to_lowercase();
    let device = plain.trim_end_matches(|c: char| c.is_ascii_digit());
    let numbers = plain.len() - device.len();
    let is_device =
        OF_WINDOWS.contains(&device) && if matches!(device, "com" | "lpt") { numbers == 1 } else { numbers == 0 };
    if OF_CARGO.contains(&plain.as_str()) {
        Some("Cargo has a folder of this name beside the program")
    } else if OF_RUST.contains(&plain.as_str()) {
        Some("a crate of Rust has this name")
    } else if plain == "costate" {
        Some("the crate that it depends on has this name")
    } else if is_device {
        Some("Windows has a device of this name")
    } else {
        None
    }
}

/// Finds the folder of the runtime crate in a costate; `None` if it has none.
fn runtime(path: &Path) -> Option<PathBuf> {
    let is_runtime = |folder: &Path| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.lines().any(|line| line.trim() == "name = \"costate\"")
    };
    let candidates = [path.join("runtime"), path.to_owned()];
    let found = candidates.into_iter().find(|folder| is_runtime(folder));
    found.and_then(|folder| std::path::absolute(folder).ok())
}

/// Writes a path as a TOML string, in which control characters are escaped.
fn quoted(path: &Path) -> String {
    let mut text = String::from("\"");
    for character in path.to_string_lossy().chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            _ if character.is_control() => text += &format!("\\u{:04X}", u32::from(character)),
            _ => text.push(character),
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn paths_are_strings_of_toml() {
        assert_eq!(quoted(Path::new("/a \"b\"\\c\n\u{7f}ä")), r#""/a \"b\"\\c\u000A\u007Fä""#);
    }

    #[test]
    fn names_that_cargo_refuses_later_are_refused() {
        for name in [
            "build",
            "deps",
            "examples",
            "incremental",
            "test",
            "core",
            "std",
            "alloc",
            "proc-macro",
            "costate",
            "con",
            "Aux",
            "com1",
        ] {
            assert!(is_crate_name(name) && reserved(name).is_some(), "{name}");
        }
        for name in ["builder", "my-test", "consul", "com", "com12", "lpt", "costate-rig", "mount"] {
            assert!(is_crate_name(name) && reserved(name).is_none(), "{name}");
        }
        assert!(!is_crate_name("fn") && !is_crate_name("1a") && !is_crate_name("a b"));
    }

    #[test]
    fn the_source_is_the_one_named_or_the_one_built_from() {
        let here = built_from();
        assert_eq!(dependency(None, here).unwrap(), here.join("runtime"));
        let gone = Path::new("/where/nothing/is");
        assert_eq!(dependency(Some(here), gone).unwrap(), here.join("runtime"));
        assert_eq!(dependency(Some(&here.join("runtime")), gone).unwrap(), here.join("runtime"));
        assert_eq!(
            dependency(None, gone).unwrap_err().to_string(),
            "the sources of costate from which this command was built are no longer in `/where/nothing/is`; give the \
                 folder of its workspace with `--path FOLDER`"
        );
        assert!(matches!(dependency(Some(gone), here), Err(NewError::NoCostate(path)) if path == gone));
    }
}
