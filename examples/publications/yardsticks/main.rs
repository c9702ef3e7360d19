//! The yardsticks of Kenderi: Nonparametric identification of nonlinear dynamic systems (2018), section 1.4.2, and
//! the filter: what noise does to the surface method and to the Hilbert transform.

mod experiment;
mod figures;
mod study;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate_examples::{Outputs, Table, positive};

use experiment::experiments;
use study::{Errors, Method, find};

/// Finds the restoring force of a strongly nonlinear oscillator by a Kalman filter and by the methods that
/// it competes with: the restoring force surface method (Masri and Caughey) and the Hilbert transform (FREEVIB of a
/// free vibration, FORCEVIB of a sweep). All have the same noisy accelerometers; a table and figures say how far each
/// is from the truth.
#[derive(Debug, Clone, Parser)]
struct Options {
    /// Standard deviation of the noise on the accelerations, relative to theirs; several times for several rows
    #[arg(long, value_name = "FRACTION", default_values_t = [0.01, 0.05, 0.2], value_parser = positive,
        allow_negative_numbers = true)]
    noise: Vec<f64>,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    outputs: Outputs,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let mut errors: Vec<Errors> = Vec::new();
    let mut table = Table::new(["experiment", "noise", "method", "elastic", "dissipative", "z", "v"]);
    let mut figures = Vec::new();
    for (key, experiment) in ["sweep", "displacement", "free"].into_iter().zip(&experiments()?) {
        for &noise in &options.noise {
            let mut found = Vec::new();
            for method in Method::ALL {
                let share = format!("{:.0} %", 100.0 * noise);
                let head = [experiment.name, &share, method.name(experiment.is_free)].map(str::to_owned);
                match find(experiment, method, noise, options.seed) {
                    Ok(curves) => {
                        table = table.row(head.into_iter().chain(cells(&curves.errors)));
                        errors.push(curves.errors.clone());
                        found.push(curves);
                    }
                    Err(error) => table = table.row(head.into_iter().chain([format!("fails: {error:#}")])),
                }
            }
            let name = format!("{key}_{:.0}_percent.svg", 100.0 * noise);
            figures.push((name, figures::figure(experiment, noise, &found)));
        }
    }
    program.tell(format!(
        "Curves of an additive restoring force from one sensor on the mass: e_RMS% of elastic and dissipative curve \
         (of it\nbias, e_M%), and the covered parts of the ranges of z and v\n\n{table}"
    ));
    program.json(&errors)?;
    program.figures(|folder| Ok(figures.iter().try_for_each(|(name, figure)| figure.write(folder.join(name)))?))?;
    program.end()
}

fn cells(errors: &Errors) -> [String; 4] {
    let [z, v] = errors.covered.map(|part| format!("{:.0} %", 100.0 * part));
    [
        format!("{:.1} ({:.1})", errors.elastic_percent, errors.elastic_bias_percent),
        format!("{:.1} ({:.1})", errors.dissipative_percent, errors.dissipative_bias_percent),
        z,
        v,
    ]
}
