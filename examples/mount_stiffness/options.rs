//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::fraction;

/// Identifies seven parameters of a hydraulic engine mount from its dynamic stiffness over frequency at five
/// amplitudes, 0.05 mm to 2 mm.
///
/// The stiffness is computed with the true parameters first, and noise is added. Ctrl-C stops the identification.
#[derive(Debug, Parser)]
pub struct Options {
    /// Standard deviation of the noise on real and on imaginary part of the stiffness, relative to its magnitude
    #[arg(long, value_name = "FRACTION", default_value_t = 0.01, value_parser = fraction,
        allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for the measured curves, the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/mount_stiffness")]
    pub output: PathBuf,
    /// Writes the result to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes the report of the mount to this page: levels in dB re 1 N/m, loss factors, linearity, errors of the
    /// model, limits
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Writes no figures
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}
