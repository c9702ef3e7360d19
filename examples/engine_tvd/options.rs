//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use costate_examples::Outputs;

/// Identifies stiffness and damping of both Maxwell elements of a torsional vibration damper from engine order 6 of a
/// run-up.
///
/// The measured orders are read from a file, or simulated with the true damper. Ctrl-C stops the identification.
///
/// The file of `--orders` is CSV, as `--write-orders` writes it: a column `speed [rpm]`, and for every engine order of
/// the twist a column of amplitudes, `order 6 [mrad]`, or two columns with its parts, `order 6 real [mrad]` and
/// `order 6 imaginary [mrad]`. Speeds may be in another unit and in any order, and are at most 200 rpm apart; between
/// them amplitudes are interpolated. Order 6 from 3000 to 5400 rpm is fitted, orders 2, 4 and 8 are shown, and other
/// columns are not read.
#[derive(Debug, Parser)]
pub struct Options {
    /// Gas pressure in the cylinders
    #[arg(long, value_enum, default_value_t = Pressure::Map)]
    pub pressure: Pressure,
    /// Reads the measured orders from this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["noise", "seed"])]
    pub orders: Option<PathBuf>,
    /// Writes the measured orders to this file
    #[arg(long, value_name = "FILE")]
    pub write_orders: Option<PathBuf>,
    /// Standard deviation of the noise on the simulated amplitudes, relative to each of them
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction, allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Writes everything about the fit to this page
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Stores every iteration in this file, and continues from it if it exists
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Stops after this many iterations
    #[arg(long, value_name = "N")]
    pub max_iterations: Option<usize>,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// The two forms of the gas pressure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Pressure {
    /// Map of a thermodynamic cycle over speed and crank angle
    Map,
    /// Formula
    Formula,
}

fn fraction(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..1.0).contains(&value) => Ok(value),
        _ => Err("choose a number from 0 to below 1, such as 0.01 for 1 %".to_owned()),
    }
}
