//! Engine orders of the twist over speed.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use costate::cost::{SpectrumError, Window, fourier_coefficients};
use costate_examples::{scale_by_noise, write_text};
use costate_models::four_cylinder_engine::RUN_UP;

use crate::experiment::{run_up, speeds};

/// The orders that are computed.
pub const ORDERS: [f64; 4] = [2.0, 4.0, 6.0, 8.0];

/// The speeds at which orders are computed, in rpm.
pub fn all_speeds() -> Vec<f64> {
    speeds((RUN_UP.from, RUN_UP.to), 25.0).collect()
}

/// Amplitudes of some orders over the speeds of the run-up.
#[derive(Debug, Clone)]
pub struct OrderTable {
    /// Speeds in rpm.
    pub speeds: Vec<f64>,
    /// Amplitudes in rad at the speeds, for each of [`ORDERS`]; NaN where it was not measured.
    pub amplitudes: Vec<Vec<f64>>,
}

impl OrderTable {
    /// The orders of a run's twist in rad at `times` in s.
    pub fn new(times: &[f64], twist: &[f64]) -> Result<Self, SpectrumError> {
        let run_up = run_up()?;
        let speeds = all_speeds();
        let amplitudes = |order: &f64| {
            let lines = run_up.lines(*order, speeds.iter().map(|speed| speed / 60.0), Window::Hann)?;
            let coefficients = fourier_coefficients(times, twist, &lines)?;
            Ok(coefficients.iter().map(|coefficients| coefficients.amplitude()).collect())
        };
        let amplitudes = ORDERS.iter().map(amplitudes).collect::<Result<_, SpectrumError>>()?;
        Ok(Self { speeds, amplitudes })
    }

    /// Adds noise that is proportional to every amplitude.
    pub fn with_noise(mut self, fraction: f64, seed: u64) -> Result<Self> {
        if fraction > 0.0 {
            for (amplitudes, seed) in self.amplitudes.iter_mut().zip((seed..).step_by(1_000_003)) {
                scale_by_noise(amplitudes, fraction, seed)?;
            }
        }
        Ok(self)
    }

    /// The points of one order, as far as it was measured: speed in rpm, amplitude in rad.
    pub fn points(&self, order: f64) -> impl Iterator<Item = (f64, f64)> {
        let row = ORDERS.iter().position(|other| *other == order);
        let amplitudes = row.and_then(|row| self.amplitudes.get(row)).into_iter().flatten();
        self.speeds.iter().copied().zip(amplitudes.copied()).filter(|(_, amplitude)| amplitude.is_finite())
    }

    /// The amplitude in rad of an order at one of the speeds in rpm.
    pub fn amplitude(&self, order: f64, speed: f64) -> Result<f64> {
        let at = self.points(order).find(|(other, _)| (other - speed).abs() < 0.5);
        at.map(|(_, amplitude)| amplitude).with_context(|| format!("order {order} at {speed} rpm was not measured"))
    }

    /// The highest amplitude in rad of an order, and its speed in rpm.
    pub fn peak(&self, order: f64) -> Option<(f64, f64)> {
        self.points(order).max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// Writes speeds and amplitudes of several tables, each with its name, to a CSV file. A single table without a name is
/// what [`read`](crate::measured_orders::read) reads.
pub fn write_csv(file: &Path, tables: &[(&str, &OrderTable)]) -> Result<()> {
    let mut text = "speed [rpm]".to_owned();
    for (name, order) in tables.iter().flat_map(|(name, _)| ORDERS.map(|order| (name, order))) {
        let space = if name.is_empty() { "" } else { " " };
        write!(text, ",{name}{space}order {order} [rad]")?;
    }
    let speeds = tables.first().map_or(&[][..], |(_, table)| &table.speeds);
    for (k, speed) in speeds.iter().enumerate() {
        write!(text, "\n{speed}")?;
        for amplitudes in tables.iter().flat_map(|(_, table)| &table.amplitudes) {
            match amplitudes[k] {
                amplitude if amplitude.is_finite() => write!(text, ",{amplitude:e}")?,
                _ => text.push(','),
            }
        }
    }
    write_text(file, &(text + "\n"))
}
