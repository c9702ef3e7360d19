//! Identifies the moment of inertia, the frictions and the sensor of a bicycle's fork that swings as a pendulum, from
//! the measured voltage of a rate gyro.

mod figures;
mod fits;
mod model;
mod published;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate_examples::{Outputs, fraction};

use model::Fork;

/// Identifies a bicycle's fork from the measured voltage of a rate gyro on it.
#[derive(Debug, Parser)]
struct Options {
    /// Standard deviation of noise that is added to the record, relative to its RMS
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction, allow_negative_numbers = true)]
    noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Writes everything about the best fit to this page
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let record = fits::record(&options)?;
    let fits = fits::fit(&record)?;
    let run = fits::simulation(fits.best.model(), &record).run()?;
    let amplitude = run.output(Fork::SWING).into_iter().map(f64::abs).fold(0.0, f64::max);
    let results = report::results(&fits, amplitude)?;
    program.tell(report::text(&record, &fits, &results)?);
    program.json(&results)?;
    if let Some(file) = &options.report {
        fits.best.report(file)?;
    }
    program.figures(|folder| figures::write(folder, &record, &fits))?;
    program.end()
}
