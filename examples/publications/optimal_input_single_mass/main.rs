//! The input of a single mass that says most of its stiffness, by its switching time, as in Oberpeilsteiner: Parameter
//! Identification in Multibody System Dynamics using the Adjoint Sensitivity Analysis (2018), section 5.3.2; and how
//! far repeated identifications with that input, and with a constant one, scatter.

mod figures;
mod model;
mod report;
mod study;

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Parser;
use costate::experiment::RepetitionsError;
use costate_examples::{Outputs, positive, stop_on_ctrl_c};

use report::Summary;
use study::{Scan, repeated, switching_problem};

/// Finds the switching time of the input that says most of the stiffness of a single mass, and identifies the
/// stiffness many times from simulated measurements with this input and with a constant one.
#[derive(Debug, Parser)]
struct Options {
    /// Number of identifications with each input
    #[arg(long, value_name = "N", default_value_t = 200)]
    repetitions: usize,
    /// Standard deviation of the measured position in m
    #[arg(long, value_name = "METRES", default_value_t = 0.05, value_parser = positive, allow_negative_numbers = true)]
    noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    outputs: Outputs,
}

fn main() -> Result<ExitCode> {
    let options = &Options::parse();
    let interrupt = stop_on_ctrl_c()?;
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;

    let problem = switching_problem()?;
    let scan = Scan::new(&problem)?;
    program.tell(report::switching(&scan));
    if !scan.extremal.is_minimum() {
        bail!("the switching time is no minimum that satisfies Pontryagin's principle");
    }

    let t1 = scan.extremal.switching_times[0];
    let mut results = Vec::new();
    for (name, switching_time) in [("constant input u = +1", None), ("optimal input", Some(t1))] {
        let repeated = match repeated(switching_time, options, &interrupt) {
            Err(RepetitionsError::Interrupted(stopped)) => {
                return Ok(program.stopped(stopped));
            }
            result => result?,
        };
        program.tell(format!("\n{name}: {repeated}"));
        results.push((name, repeated));
    }
    program.json(&Summary::new(&scan, &results))?;
    program.figures(|folder| figures::write(folder, &problem, &scan, &results))?;
    program.end()
}
