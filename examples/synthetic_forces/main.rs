//! Estimates curves and surfaces of restoring forces from samples of known ones with strong, correlated noise, as in
//! Kenderi: Nonparametric identification of nonlinear dynamic systems (2018), sections 2.3.2 and 2.3.3.
//!
//! Frequencies and sampling rate of the motion and the covariance of the noise are those of the thesis; the forces,
//! which it only draws, and the amplitudes are chosen.

mod figures;
mod samples;
mod study;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate_examples::{Outputs, Table, positive};
use serde::Serialize;

use study::{CURVES, CurveErrors, FoundCurve, FoundSurface, SURFACES, SurfaceErrors};

/// Estimates curves and surfaces of restoring forces from samples of known ones with strong, correlated noise.
#[derive(Debug, Parser)]
struct Options {
    /// Standard deviations of the noise, relative to those of the thesis
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = positive, allow_negative_numbers = true)]
    noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Debug, Serialize)]
struct Summary {
    curves: Vec<CurveErrors>,
    surfaces: Vec<SurfaceErrors>,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let curves: Vec<_> =
        CURVES.iter().map(|known| FoundCurve::of(known, options.noise, options.seed)).collect::<Result<_>>()?;
    let surfaces: Vec<_> =
        SURFACES.iter().map(|known| FoundSurface::of(known, options.noise, options.seed)).collect::<Result<_>>()?;
    program.tell(report(&curves, &surfaces));
    program.figures(|folder| figures::write(folder, &curves, &surfaces))?;
    let curves = curves.into_iter().map(|found| found.errors).collect();
    let surfaces = surfaces.into_iter().map(|found| found.errors).collect();
    program.json(&Summary { curves, surfaces })?;
    program.end()
}

fn report(curves: &[FoundCurve], surfaces: &[FoundSurface]) -> String {
    let headings = ["errors of curves in %", "sorted over z", "over its average", "one way", "within 2 deviations"];
    let curves = curves.iter().fold(Table::new(headings), |table, FoundCurve { errors, .. }| {
        let percent = [errors.sorted_by_noisy_percent, errors.sorted_by_averaged_percent, errors.one_way_percent];
        let within = format!("{:.0} %", 100.0 * errors.within_two_deviations);
        let [noisy, averaged, one_way] = percent.map(|error| format!("{error:.2}"));
        table.row([errors.name, &noisy, &averaged, &one_way, &within])
    });
    let headings = Table::new(["errors of surfaces in %", "error", "known nodes"]);
    let surfaces = surfaces.iter().fold(headings, |table, FoundSurface { errors, .. }| {
        let known = format!("{} of {}", errors.known_nodes, errors.nodes);
        table.row([errors.name, &format!("{:.2}", errors.percent), &known])
    });
    format!("{curves}\n{surfaces}")
}
