//! The command line that all these examples share.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::positive;

/// Identifies the restoring force of a nonlinear structure on a moving base from accelerometers, without an assumption
/// about its form.
///
/// The measurement is simulated, or read from a file for each experiment of the program: CSV with the columns
/// `time [s]`, `base [m/s^2]`, the acceleration of the base, and `acceleration [m/s^2]`, that of the structure;
/// `acceleration 1` to `acceleration 3` for the plate. Backlash takes `deformation [m]` too, where it was measured.
/// Units may be others of the same kind, such as `[g]` and `[um]`; times are equidistant, and samples of accelerations
/// and deformations may be missing.
#[derive(Debug, Clone, Parser)]
pub struct Options {
    /// Reads what was measured from this file; once for each experiment, in their order
    #[arg(long, value_name = "FILE", conflicts_with_all = ["noise", "seed"])]
    pub record: Vec<PathBuf>,
    /// Writes what was measured to files in this folder
    #[arg(long, value_name = "FOLDER")]
    pub write_records: Option<PathBuf>,
    /// Standard deviation of the noise on the simulated accelerations, relative to theirs
    #[arg(long, value_name = "FRACTION", default_value_t = 0.05, value_parser = positive,
        allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Chooses the exponents of the process noise by the convergence plot
    #[arg(long)]
    pub search: bool,
    /// Refines the curves of extended filters by a fit of their values at knots to the whole record
    #[arg(long)]
    pub refine: bool,
    /// Refines straight lines with the a priori values in place of the filter's curves
    #[arg(long, requires = "refine")]
    pub straight: bool,
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
