//! The part of the command line that both programs share.

use std::path::PathBuf;

use clap::Args;

/// The sources of records and the places of results.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Reads what was measured from this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["noise", "base_noise", "seed"])]
    pub record: Option<PathBuf>,
    /// Writes what was measured to a file in this folder
    #[arg(long, value_name = "FOLDER")]
    pub write_records: Option<PathBuf>,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for the report and the figures
    #[arg(long, value_name = "FOLDER", default_value = "out/flywheel")]
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
