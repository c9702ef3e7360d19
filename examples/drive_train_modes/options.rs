//! The command line.

use std::path::PathBuf;

use clap::Parser;
use costate_examples::{Outputs, fraction, positive};

/// Torsional modes of a four-cylinder engine with a vibration damper: what moves, which spring holds the energy, at
/// which speeds the engine's orders meet natural frequencies, and what a modal test at rest says of springs and
/// dampers.
///
/// The modal test is simulated with the true parameters.
#[derive(Debug, Parser)]
pub struct Options {
    /// Standard deviation of the measured natural frequencies, relative
    #[arg(long, value_name = "FRACTION", default_value_t = 0.001, value_parser = fraction,
        allow_negative_numbers = true)]
    pub noise: f64,
    /// Standard deviation of the measured damping ratios, relative
    #[arg(long, value_name = "FRACTION", default_value_t = 0.05, value_parser = fraction,
        allow_negative_numbers = true)]
    pub damping_noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Angle of the crank in the modal test, in degrees from the dead centre of cylinder 4
    #[arg(long, value_name = "ANGLE", default_value_t = 45.0, value_parser = angle, allow_negative_numbers = true)]
    pub angle: f64,
    /// Largest speed of the diagram over speed, in rpm, above 600
    #[arg(long, value_name = "SPEED", default_value_t = 6500.0, value_parser = positive, allow_negative_numbers = true)]
    pub to: f64,
    /// Writes everything about the fit to this page
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub outputs: Outputs,
}

fn angle(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.abs() <= 720.0 => Ok(value),
        _ => Err("choose an angle from -720 to 720 degrees, such as 45".to_owned()),
    }
}
