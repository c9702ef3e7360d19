//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::fraction;

/// Identifies a hydraulic engine mount from six runs on a virtual test bench at once: its stiffnesses and damping, the
/// preloads of the bench, and the delay and the offsets of its sensors. A seventh run tells whether they serve for it,
/// too.
#[derive(Debug, Parser)]
pub struct Options {
    /// Standard deviation of the noise on every channel, relative to its RMS
    #[arg(long, value_name = "FRACTION", default_value_t = 0.02, value_parser = fraction,
        allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Repeats the campaign with this many further seeds, and says how far the found values scatter
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub repetitions: usize,
    /// Folder for the records, the fitted runs, the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/mount_campaign")]
    pub output: PathBuf,
    /// Writes the result to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes everything about the fit to this page
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Writes no figures, and leaves out the profiles that they show
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}
