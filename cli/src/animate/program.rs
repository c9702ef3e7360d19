//! A run of a model with its defaults: by a small program that cargo builds in a folder of its own, which keeps the built runtime
//! for the next time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use costate_compiler::{Arguments, FileError, ModelFile};

use super::Options;
use crate::error::CommandError;
use crate::new::{built_from, dependency, quoted};
use crate::output::write;

const MANIFEST: &str = include_str!("../../templates/animate.toml.txt");
const PROGRAM: &str = include_str!("../../templates/animate.rs.txt");

/// Builds the program, which runs the model and writes the picture.
pub fn run(
    file: &ModelFile,
    model: Option<&str>,
    arguments: &Arguments,
    options: &Options,
) -> Result<(), CommandError> {
    let compiled = file.compile(model, arguments)?;
    let model = &compiled.model;
    if let Some(open) = model.parameters.iter().zip(&model.defaults).find(|(_, default)| default.is_none()) {
        return Err(CommandError::NoDefault(open.0.name.clone()));
    }
    for (name, _) in &options.input {
        if model.inputs.iter().all(|input| input.name != *name) {
            let known = model.inputs.iter().map(|input| input.name.clone()).collect();
            return Err(CommandError::NoInput { name: name.clone(), known });
        }
    }
    let costate = dependency(None, built_from())?;
    let folder = cache();
    let sources = folder.join("src");
    std::fs::create_dir_all(&sources)
        .map_err(|source| FileError::Unwritable { path: sources.clone(), source })?;
    // files of meshes are found from the model's own crate
    let own = std::path::absolute(file.path()).unwrap_or_else(|_| file.path().to_owned());
    let beside = own.parent().unwrap_or(&own);
    let crate_folder =
        beside.ancestors().find(|folder| folder.join("Cargo.toml").is_file()).unwrap_or(beside);
    let code = file.expand(Some(&model.name.to_string()), arguments)?.code;
    let code = code.replace("::core::env!(\"CARGO_MANIFEST_DIR\")", &quoted(crate_folder));
    write(&folder.join("Cargo.toml"), &MANIFEST.replace("{path}", &quoted(&costate)))?;
    write(&sources.join("main.rs"), &(code + &PROGRAM.replace("{model}", &model.name.to_string())))?;
    let output = std::path::absolute(&options.output).unwrap_or_else(|_| options.output.clone());
    let mut values = vec![
        output.into_os_string(),
        model.documentation.clone().into(),
        options.until.to_string().into(),
        options.step.map_or_else(String::new, |step| step.to_string()).into(),
        options.at.to_string().into(),
    ];
    values.extend(options.input.iter().map(|(name, value)| OsString::from(format!("{name}={value}"))));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--")
        .args(values)
        // the folder of the crate around is none of its concern
        .env_remove("CARGO_TARGET_DIR")
        .status()
        .map_err(CommandError::NoCargo)?;
    if status.success() { Ok(()) } else { Err(CommandError::NoRun) }
}

/// The folder where the program is built: that of the user's caches, or one for temporary files.
fn cache() -> PathBuf {
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = given("XDG_CACHE_HOME")
        .or_else(|| given("LOCALAPPDATA"))
        .or_else(|| given("HOME").map(|home| Path::new(&home).join(".cache")));
    caches.unwrap_or_else(std::env::temp_dir).join("costate").join("animate")
}
