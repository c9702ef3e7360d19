//! Inertias of a robot arm of seven joints from the torques of its motors: which combinations of them torques tell, and
//! bodies that are always possible.

mod drawing;
mod fit;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate_examples::Outputs;
use serde::Serialize;

use fit::Arm;

/// Finds mass, centre and inertia of the links of a robot arm from noisy torques and from a drawing that is wrong, and
/// compares the combinations that torques tell with the truth.
#[derive(Debug, Clone, Parser)]
struct Options {
    /// Number of records and drawings
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    #[command(flatten)]
    outputs: Outputs,
}

/// The results that are written to a file.
#[derive(Debug, Serialize)]
struct Summary {
    /// Combinations that torques tell.
    rank: usize,
    /// Largest errors of combinations in units of their deviations, of every seed.
    largest: Vec<f64>,
    /// Part of all errors below three deviations.
    within_three: f64,
    /// Bodies that are found and are not possible.
    impossible: usize,
    /// Iterations of the fits.
    iterations: Vec<usize>,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let arm = Arm::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("robot_arm/arm.rs"))?;
    let base = arm.base()?;
    program.tell(format!("{base}"));
    let (mut largest, mut iterations, mut errors, mut impossible) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for seed in 0..options.seeds {
        let found = arm.fitted(&base, seed)?;
        let most = found.errors.iter().fold(0.0, |most: f64, error| most.max(error.abs()));
        program.tell(format!("{seed}: {} iterations, largest error {most:.2} deviations", found.iterations));
        largest.push(most);
        iterations.push(found.iterations);
        impossible += found.impossible;
        errors.extend(found.errors);
    }
    let within = errors.iter().filter(|error| error.abs() < 3.0).count() as f64 / errors.len() as f64;
    program.json(&Summary { rank: base.rank(), largest, within_three: within, impossible, iterations })?;
    program.end()
}
