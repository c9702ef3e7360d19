//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::fraction;

/// Finds the forces of a strut that lies across a swing arm, from an accelerometer at the axle: a filter for a first
/// guess, and a fit.
#[derive(Debug, Parser)]
pub struct Options {
    /// Standard deviation of the noise on the accelerometer, relative to the RMS of what it measures
    #[arg(long, value_name = "FRACTION", default_value_t = 0.05, value_parser = fraction,
        allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for the curves, the fitted run and the figure
    #[arg(long, value_name = "FOLDER", default_value = "out/swing_arm")]
    pub output: PathBuf,
    /// Writes the errors to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes no figure
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}
