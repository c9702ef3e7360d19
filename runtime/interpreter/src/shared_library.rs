//! Models compiled into the shared library of a bridge by cargo, once for each model, and kept in a folder of the user.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use costate_compiler::{Compiled, ModelFile};
use costate_contract::{BackEnd, files};
use sha2::{Digest, Sha256};

use crate::loaded::digest;

/// The environment variable with the folder of costate's sources.
const SOURCE: &str = "COSTATE_SOURCE";

/// The folders of the sources from which a bridge is built, besides its own.
const SOURCES: [&str; 2] = ["macros", "runtime"];

/// A crate of costate with a shared library, which `include!`s the file named by `COSTATE_COMPILED` where it is built
/// with `--cfg costate_compiled`.
#[derive(Debug, Clone, Copy)]
pub struct Bridge {
    /// Folder in the sources.
    pub folder: &'static str,
    /// Name of the library.
    pub name: &'static str,
    /// Environment variables of the build.
    pub environment: &'static [(&'static str, &'static str)],
}

/// A shared library that cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No cargo.
    #[error("compiled models need cargo, which is not found: {0}; install Rust from https://rustup.rs")]
    NoCargo(io::Error),
    /// No sources.
    #[error(
        "compiled models need the sources of costate, which are not in `{}`; name their folder in the environment \
         variable `{SOURCE}`",
        .0.display()
    )]
    NoSource(PathBuf),
    /// A folder for what is built.
    #[error("no folder for compiled models; name one in the environment variable `XDG_CACHE_HOME`")]
    NoFolder,
    /// A file.
    #[error("`{}`: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Code that is no Rust.
    #[error("the code of `{model}` is no Rust, which is a mistake of costate: {message}; please report it")]
    Code {
        /// Name of the model.
        model: Box<str>,
        /// The reason.
        message: Box<str>,
    },
    /// A build that has failed.
    #[error("cargo has not built the model: {message}; all that it has said is in `{}`", log.display())]
    Failed {
        /// The errors.
        message: Box<str>,
        /// The file with the output of cargo.
        log: PathBuf,
    },
}

/// Returns the shared library of a bridge with a model that was compiled from a file. Cargo builds it, within minutes
/// for the first model, unless the library of the same model and the same sources of costate is there.
///
/// # Errors
/// [`BuildError`].
pub fn shared_library(bridge: Bridge, file: &ModelFile, compiled: Compiled) -> Result<PathBuf, BuildError> {
    let sources = sources(std::env::var_os(SOURCE).map(PathBuf::from), bridge)?;
    let code = code(file, compiled)?;
    let kept = kept_in().ok_or(BuildError::NoFolder)?;
    let key = key(&sources, bridge, &code)?;
    let own = kept.join(key);
    let library = own.join(library_name(bridge));
    if library.is_file() {
        return Ok(library);
    }
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| BuildError::File { path, source }
    };
    fs::create_dir_all(&own).map_err(at(&own))?;
    // one build at a time: the libraries of all models have one name where cargo makes them
    let lock = kept.join("lock");
    let lock_file = File::options().create(true).truncate(false).write(true).open(&lock).map_err(at(&lock))?;
    lock_file.lock().map_err(at(&lock))?;
    if library.is_file() {
        return Ok(library);
    }
    let model = own.join("model.rs");
    // the files of meshes, which are part of the digest, are in the folder of the model
    let folder = fs::canonicalize(file.folder()).unwrap_or_else(|_| file.folder().to_owned());
    let code = code.replace("::core::env!(\"CARGO_MANIFEST_DIR\")", &format!("{:?}", folder.to_string_lossy()));
    files::write(&model, code).map_err(at(&model))?;
    // a folder of its own: libraries with and without models have one name there, which cargo does not tell apart
    let built = build(&sources, bridge, &kept.join("target"), &model)?;
    let bytes = fs::read(&built).map_err(at(&built))?;
    files::write(&library, bytes).map_err(at(&library))?;
    Ok(library)
}

fn library_name(bridge: Bridge) -> String {
    format!("{}{}{}", std::env::consts::DLL_PREFIX, bridge.name, std::env::consts::DLL_SUFFIX)
}

