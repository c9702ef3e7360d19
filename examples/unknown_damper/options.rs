//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::fraction;

/// Finds the curve of a damper, force over speed, from two accelerometers on the body of half a car that drives over a
/// rough road, together with the body's mass and inertia.
#[derive(Debug, Parser)]
pub struct Options {
    /// Standard deviation of the noise on both accelerometers, relative to the RMS of what they measure
    #[arg(long, value_name = "FRACTION", default_value_t = 0.03, value_parser = fraction,
        allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise and of the road
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for the curve, the fitted run and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/unknown_damper")]
    pub output: PathBuf,
    /// Writes the result to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes everything about the fit to this page
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Writes no figures
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}
