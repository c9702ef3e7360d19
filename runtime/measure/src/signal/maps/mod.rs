//! Spectra of records over time or over the speed of a shaft: spectrograms and maps of orders.

mod angle;
mod lines;
mod passages;
mod picture;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod time;

use costate_contract::shown::Shown;
use serde::Serialize;

use crate::signal::error::positive;
use crate::signal::{SignalError, Tacho};

pub use angle::order_map;
pub use picture::Picture;
pub use settings::{Mapping, Quantity};
pub use time::{spectrogram, speed_map};

/// Largest number of values of a map: half a gibibyte, more than any picture shows.
const MAX_VALUES: usize = 1 << 26;

/// An axis of a map.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MapAxis {
    /// The quantity: `time`, `frequency`, `speed` or `order`.
    pub name: &'static str,
    /// Unit of the values: s, Hz or 1/min; `None` for orders.
    pub unit: Option<&'static str>,
    /// Increasing values.
    pub values: Vec<f64>,
}

impl MapAxis {
    fn heading(&self) -> String {
        match self.unit {
            Some(unit) => format!("{} [{unit}]", self.name),
            None => self.name.to_owned(),
        }
    }
}

/// Spectra side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpectralMap {
    /// Name of the record.
    pub record: String,
    /// Name of the channel.
    pub channel: String,
    /// The time or the speed.
    pub x: MapAxis,
    /// The frequency or the order.
    pub y: MapAxis,
    /// Values in [`unit`](Self::unit), row by row: `values[j*x.values.len() + i]` at `x.values[i]` and `y.values[j]`.
    pub values: Vec<f64>,
    /// The quantity that the values are.
    pub quantity: Quantity,
    /// Unit of the values; `None` for a channel without a unit.
    pub unit: Option<String>,
    /// Speed in 1/min at every value of `x`, where a tacho measures it.
    pub speeds: Option<Vec<f64>>,
    /// Width in which the window sees a line, in the unit of `y`: its equivalent noise bandwidth.
    pub bandwidth: f64,
    /// Sentences about what the numbers may not show.
    pub notes: Vec<String>,
}

impl SpectralMap {
    /// The values at the y with this index, one for each x.
    pub fn row(&self, index: usize) -> &[f64] {
        let columns = self.x.values.len();
        self.values.get(index * columns..(index + 1) * columns).unwrap_or_default()
    }

    /// The values along an order, one for each x: those of the line that is nearest to it, or of the largest one within
    /// the bandwidth. NaN beyond the map; empty where speeds are not known.
    pub fn order(&self, order: f64) -> Vec<f64> {
        let Some(speeds) = &self.speeds else { return Vec::new() };
        let at = |(column, speed): (usize, &f64)| {
            let wanted = self.on_y(order, *speed);
            let (first, last) = (self.y.values.first().copied(), self.y.values.last().copied());
            if first.is_none_or(|first| wanted < first) || last.is_none_or(|last| wanted > last) {
                return f64::NAN;
            }
            let near = |y: &f64| (y - wanted).abs() <= 0.500_001 * self.bandwidth;
            let rows = self.y.values.iter().enumerate().filter(|(_, y)| near(y));
            rows.filter_map(|(row, _)| self.row(row).get(column).copied()).fold(f64::NAN, f64::max)
        };
        speeds.iter().enumerate().map(at).collect()
    }

    /// Adds the speeds at the times of a spectrogram, NaN before the first and after the last pulse: for
    /// [`order`](Self::order), and for lines of orders in pictures.
    #[must_use]
    pub fn with_tacho(mut self, tacho: &Tacho) -> Self {
        if self.x.name == "time" {
            let speed =
                |time: &f64| tacho.speed_at(*time).map_or(f64::NAN, |speed| speed / std::f64::consts::TAU * 60.0);
            self.speeds = Some(self.x.values.iter().map(speed).collect());
        }
        self
    }

    /// The place of an order on the axis y at a speed in 1/min.
    fn on_y(&self, order: f64, speed: f64) -> f64 {
        if self.y.name == "order" { order } else { order * speed / 60.0 }
    }

    /// Levels in dB above a reference in the unit of the channel: `20 lg(value/reference)`, of a density
    /// `10 lg(value/reference^2)` with its unit per Hz or order. Values of 0 have the level minus infinity.
    ///
    /// # Errors
    /// [`SignalError::Number`] for a reference that is not positive.
    pub fn levels(&self, reference: f64) -> Result<Vec<f64>, SignalError> {
        let reference =
            positive("the reference of a level", reference, "give it in the unit of the channel, such as 1e-6 m/s^2")?;
        let level = |value: &f64| match self.quantity {
            Quantity::Density => 10.0 * value.log10() - 20.0 * reference.log10(),
            Quantity::Amplitude | Quantity::Rms => 20.0 * (value.log10() - reference.log10()),
        };
        Ok(self.values.iter().map(level).collect())
    }

    /// Text such as `dB re 1e-6 m/s^2`.
    fn level_unit(&self, reference: f64) -> String {
        let base = self.channel_unit();
        let reference = Shown(reference);
        match self.quantity {
            Quantity::Density => format!("dB re ({reference} {base})²/{}", self.per()),
            Quantity::Amplitude | Quantity::Rms => format!("dB re {reference} {base}"),
        }
    }

    fn per(&self) -> &'static str {
        if self.y.name == "order" { "order" } else { "Hz" }
    }

    /// Unit of the channel, 1 if it has none.
    fn channel_unit(&self) -> &str {
        match (&self.unit, self.quantity) {
            (None, _) => "1",
            (Some(unit), Quantity::Density) => {
                unit.rsplit_once(")^2").map_or(unit.as_str(), |(before, _)| before.trim_start_matches('('))
            }
            (Some(unit), _) => unit,
        }
    }
}
