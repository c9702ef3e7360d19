//! The response of an adapted model, and its accuracy.

use costate_system::table::{Curve, Extension};

use crate::restoring_force::warning::Warning;

/// The signals of the sensors of an adapted model, and their accuracy.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Rows as those of a record: every signal at the first sample, then at the second one.
    pub signals: Vec<f64>,
    /// Deformations and rates of the elements at every sample: z (N), then v (N).
    pub motion: Vec<f64>,
    /// Number of steps from one sample to the next.
    pub steps: usize,
    /// Change of every signal by steps of twice the length: the root mean square of the difference over the signal's
    /// standard deviation. As the error falls with the cube of the step, it is about a seventh of this change.
    /// Infinite where the motion with these steps is not finite.
    pub moved: Vec<f64>,
    /// Largest change of a signal that was requested.
    pub tolerance: f64,
    /// Use of the elastic curves of the elements.
    pub elastic: Vec<Visited>,
    /// Use of the dissipative curves of the elements.
    pub dissipative: Vec<Visited>,
}

impl Response {
    /// Returns true if all signals are as accurate as requested.
    pub fn is_accurate(&self) -> bool {
        self.moved.iter().all(|moved| *moved <= self.tolerance)
    }

    /// Returns a signal at all samples; empty where there is no such sensor.
    pub fn signal(&self, sensor: usize) -> Vec<f64> {
        let width = self.moved.len();
        if sensor >= width {
            return Vec::new();
        }
        self.signals.iter().skip(sensor).step_by(width).copied().collect()
    }

    /// Returns warnings about steps that are too long, and about curves that are exceeded by more than a twentieth of
    /// their length or of the time; [`elastic`](Self::elastic) and [`dissipative`](Self::dissipative) have all curves
    /// that are exceeded.
    pub fn warnings(&self) -> Vec<Warning> {
        const SLIGHT: f64 = 0.05;
        let largest = self.moved.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        let inaccurate = largest.filter(|_| !self.is_accurate());
        let steps = self.steps;
        let inaccurate = inaccurate.map(|(signal, moved)| Warning::InaccurateResponse { signal, moved, steps });
        let mut warnings: Vec<Warning> = inaccurate.into_iter().collect();
        for (curve, visited) in [("elastic", &self.elastic), ("dissipative", &self.dissipative)] {
            for (element, Visited { beyond: part, farthest, .. }) in visited.iter().copied().enumerate() {
                if part.max(farthest) > SLIGHT {
                    warnings.push(Warning::BeyondCurve { element, curve, part, farthest });
                }
            }
        }
        warnings
    }
}

/// The range of a curve in which an element was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visited {
    /// Lowest and highest deformation in m, or rate in m/s.
    pub range: [f64; 2],
    /// Part of the time beyond the ends of the curve, where it continues by its [`Extension`]. A periodic curve has
    /// no ends.
    pub beyond: f64,
    /// The largest distance from the end, as a part of the curve's length.
    pub farthest: f64,
}

/// Counts the steps beyond the ends of a curve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watched {
    /// First and last knot; infinite for a periodic curve.
    ends: [f64; 2],
    range: [f64; 2],
    count: usize,
    beyond: usize,
}

impl Watched {
    pub fn new(curve: &Curve) -> Self {
        let everywhere = [f64::NEG_INFINITY, f64::INFINITY];
        let ends = if curve.extension() == Extension::Periodic { everywhere } else { curve.range() };
        Self { ends, range: [f64::INFINITY, f64::NEG_INFINITY], count: 0, beyond: 0 }
    }

    pub fn visit(&mut self, x: f64) {
        self.range = [self.range[0].min(x), self.range[1].max(x)];
        self.count += 1;
        self.beyond += usize::from(x < self.ends[0] || x > self.ends[1]);
    }

    pub fn visited(&self) -> Visited {
        let ([low, high], range) = (self.ends, self.range);
        let farthest = (low - range[0]).max(range[1] - high).max(0.0);
        // a curve without ends cannot be exceeded
        let farthest = if self.beyond > 0 { farthest / (high - low) } else { 0.0 };
        Visited { range, beyond: self.beyond as f64 / self.count.max(1) as f64, farthest }
    }
}
