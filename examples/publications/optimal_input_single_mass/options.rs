//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::positive;

/// Finds the switching time of the input that tells most of the stiffness of a single mass, and identifies the
/// stiffness many times from simulated measurements with this input and with a constant one.
#[derive(Debug, Parser)]
pub struct Options {
    /// Number of identifications with each input
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub repetitions: usize,
    /// Standard deviation of the measured position in m
    #[arg(long, value_name = "METRES", default_value_t = 0.05, value_parser = positive, allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/optimal_input_single_mass")]
    pub output: PathBuf,
    /// Writes the result to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes no figures
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}
