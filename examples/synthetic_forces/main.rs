//! Estimates curves and surfaces of restoring forces from samples of known ones with strong, correlated noise, as in
//! Kenderi: Nonparametric identification of nonlinear dynamic systems (2018), sections 2.3.2 and 2.3.3.
//!
//! Frequencies and sampling rate of the motion and the covariance of the noise are those of the thesis; the forces,
//! which it only draws, and the amplitudes are chosen.

mod figures;
mod samples;
mod study;

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use costate_examples::{create_folder_of, positive, say, write_json, write_text};
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
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/synthetic_forces")]
    output: PathBuf,
    /// Writes the errors to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes no figures
    #[arg(long)]
    no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    quiet: bool,
}

#[derive(Debug, Serialize)]
struct Summary {
    curves: Vec<CurveErrors>,
    surfaces: Vec<SurfaceErrors>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let curves: Vec<_> =
        CURVES.iter().map(|known| FoundCurve::of(known, options.noise, options.seed)).collect::<Result<_>>()?;
    let surfaces: Vec<_> =
        SURFACES.iter().map(|known| FoundSurface::of(known, options.noise, options.seed)).collect::<Result<_>>()?;
    create_folder_of(&options.output.join("report.txt"))?;
    let mut text = report(&curves, &surfaces)?;
    if !options.no_figures {
        figures::write(&options.output, &curves, &surfaces)?;
        writeln!(text, "\nfigures in `{}`", options.output.display())?;
    }
    if !options.quiet {
        say(&text);
    }
    write_text(&options.output.join("report.txt"), &text)?;
    if let Some(file) = &options.json {
        let curves = curves.into_iter().map(|found| found.errors).collect();
        let surfaces = surfaces.into_iter().map(|found| found.errors).collect();
        write_json(file, &Summary { curves, surfaces })?;
    }
    Ok(())
}

fn report(curves: &[FoundCurve], surfaces: &[FoundSurface]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "Errors of curves in %        sorted over z   over its average   one way   within 2 deviations")?;
    for CurveErrors {
        name,
        sorted_by_noisy_percent,
        sorted_by_averaged_percent,
        one_way_percent,
        within_two_deviations,
    } in curves.iter().map(|found| &found.errors)
    {
        writeln!(
            text,
            "{name:<26}   {sorted_by_noisy_percent:13.2}   {sorted_by_averaged_percent:16.2}   \
                 {one_way_percent:7.2}   {:15.0} %",
            100.0 * within_two_deviations
        )?;
    }
    writeln!(text, "\nErrors of surfaces in %                      error   known nodes")?;
    for SurfaceErrors { name, percent, known_nodes, nodes } in surfaces.iter().map(|found| &found.errors) {
        writeln!(text, "{name:<39}   {percent:7.2}   {known_nodes:4} of {nodes}")?;
    }
    Ok(text)
}
