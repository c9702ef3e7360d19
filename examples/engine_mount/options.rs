//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Identifies two stiffnesses and two damping parameters of a hydraulic engine mount from its acceleration.
///
/// Without a record, the acceleration is simulated with the true parameters first. Ctrl-C stops the identification.
#[derive(Debug, Parser)]
pub struct Options {
    /// Standard deviation of the noise on the simulated acceleration, relative to the RMS of the acceleration
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction, conflicts_with = "record")]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// CSV file with a measured acceleration: `time [s],acceleration [m/s^2]`, and `drive [N]` unless the mount was
    /// driven by the published sweep
    #[arg(long, value_name = "FILE", visible_alias = "file")]
    pub record: Option<PathBuf>,
    /// Step size in s [default: the record's sampling interval, 1e-4 without a record]
    #[arg(long, value_name = "H")]
    pub step: Option<f64>,
    /// End time in s [default: the end of the record, 1 without a record]
    #[arg(long, value_name = "T")]
    pub until: Option<f64>,
    /// Folder for the simulated measurement, the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/engine_mount")]
    pub output: PathBuf,
    /// Writes the result to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Stores every iteration in this file, and continues from it if it exists
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Stops after this many iterations
    #[arg(long, value_name = "N")]
    pub max_iterations: Option<usize>,
    /// Writes no figures
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}

fn fraction(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("choose a number from 0, such as 0.01 for 1 %".to_owned()),
    }
}
