//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::positive;

/// Finds the restoring force of a strongly nonlinear oscillator by a Kalman filter and, beside it, by the methods that
/// it competes with: the restoring force surface method (Masri and Caughey) and the Hilbert transform (FREEVIB of a
/// free vibration, FORCEVIB of a sweep). All have the same noisy accelerometers; a table and figures say how far each
/// is from the truth.
#[derive(Debug, Clone, Parser)]
pub struct Options {
    /// Standard deviation of the noise on the accelerations, relative to theirs; several times for several rows
    #[arg(long, value_name = "FRACTION", default_values_t = [0.01, 0.05, 0.2], value_parser = positive,
        allow_negative_numbers = true)]
    pub noise: Vec<f64>,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/yardsticks")]
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
