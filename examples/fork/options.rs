//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::fraction;

/// Identifies a bicycle's fork from the measured voltage of a rate gyro on it.
#[derive(Debug, Parser)]
pub struct Options {
    /// Standard deviation of noise that is added to the record, relative to its RMS
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction, allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/fork")]
    pub output: PathBuf,
    /// Writes the results to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes everything about the best fit to this page
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Writes no figures
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}
