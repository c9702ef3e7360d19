//! Effects that impair the restoring forces identified by a filter, as in Kenderi: Nonparametric identification of
//! nonlinear dynamic systems (2018), section 3.4: noise on both signals, slow sampling, few samples, a wrong inertia.

mod figures;
mod force;
mod inertia;
mod noise;
mod report;
mod sampling;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate_examples::{Outputs, positive};
use serde::Serialize;

use inertia::{Outcome, Part};

/// Studies effects that impair curves and surfaces of restoring forces: noise on the sensor and on the
/// acceleration of the base, slow sampling, few samples, and a wrong inertia, as in Kenderi: Nonparametric
/// identification of nonlinear dynamic systems (2018), section 3.4.
#[derive(Debug, Clone, Parser)]
struct Options {
    /// Noise on one of both signals, relative to its root mean square; several times for several points
    #[arg(long, value_name = "FRACTION", default_values_t = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5], value_parser = positive,
        allow_negative_numbers = true)]
    noise: Vec<f64>,
    /// Samples per period of the vibration; several times for several points
    #[arg(long, value_name = "NUMBER", default_values_t = [6.0, 8.0, 10.0, 15.0, 20.0, 40.0, 100.0],
        value_parser = positive)]
    rate: Vec<f64>,
    /// Numbers of samples; several times for several points
    #[arg(long, value_name = "NUMBER", default_values_t = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000],
        value_parser = clap::value_parser!(u32).range(100..=2_000_000))]
    samples: Vec<u32>,
    /// Records with noise of their own for every point, of whose errors the median is taken
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    #[command(flatten)]
    outputs: Outputs,
}

/// The results that are written to a file.
#[derive(Debug, Serialize)]
struct Summary {
    noise: Vec<noise::Point>,
    rates: Vec<sampling::Rate>,
    counts: Vec<sampling::Count>,
    inertia: Vec<Outcome>,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let noise = noise::study(&options.noise, options.seeds)?;
    program.tell(report::noise(&noise));
    let rates = sampling::rates(&options.rate, options.seeds)?;
    program.tell(report::rates(&rates));
    let counts = sampling::counts(&options.samples, options.seeds)?;
    program.tell(report::counts(&counts));
    let outcomes = inertia::study(options.seeds)?;
    program.tell(report::inertia(&outcomes));
    program.figures(|folder| {
        let file = |name: &str| folder.join(name);
        figures::noise(&file("figure_3_22.svg"), &noise)?;
        figures::sampling(&file("figure_3_23.svg"), &rates, &counts)?;
        figures::inertia(&file("figure_3_24.svg"), Part::Diagonal, &outcomes)?;
        figures::inertia(&file("figure_3_25.svg"), Part::Beside, &outcomes)
    })?;
    program.json(&Summary { noise, rates, counts, inertia: outcomes })?;
    program.end()
}
