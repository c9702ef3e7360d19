//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::{fraction, positive};

/// Identifies two stiffnesses and two damping parameters of a hydraulic engine mount from its acceleration.
///
/// Without a record, the acceleration is simulated with the true parameters first. Ctrl-C stops the identification.
#[derive(Debug, Parser)]
pub struct Options {
    /// Standard deviation of the noise on the simulated acceleration, relative to the RMS of the acceleration
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction, allow_negative_numbers = true,
        conflicts_with = "record")]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// CSV file with a measured acceleration: `time [s],acceleration [m/s^2]`, and `drive [N]` unless the mount was
    /// driven by the published sweep
    #[arg(long, value_name = "FILE", visible_alias = "file")]
    pub record: Option<PathBuf>,
    /// Step size in s [default: the record's sampling interval, 1e-4 without a record]
    #[arg(long, value_name = "H", value_parser = positive, allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// End time in s [default: the end of the record, 1 without a record]
    #[arg(long, value_name = "T", value_parser = positive, allow_negative_numbers = true)]
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
