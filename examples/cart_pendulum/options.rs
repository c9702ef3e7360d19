//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Identifies stiffness and damping of a flexible pendulum on a cart from the angle of its first rod, in four ways.
#[derive(Debug, Parser)]
pub struct Options {
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/cart_pendulum")]
    pub output: PathBuf,
    /// Writes the results to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes everything about each of the four fits to a page in this folder
    #[arg(long, value_name = "FOLDER")]
    pub report: Option<PathBuf>,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Writes no figures
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}
