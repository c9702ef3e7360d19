//! Length, steps and scheme of a run on the command line.

use std::str::FromStr;

use clap::Args;
use costate::simulate::{Scheme, Simulation};

/// The length of a run, and the way in which its steps are made.
#[derive(Debug, Clone, Default, Args)]
pub struct TimeOptions {
    /// Time in s at which the run ends.
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub until: Option<f64>,
    /// Length of a step in s, and the time between two samples of the outputs. Without it, a run looks for a step, and
    /// a fit chooses steps and order.
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub step: Option<f64>,
    /// The error that an adaptive step may leave in a coordinate, relative to its range; without it, all steps are
    /// equal.
    #[arg(long, value_name = "ERROR", value_parser = positive)]
    pub tolerance: Option<f64>,
    /// The scheme of time integration: `alpha:RHO` generalized alpha with this damping (`alpha:0.8` is the default),
    /// `hht:ALPHA` (`hht:-0.1`), or `undamped`.
    #[arg(long, value_name = "SCHEME", value_parser = scheme)]
    pub scheme: Option<Scheme>,
    /// The order of the run, from 2 (the default) to 6: a run of order p combines p - 1 runs of the scheme, whose steps
    /// are `--step`, half of it, a fourth .., so that their errors cancel.
    #[arg(long, value_name = "ORDER", value_parser = clap::value_parser!(u32).range(2..=6))]
    pub order: Option<u32>,
}

impl TimeOptions {
    /// Sets scheme, order, end, step and tolerance of a simulation as far as they are given.
    pub fn set(&self, mut simulation: Simulation) -> Simulation {
        if let Some(scheme) = self.scheme {
            simulation = simulation.scheme(scheme);
        }
        if let Some(order) = self.order {
            simulation = simulation.order(order);
        }
        if let Some(until) = self.until {
            simulation = simulation.until(until);
        }
        if let Some(step) = self.step {
            simulation = simulation.step(step);
        }
        match self.tolerance {
            Some(tolerance) => simulation.adaptive(tolerance),
            None => simulation,
        }
    }
}

/// Parses a positive number.
///
/// # Errors
/// A text of another form, with what to write instead.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("write a number above 0, e.g. `2.5`".to_owned()),
    }
}

/// Parses `alpha:0.8`, `hht:-0.1` or `undamped`.
///
/// # Errors
/// A text of another form, with what to write instead.
pub fn scheme(text: &str) -> Result<Scheme, String> {
    let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
    let number = number.map(f64::from_str).transpose().ok();
    match (name, number) {
        ("alpha", Some(Some(rho_inf))) if (0.0..=1.0).contains(&rho_inf) => Ok(Scheme::GeneralizedAlpha { rho_inf }),
        ("alpha", Some(None)) => Ok(Scheme::default()),
        ("hht", Some(Some(alpha))) if (-1.0 / 3.0..=0.0).contains(&alpha) => Ok(Scheme::Hht { alpha }),
        ("undamped", Some(None)) => Ok(Scheme::Undamped),
        _ => Err("write `alpha:RHO` with RHO in [0, 1], `hht:ALPHA` with ALPHA in [-1/3, 0], or `undamped`".to_owned()),
    }
}
