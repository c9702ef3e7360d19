//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Finds the input with which an experiment tells most of unknown parameters, and identifies them many times from
/// simulated measurements with the first input and with the optimal one.
#[derive(Debug, Parser)]
pub struct Options {
    /// Starts of the search: the first input and random ones
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub starts: usize,
    /// Number of identifications with each input
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub repetitions: usize,
    /// Seed of the random starts and of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/optimal_input")]
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
