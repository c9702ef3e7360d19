//! Settings of maps.

use serde::{Deserialize, Serialize};

use crate::signal::error::part;
use crate::signal::{SignalError, Window};

/// The quantity that the values of a map are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Quantity {
    /// Amplitude of a sine.
    #[default]
    Amplitude,
    /// Root of the mean square of a sine, its amplitude over the root of 2.
    Rms,
    /// One-sided density of the mean square, per Hz or per order: right for noise, whatever the window.
    Density,
}

impl Quantity {
    /// Name for axes.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Amplitude => "amplitude",
            Self::Rms => "rms",
            Self::Density => "density",
        }
    }
}

/// Lengths, windows and quantity of a map.
///
/// ```
/// # use costate_measure::signal::{Mapping, Quantity, Window};
/// let lines = Mapping::default();
/// let (quantity, window) = (Quantity::Density, Some(Window::Hann));
/// let noise = Mapping { length: Some(2048), quantity, window, ..Mapping::default() };
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// Samples of a segment of a spectrogram. `None` takes a power of 2 near twice the root of the samples, times the
    /// width of a line in the window, so that there are about as many of these widths as segments.
    pub length: Option<usize>,
    /// Revolutions of a block of a map of orders, which resolves orders that are their inverse apart, times 4 for the
    /// window with a flat top. `None` takes a tenth of all revolutions, from 4 to 16.
    pub revolutions: Option<usize>,
    /// The window. `None` takes one with a flat top, whose amplitudes are right to 0.1 % at every frequency, and Hann's
    /// window for densities.
    pub window: Option<Window>,
    /// Part of a segment that the next one has as well, from 0 to below 1. Default 0.75.
    pub overlap: f64,
    /// The quantity. Default: amplitudes.
    pub quantity: Quantity,
    /// Highest order of a map of orders. Default 20.
    pub highest_order: f64,
    /// Number of speeds, from the lowest to the highest one. Default 100.
    pub speeds: usize,
    /// True for orders over the time, and not over the speed. Default: false.
    pub over_time: bool,
}

impl Default for Mapping {
    fn default() -> Self {
        Self {
            length: None,
            revolutions: None,
            window: None,
            overlap: 0.75,
            quantity: Quantity::Amplitude,
            highest_order: 20.0,
            speeds: 100,
            over_time: false,
        }
    }
}

impl Mapping {
    pub(super) fn chosen_window(&self) -> Window {
        self.window.unwrap_or(match self.quantity {
            Quantity::Density => Window::Hann,
            _ => Window::FlatTop,
        })
    }

    pub(super) fn segment_length(&self, samples: usize) -> usize {
        // lines are as wide as the window makes them
        let width = match self.chosen_window() {
            Window::Rectangular => 1.0,
            Window::Hann => 1.5,
            Window::BlackmanHarris => 2.0,
            Window::FlatTop => 3.77,
        };
        let balanced = || (2.0 * width * (samples as f64).sqrt()).log2().round().exp2() as usize;
        self.length.unwrap_or_else(|| balanced().max(16))
    }

    pub(super) fn block_revolutions(&self, all: f64) -> usize {
        self.revolutions.unwrap_or_else(|| (all / 10.0).clamp(4.0, 16.0) as usize)
    }

    /// Samples from one segment to the next.
    pub(super) fn step(&self, length: usize) -> Result<usize, SignalError> {
        part("the overlap", self.overlap, "give the part of a segment, such as 0.75")?;
        Ok(length - ((self.overlap * length as f64) as usize).min(length.saturating_sub(1)))
    }
}
