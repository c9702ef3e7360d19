//! Measures how long models take to compile: from tokens to Rust, and from there, as a crate of their own that
//! simulates and differentiates, by `cargo check` and `cargo build --release`.
//!
//! `cargo bench -p costate-tests --bench compile`

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use costate_compiler::{Arguments, compile_str_with};
use costate_tests::sources::{car, chains, published};

/// Numbers of repetitions; the medians count.
const EXPANSIONS: usize = 21;
const BUILDS: usize = 3;

/// Numbers of bodies of the chains.
const LINKS: [i64; 4] = [3, 10, 30, 100];

/// Use of a model as in a user's program, such that its code is generated.
const USE: &str = "
/// Simulates and differentiates.
///
/// # Errors
/// As a run.
pub fn forward_and_gradient(
    problem: &costate::simulate::Problem,
    model: &NAME,
    output_gradient: &costate::simulate::Series<f64>,
) -> Result<Vec<f64>, costate::simulate::SimulationError> {
    let trajectory = problem.forward(&costate::Model::parameters(model))?;
    let unknown: Vec<_> = costate::Parameter::<NAME>::all().take(4).collect();
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
        measure(&folder, name, name, &source, &Arguments::new())?;
    }
    measure(&folder, "Car", "Car", &car(), &Arguments::new())?;
    for (name, source) in chains() {
        let mut all = Vec::new();
        for links in LINKS {
            let arguments = Arguments::new().with("links", links);
            let times = measure(&folder, name, &format!("{name} {links}"), &source, &arguments)?;
            all.push((links as f64, times));
        }
        if let (Some((fewest, short)), Some((most, long))) = (all.first(), all.last()) {
            let growth = |k: usize| (long[k] / short[k]).ln() / (most / fewest).ln();
            let [expansion, check, build] = [growth(0), growth(1), growth(2)];
            println!("{name:<20} {expansion:>8.2} N^ {:>12} {check:>9.2} N^ {build:>15.2} N^", "");
        }
    }
    Ok(())
}

/// Measures the seconds of expansion, check and build.
fn measure(
    folder: &Path,
    name: &str,
    title: &str,
    source: &str,
    arguments: &Arguments,
) -> Result<[f64; 3], Box<dyn Error>> {
    let compile = || compile_str_with(source, arguments).map_err(|errors| format!("{title}: {errors:?}"));
    let mut expansions = Vec::new();
    for _ in 0..EXPANSIONS {
        let start = Instant::now();
        compile()?;
        expansions.push(start.elapsed().as_secs_f64());
    }
    let code = compile()?.source()?;
    let [mut checks, mut builds] = [Vec::new(), Vec::new()];
    for run in 0..BUILDS {
        // The changed remark makes cargo build anew.
        write_crate(folder, &format!("{code}{}// {run}\n", USE.replace("NAME", name)))?;
        checks.push(cargo(folder, &["check"])?);
        builds.push(cargo(folder, &["build", "--release"])?);
    }
    let times = [expansions, checks, builds].map(median);
    println!(
        "{title:<20} {:>9.1} ms {:>12} {:>10.2} s {:>16.2} s",
        times[0] * 1e3,
        code.lines().count(),
        times[1],
        times[2]
    );
    Ok(times)
}

/// Creates a crate beside the build output of this one.
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

/// Measures the seconds that a command of cargo takes.
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
