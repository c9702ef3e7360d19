//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::positive;

/// Studies effects that impair curves and surfaces of restoring forces: noise on the sensor and on the
/// acceleration of the base, slow sampling, few samples, and a wrong inertia, as in Kenderi: Nonparametric
/// identification of nonlinear dynamic systems (2018), section 3.4.
#[derive(Debug, Clone, Parser)]
pub struct Options {
    /// Noise on one of both signals, relative to its root mean square; several times for several points
    #[arg(long, value_name = "FRACTION", default_values_t = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5], value_parser = positive,
        allow_negative_numbers = true)]
    pub noise: Vec<f64>,
    /// Samples per period of the vibration; several times for several points
    #[arg(long, value_name = "NUMBER", default_values_t = [6.0, 8.0, 10.0, 15.0, 20.0, 40.0, 100.0],
        value_parser = positive)]
    pub rate: Vec<f64>,
    /// Numbers of samples; several times for several points
    #[arg(long, value_name = "NUMBER", default_values_t = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000],
        value_parser = clap::value_parser!(u32).range(100..=2_000_000))]
    pub samples: Vec<u32>,
    /// Records with noise of their own for every point, of whose errors the median is taken
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub seeds: u64,
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/influences")]
    pub output: PathBuf,
    /// Writes the errors to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes no figures
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}
