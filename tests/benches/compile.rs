//! How long models take to compile: from tokens to Rust, and from there, as a crate of their own that simulates and
//! differentiates, by `cargo check` and `cargo build --release`.
//!
//! `cargo bench -p costate-tests --bench compile`

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use costate_compiler::compile_str;
use costate_tests::sources::published;

/// Repetitions; the medians count.
const EXPANSIONS: usize = 21;
const BUILDS: usize = 3;

/// What a user's program does with a model, so that its code is generated.
const USE: &str = "
/// Simulates and differentiates.
///
/// # Errors
/// As a run.
pub fn forward_and_gradient(
    problem: &costate::Problem<NAME>,
    model: &NAME,
    output_gradient: &costate::Series<f64>,
) -> Result<Vec<f64>, costate::SimulationError> {
    let trajectory = problem.forward(&costate::Model::parameters(model))?;
    let unknown: Vec<usize> = (0..4).collect();
    costate::gradient(problem, &trajectory, output_gradient, &unknown)
}
";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = scratch()?;
    write_crate(&folder, "")?;
    for build in [&["check"][..], &["build", "--release"]] {
        cargo(&folder, build)?;
    }
    println!("{:<20} {:>12} {:>12} {:>12} {:>18}", "model", "expansion", "lines", "check", "build --release");
    for (name, source) in published() {
        let mut expansions = Vec::new();
        for _ in 0..EXPANSIONS {
            let start = Instant::now();
            compile_str(&source).map_err(|errors| format!("{name}: {errors:?}"))?;
            expansions.push(start.elapsed().as_secs_f64());
        }
        let code = compile_str(&source).map_err(|errors| format!("{name}: {errors:?}"))?.source()?;
        let [mut checks, mut builds] = [Vec::new(), Vec::new()];
        for run in 0..BUILDS {
            // A remark makes cargo build anew.
            write_crate(&folder, &format!("{code}{}// {run}\n", USE.replace("NAME", name)))?;
            checks.push(cargo(&folder, &["check"])?);
            builds.push(cargo(&folder, &["build", "--release"])?);
        }
        println!(
            "{name:<20} {:>9.1} ms {:>12} {:>10.2} s {:>16.2} s",
            median(expansions) * 1e3,
            code.lines().count(),
            median(checks),
            median(builds)
        );
    }
    Ok(())
}

/// A crate beside this one's build output.
fn scratch() -> Result<PathBuf, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_times");
    fs::create_dir_all(folder.join("src"))?;
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime").canonicalize()?;
    let manifest = format!(
        "[package]\nname = \"compile-times\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         costate = {{ path = {runtime:?} }}\n\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    Ok(folder)
}

fn write_crate(folder: &Path, code: &str) -> Result<(), Box<dyn Error>> {
    Ok(fs::write(folder.join("src/lib.rs"), code)?)
}

/// Seconds that a command of cargo takes.
fn cargo(folder: &Path, arguments: &[&str]) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--quiet", "--target-dir", "target"])
        .current_dir(folder)
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(seconds)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
