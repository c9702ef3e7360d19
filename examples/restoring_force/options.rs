//! The command line that all these examples share.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::positive;

/// Identifies the restoring force of a nonlinear structure on a moving base from accelerometers, without an assumption
/// about its form.
#[derive(Debug, Clone, Parser)]
pub struct Options {
    /// Standard deviation of the noise on the simulated accelerations, relative to theirs
    #[arg(long, value_name = "FRACTION", default_value_t = 0.05, value_parser = positive, allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Chooses the exponents of the process noise by the convergence plot
    #[arg(long)]
    pub search: bool,
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/restoring_force")]
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