/// Returns the folder of the sources: the given one, or that from which this crate was built.
fn sources(given: Option<PathBuf>, bridge: Bridge) -> Result<PathBuf, BuildError> {
    let built_from = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = given.unwrap_or_else(built_from);
    let manifest = folder.join(bridge.folder).join("Cargo.toml");
    match fs::canonicalize(&folder) {
        Ok(folder) if manifest.is_file() => Ok(folder),
        _ => Err(BuildError::NoSource(folder)),
    }
}

/// Returns the folder in which libraries are kept.
fn kept_in() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| absolute("LOCALAPPDATA"));
    let caches = caches.or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    Some(caches?.join("costate").join("compiled"))
}

/// Writes the module that the bridge includes: the code of the model, its type as `CompiledFunctions`, and the
/// digest by which the text of the model is known.
fn code(file: &ModelFile, mut compiled: Compiled) -> Result<String, BuildError> {
    let digest = digest(file, &compiled, BackEnd::Loaded);
    // also where the text asks for the interpreter
    compiled.interpreted = None;
    let name = &compiled.model.name;
    let code = compiled
        .source()
        .map_err(|error| BuildError::Code { model: name.to_string().into(), message: error.to_string().into() })?;
    Ok(format!("pub type CompiledFunctions = {name};\npub const DIGEST: &str = {digest:?};\n{code}"))
}

/// Digests everything on which a library depends.
fn key(sources: &Path, bridge: Bridge, code: &str) -> Result<String, BuildError> {
    let mut digest = Sha256::new();
    let mut add = |part: &[u8]| {
        // lengths keep the parts apart
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    };
    add(code.as_bytes());
    for variable in ["RUSTFLAGS", "RUSTUP_TOOLCHAIN"] {
        add(std::env::var_os(variable).unwrap_or_default().as_encoded_bytes());
    }
    let folders = SOURCES.iter().chain([&bridge.folder]).map(|folder| sources.join(folder));
    let mut paths = vec![sources.join("Cargo.toml"), sources.join("Cargo.lock")];
    folders.into_iter().try_for_each(|folder| list(&folder, false, &mut paths))?;
    paths.sort_unstable();
    for path in paths.iter().filter(|path| path.is_file()) {
        let contents = fs::read(path).map_err(|source| BuildError::File { path: path.clone(), source })?;
        add(path.strip_prefix(sources).unwrap_or(path).as_os_str().as_encoded_bytes());
        add(&contents);
    }
    let text: String = digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{}-{text}", bridge.name))
}

/// Lists the sources in a folder: manifests, and the contents of folders `src`.
fn list(folder: &Path, is_source: bool, to: &mut Vec<PathBuf>) -> Result<(), BuildError> {
    let fault = |source| BuildError::File { path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let is_other = ["target", "tests", "examples", "benches", "python"].contains(&&*name);
            if is_source || !is_other {
                list(&path, is_source || name == "src", to)?;
            }
        } else if is_source || ["Cargo.toml", "Cargo.lock"].contains(&&*name) {
            to.push(path);
        }
    }
    Ok(())
}

/// Lets cargo build the library, and returns its path.
fn build(sources: &Path, bridge: Bridge, target: &Path, model: &Path) -> Result<PathBuf, BuildError> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["rustc", "--release", "--locked", "--lib", "--crate-type", "cdylib", "--color", "never"]);
    command.arg("--manifest-path").arg(sources.join(bridge.folder).join("Cargo.toml"));
    command.arg("--target-dir").arg(target);
    command.args(["--", "--cfg", "costate_compiled", "-C", "opt-level=3"]);
    command.current_dir(sources).env("COSTATE_COMPILED", model).envs(bridge.environment.iter().copied());
    command.env_remove("CARGO_BUILD_TARGET").stdin(Stdio::null());
    let said = command.output().map_err(BuildError::NoCargo)?;
    if said.status.success() {
        return Ok(target.join("release").join(library_name(bridge)));
    }
    let log = model.with_file_name("cargo.txt");
    files::write(&log, &said.stderr).map_err(|source| BuildError::File { path: log.clone(), source })?;
    let text = String::from_utf8_lossy(&said.stderr);
    let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("error")).take(3).collect();
    let message = if errors.is_empty() { said.status.to_string() } else { errors.join(", ") };
    Err(BuildError::Failed { message: message.into(), log })
}
