//! Compiles a model from a build script, and once more with a mistake put into one of its derivatives, so that tests
//! can show that the checks find it; also random models, as many as `COSTATE_RANDOM_MODELS` says. Writes models of
//! other files as interpreted ones.

#[allow(dead_code, reason = "the build script needs generators and texts alone")]
#[path = "random/src/models/mod.rs"]
mod models;

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use costate_compiler::{Arguments, compile_str, generate};
use models::generate::{model, spatial_model};
use models::{options, tree::Model};

/// Number of random models that are compiled by default: rustc takes one to two seconds for each.
const RANDOM_MODELS: u64 = 12;
/// Number of random models of spatial bodies, whose code is long.
const SPATIAL_MODELS: u64 = 3;

/// Models that stand elsewhere compiled, which takes rustc minutes; tests have them interpreted.
const INTERPRETED: [&str; 4] = [
    "../examples/mechanisms/bricard.rs",
    "../examples/mechanisms/car.rs",
    "../examples/mechanisms/delta_robot.rs",
    "tests/mechanisms/chains/planar.rs",
];

const MODEL: &str = "golden/discrete_oscillator.model";
const RIGHT: &str = "let force_residual_wrt_velocities = [k.d];";
/// The right and the wrong derivative in the step of the adjoint, as in `WRONG`.
const RIGHT_STEP: &str = "update.velocities = [-(k.d * e2)];";
const WRONG_STEP: &str = "update.velocities = [-(k.d * 1.000001 * e2)];";
const WRONG: &str = "let force_residual_wrt_velocities = [k.d * 1.000001];";

fn main() -> Result<(), Box<dyn Error>> {
    let right = generate(MODEL, None, &Arguments::new(), "right.rs")?;
    let mut wrong = fs::read_to_string(&right)?;
    for (right, mistake) in [(RIGHT, WRONG), (RIGHT_STEP, WRONG_STEP)] {
        if !wrong.contains(right) {
            return Err(format!("the emitted code has no `{right}`").into());
        }
        wrong = wrong.replace(right, mistake);
    }
    fs::write(right.with_file_name("wrong.rs"), wrong)?;
    INTERPRETED.iter().try_for_each(|file| interpreted(file, &right))?;
    random_models(&right)
}

/// Writes the model of a file beside `other`, with the attribute that makes it interpreted.
fn interpreted(file: &str, other: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={file}");
    let text = fs::read_to_string(file)?;
    let (_, model) = text.split_once("costate::model! {").ok_or_else(|| format!("{file} has no model"))?;
    let name = file.rsplit('/').next().unwrap_or(file);
    fs::write(other.with_file_name(name), format!("costate::model! {{\n    #[interpreted]{model}"))?;
    Ok(())
}

/// Writes random models beside `other`, with a test for each.
fn random_models(other: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=random/src/models");
    options::NAMES.iter().for_each(|name| println!("cargo:rerun-if-env-changed={name}"));
    let mut all = String::new();
    for seed in options::seeds(RANDOM_MODELS) {
        add("model", seed, &model(seed), other, &mut all)?;
    }
    for seed in options::seeds(SPATIAL_MODELS) {
        add("spatial_model", seed, &spatial_model(seed), other, &mut all)?;
    }
    fs::write(other.with_file_name("random_models.rs"), all)?;
    Ok(())
}

/// Compiles the model that the function `kind` of the generator makes of a seed, and adds a test of it.
fn add(kind: &str, seed: u64, model: &Model, other: &Path, all: &mut String) -> Result<(), Box<dyn Error>> {
    let (name, text) = (&model.name, model.text());
    let compiled = compile_str(&text).map_err(|errors| format!("seed {seed}: {errors:?}\n{text}"))?;
    let file = other.with_file_name(format!("{kind}_{seed}.rs"));
    fs::write(&file, compiled.source()?)?;
    // unused tables must not be reported as dead code either
    writeln!(all, "#[deny(dead_code)]\nmod {kind}_{seed} {{ include!({file:?}); }}")?;
    let check = format!("check::<{kind}_{seed}::{name}>(&generate::{kind}({seed}), {seed});");
    writeln!(all, "#[test]\nfn {kind}_of_seed_{seed}() {{ {check} }}")?;
    Ok(())
}
