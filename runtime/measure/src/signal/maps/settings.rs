//! Settings of maps.

use serde::{Deserialize, Serialize};

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
/// let noise = Mapping::default().length(2048).quantity(Quantity::Density).window(Window::Hann);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    length: Option<usize>,
    revolutions: Option<usize>,
    window: Option<Window>,
    pub(super) overlap: f64,
    pub(super) quantity: Quantity,
    pub(super) highest: f64,
    pub(super) speeds: usize,
    pub(super) over_time: bool,
}

impl Default for Mapping {
    /// Amplitudes in a window with a flat top, right to 0.1 % at every frequency; densities in Hann's window. Segments
    /// overlap by three quarters.
    fn default() -> Self {
        Self {
            length: None,
            revolutions: None,
            window: None,
            overlap: 0.75,
            quantity: Quantity::Amplitude,
            highest: 20.0,
            speeds: 100,
            over_time: false,
        }
    }
}

impl Mapping {
    /// Sets the samples of a segment of a spectrogram. Without, it is a power of 2 near twice the root of the samples,
    /// times the width of a line in the window, so that there are about as many of these widths as segments.
    #[must_use]
    pub fn length(mut self, samples: usize) -> Self {
        self.length = Some(samples);
        self
    }

    /// Sets the revolutions of a block of a map of orders, which resolves orders that are their inverse apart, times 4
    /// for the window with a flat top. Without, it is a tenth of all revolutions, from 4 to 16.
    #[must_use]
    pub fn revolutions(mut self, revolutions: usize) -> Self {
        self.revolutions = Some(revolutions);
        self
    }

    /// Sets the window.
    #[must_use]
    pub fn window(mut self, window: Window) -> Self {
        self.window = Some(window);
        self
    }

    /// Sets the part of a segment that the next one has as well, from 0 to below 1.
    #[must_use]
    pub fn overlap(mut self, part: f64) -> Self {
        self.overlap = part;
        self
    }

    /// Sets the quantity.
    #[must_use]
    pub fn quantity(mut self, quantity: Quantity) -> Self {
        self.quantity = quantity;
        self
    }

    /// Sets the highest order of a map of orders, which is 20.
    #[must_use]
    pub fn highest_order(mut self, order: f64) -> Self {
        self.highest = order;
        self
    }

    /// Sets the number of speeds, from the lowest to the highest one, which is 100.
    #[must_use]
    pub fn speeds(mut self, count: usize) -> Self {
        self.speeds = count;
        self
    }

    /// Shows orders over the time, and not over the speed.
    #[must_use]
    pub fn over_time(mut self) -> Self {
        self.over_time = true;
        self
    }

    pub(super) fn window_of(&self) -> Window {
        self.window.unwrap_or(match self.quantity {
            Quantity::Density => Window::Hann,
            _ => Window::FlatTop,
        })
    }

    pub(super) fn length_of(&self, samples: usize) -> usize {
        // lines are as wide as the window makes them
        let width = match self.window_of() {
            Window::Rectangular => 1.0,
            Window::Hann => 1.5,
            Window::BlackmanHarris => 2.0,
            Window::FlatTop => 3.77,
        };
        let balanced = || (2.0 * width * (samples as f64).sqrt()).log2().round().exp2() as usize;
        self.length.unwrap_or_else(|| balanced().max(16))
    }

    pub(super) fn revolutions_of(&self, all: f64) -> usize {
        self.revolutions.unwrap_or_else(|| (all / 10.0).clamp(4.0, 16.0) as usize)
    }

    /// Samples from one segment to the next.
    pub(super) fn step(&self, length: usize) -> Result<usize, SignalError> {
        if !(0.0..1.0).contains(&self.overlap) {
            return Err(SignalError::Number {
                what: "the overlap",
                value: self.overlap,
                limits: "from 0 to below 1".to_owned(),
                remedy: "give the part of a segment, such as 0.75",
            });
        }
        Ok(length - ((self.overlap * length as f64) as usize).min(length.saturating_sub(1)))
    }
}
