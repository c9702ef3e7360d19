//! A run of a model with its defaults: by a small program that cargo builds in a folder of its own, which keeps the built runtime
//! for the next time.

use std::ffi::OsString;
use std::process::Command;

use costate_compiler::{Arguments, FileError, ModelFile};

use super::Options;
use super::cache::Cache;
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
    let arguments = arguments.clone().files_by_absolute_paths();
    let code = file.expand(Some(&model.name.to_string()), &arguments)?.code;
    // in use until the program has ended: what another call builds meanwhile would be another model
    let cache = Cache::open()?;
    let folder = &cache.folder;
    let sources = folder.join("src");
    std::fs::create_dir_all(&sources)
        .map_err(|source| FileError::Unwritable { path: sources.clone(), source })?;
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
