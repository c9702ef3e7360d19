//! The lines of a segment, in the wanted quantity.

use costate_numerics::fourier::{Complex, Transform};

use super::{MAX_VALUES, Mapping, Quantity};
use crate::signal::SignalError;
use crate::signal::error::limited;

/// Transforms segments of one length.
pub(super) struct Lines {
    transform: Transform,
    window: Vec<f64>,
    /// Factor from the squares of the transformed samples, to the square of the quantity.
    factor: f64,
    quantity: Quantity,
    /// Number of the last line.
    last: usize,
}

impl Lines {
    /// Lines from 1 to `last` of segments of `length` samples, `interval` s or revolutions apart.
    pub fn new(mapping: &Mapping, length: usize, interval: f64, last: usize) -> Self {
        let window: Vec<f64> = (0..length).map(|i| mapping.chosen_window().at(i as f64 / length as f64)).collect();
        let sum: f64 = window.iter().sum();
        let power: f64 = window.iter().map(|weight| weight * weight).sum();
        let factor = match mapping.quantity {
            Quantity::Amplitude => (2.0 / sum).powi(2),
            Quantity::Rms => 2.0 / (sum * sum),
            Quantity::Density => 2.0 * interval / power,
        };
        Self { transform: Transform::forward(length), window, factor, quantity: mapping.quantity, last }
    }

    pub fn count(&self) -> usize {
        self.last
    }

    /// Equivalent noise bandwidth in lines.
    pub fn bandwidth(&self) -> f64 {
        let sum: f64 = self.window.iter().sum();
        self.window.iter().map(|weight| weight * weight).sum::<f64>() * self.window.len() as f64 / (sum * sum)
    }

    /// Adds the squares of the lines of a segment without its mean.
    pub fn add(&mut self, values: &[f64], squares: &mut [f64]) {
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let windowed = values.iter().zip(&self.window);
        let mut all: Vec<_> = windowed.map(|(value, weight)| Complex::new((value - mean) * weight, 0.0)).collect();
        self.transform.apply(&mut all);
        // the line at half the rate stands for itself alone
        let half = |line: usize| if 2 * line == self.window.len() { 0.5 } else { 1.0 };
        let half = |line: usize| match self.quantity {
            Quantity::Amplitude => half(line) * half(line),
            Quantity::Rms | Quantity::Density => half(line),
        };
        for (line, square) in (1..=self.last).zip(squares) {
            *square += self.factor * half(line) * all.get(line).map_or(f64::NAN, Complex::norm_sqr);
        }
    }

    /// The mean quantity of `segments` segments.
    pub fn quantity(&self, square: f64, segments: usize) -> f64 {
        let mean = square / segments as f64;
        if self.quantity == Quantity::Density { mean } else { mean.sqrt() }
    }
}

/// Lays the spectra of groups of segments side by side, row by row; `starts` has the first samples of each group.
pub(super) fn columns(lines: &mut Lines, values: &[f64], starts: &[Vec<usize>]) -> Result<Vec<f64>, SignalError> {
    let (width, height) = (starts.len(), lines.count());
    limited(
        width.saturating_mul(height) <= MAX_VALUES,
        ("the number of values of a map", width as f64 * height as f64),
        "at most 2^26",
        "take a smaller overlap, other segments or a part of the record",
    )?;
    let mut all = vec![f64::NAN; width * height];
    let length = lines.window.len();
    for (column, starts) in starts.iter().enumerate() {
        let mut squares = vec![0.0; height];
        for start in starts {
            lines.add(values.get(*start..start + length).unwrap_or_default(), &mut squares);
        }
        for (row, square) in squares.into_iter().enumerate() {
            if let (Some(place), false) = (all.get_mut(row * width + column), starts.is_empty()) {
                *place = lines.quantity(square, starts.len());
            }
        }
    }
    Ok(all)
}
