//! Overlapping windowed segments of the equidistant parts, and their Fourier transforms.

use std::f64::consts::TAU;

use costate_numerics::fourier::{Complex, Transform};

use crate::residuals::absent::Absent;
use crate::residuals::sampling::Sampling;

/// Fewest samples of a segment.
pub const SHORTEST_SEGMENT: usize = 16;

/// Segments of one even length M that overlap by half, inside the parts, with Hann windows.
#[derive(Debug, Clone)]
pub(crate) struct Segments {
    /// M.
    pub length: usize,
    /// First sample of every segment.
    starts: Vec<usize>,
    /// The number of pairs of segments that overlap.
    overlaps: usize,
    window: Vec<f64>,
    /// Sum of the squares of the window.
    pub window_power: f64,
    /// Covariance of the powers of two segments that overlap, over the variance of one.
    shared: f64,
}

impl Segments {
    /// Segments of `length` samples, which is made even.
    ///
    /// `None` stands for eight segments or more, of at most 1024 samples, and shorter ones where gaps would
    /// else leave out more than a quarter of the samples.
    pub fn new(sampling: &Sampling, length: Option<usize>) -> Result<Self, Absent> {
        /// Most samples of a segment where no length is asked for.
        const MAX_DEFAULT_SEGMENT: usize = 1024;
        let even = |length: usize| (length / 2 * 2).max(SHORTEST_SEGMENT);
        let length = match length {
            Some(length) => even(length),
            None => {
                let mut length = even(sampling.samples() * 2 / 9).min(MAX_DEFAULT_SEGMENT);
                while length > SHORTEST_SEGMENT && 4 * used(sampling, length) < 3 * sampling.samples() {
                    length = even(length / 2);
                }
                length
            }
        };
        if sampling.longest() < length {
            return Err(Absent::ShortParts { longest: sampling.longest(), needed: length });
        }
        let half = length / 2;
        let mut starts = Vec::new();
        let mut overlaps = 0;
        for part in sampling.parts.iter().filter(|part| part.len() >= length) {
            let further = (part.len() - length) / half;
            let first = part.start + (part.len() - length - further * half) / 2;
            starts.extend((0..=further).map(|k| first + k * half));
            overlaps += further;
        }
        let window: Vec<f64> = (0..length).map(|j| 0.5 - 0.5 * (TAU * j as f64 / length as f64).cos()).collect();
        let window_power: f64 = window.iter().map(|w| w * w).sum();
        let overlap: f64 = window.iter().zip(&window[half..]).map(|(a, b)| a * b).sum();
        let shared = (overlap / window_power).powi(2);
        Ok(Self { length, starts, overlaps, window, window_power, shared })
    }

    /// The number of segments.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The number of independent segments whose mean power scatters as much at a line as that of all segments.
    ///
    /// Segments that overlap share a part of their power, and lines next to those at zero and at half of the sampling
    /// rate, which are real, are not circular (Welch, IEEE Trans. Audio Electroacoustics 15, 1967).
    pub fn independent(&self, line: usize) -> f64 {
        let half = self.length / 2;
        let count = self.count() as f64;
        let independent = count / (1.0 + 2.0 * self.overlaps as f64 / count * self.shared);
        // The transform of the squared Hann window at twice the line's frequency, over its value at zero.
        let reflected = match line.min(half.saturating_sub(line)) {
            0 => 1.0,
            1 => 1.0 / 6.0,
            _ => 0.0_f64,
        };
        independent / (1.0 + reflected * reflected)
    }

    /// Frequencies of the lines from 0 to half of the sampling rate, in Hz.
    pub fn frequencies(&self, interval: f64) -> Vec<f64> {
        (0..=self.length / 2).map(|line| line as f64 / (self.length as f64 * interval)).collect()
    }

    /// Calls `add` with the lines 0 to M/2 of the transforms of both signals for every segment.
    pub fn transform(&self, x: &[f64], y: &[f64], mut add: impl FnMut(&[Complex<f64>], &[Complex<f64>])) {
        let mut transform = Transform::forward(self.length);
        let mut buffer = vec![Complex::default(); self.length];
        let lines = self.length / 2 + 1;
        let (mut of_x, mut of_y) = (vec![Complex::default(); lines], vec![Complex::default(); lines]);
        for &start in &self.starts {
            // Both real signals go through one transform, as real and imaginary part.
            for (j, (entry, w)) in buffer.iter_mut().zip(&self.window).enumerate() {
                *entry = Complex::new(w * x[start + j], w * y[start + j]);
            }
            transform.apply(&mut buffer);
            for line in 0..lines {
                let (a, b) = (buffer[line], buffer[(self.length - line) % self.length].conj());
                of_x[line] = (a + b) * 0.5;
                of_y[line] = (a - b) * Complex::new(0.0, -0.5);
            }
            add(&of_x, &of_y);
        }
    }
}

/// The number of samples in segments of `length`.
fn used(sampling: &Sampling, length: usize) -> usize {
    let of_part = |samples: usize| if samples < length { 0 } else { samples / (length / 2) * (length / 2) };
    sampling.parts.iter().map(|part| of_part(part.len())).sum()
}
