//! Windowed trapezoidal sums over an interval of time, of samples at any times.

use std::f64::consts::TAU;

use super::Window;
use super::spectrum_error::SpectrumError;
use crate::PLACE_ROUNDING;
use costate_contract::machine::Room;
use costate_numerics::scalar::Scalar;

/// The times of the samples.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Grid<'a> {
    /// i h, i = 0..samples.
    Steps { step: f64, samples: usize },
    /// Strictly increasing times.
    Times(&'a [f64]),
}

impl Grid<'_> {
    fn samples(&self) -> usize {
        match *self {
            Self::Steps { samples, .. } => samples,
            Self::Times(times) => times.len(),
        }
    }

    fn time(&self, i: usize) -> f64 {
        match *self {
            Self::Steps { step, .. } => i as f64 * step,
            Self::Times(times) => times[i],
        }
    }

    /// Returns the distance from sample i to the next.
    fn spacing(&self, i: usize) -> f64 {
        match *self {
            Self::Steps { step, .. } => step,
            Self::Times(times) => times[i + 1] - times[i],
        }
    }

    /// Returns the last sample at or before `time` in s; `None` outside of the samples.
    fn before(&self, time: f64) -> Option<usize> {
        let last = self.samples().checked_sub(1)?;
        let inside = |nearest: f64| (0.0..=last as f64).contains(&nearest);
        match *self {
            Self::Steps { step, .. } => inside(time / step).then(|| ((time / step) as usize).min(last)),
            Self::Times(times) => {
                let after = times.partition_point(|&t| t <= time);
                (time <= times[last]).then(|| after.checked_sub(1)).flatten()
            }
        }
    }

    /// Returns the node at `time`; `None` outside of the samples.
    fn node(&self, time: f64) -> Option<Node> {
        let last = self.samples().checked_sub(1)?;
        let (start, end) = (self.time(0), self.time(last));
        let at = |sample: usize| Node { time: self.time(sample), weight: 0.0, sample, fraction: 0.0 };
        if last == 0 {
            return (time == start).then(|| at(0));
        }
        if (time - start).abs() <= PLACE_ROUNDING * self.spacing(0) {
            return Some(at(0));
        }
        if (time - end).abs() <= PLACE_ROUNDING * self.spacing(last - 1) {
            return Some(at(last));
        }
        let sample = self.before(time)?.min(last - 1);
        let fraction = (time - self.time(sample)) / self.spacing(sample);
        if fraction <= PLACE_ROUNDING {
            Some(at(sample))
        } else if fraction >= 1.0 - PLACE_ROUNDING {
            Some(at(sample + 1))
        } else {
            Some(Node { time, weight: 0.0, sample, fraction })
        }
    }
}

/// A point of the trapezoidal sum: the value there is y[sample] + fraction (y[sample + 1] - y[sample]).
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    time: f64,
    /// (2 g/T) eta(t) times half of the distances to both neighbours.
    weight: f64,
    sample: usize,
    fraction: f64,
}

/// The windowed trapezoidal sums (2 g/T) sum' eta(t_i) y_i cos(omega t_i) over one interval, FD (26) ff., with the
/// amplitude correction g. The sum goes over the samples inside and the ends; an end between two samples takes the
/// value linear between them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Span {
    from: f64,
    to: f64,
    window: Window,
    nyquist: f64,
    nodes: Vec<Node>,
    /// Distance of the nodes between the first and the last one in s; `None` where distances differ.
    step: Option<f64>,
}

impl Span {
    /// Creates the sum over [from, to] in s.
    pub fn new(grid: Grid<'_>, from: f64, to: f64, window: Window) -> Result<Self, SpectrumError> {
        let samples = grid.samples();
        if samples < 2 {
            return Err(SpectrumError::Samples { samples });
        }
        if to.partial_cmp(&from) != Some(std::cmp::Ordering::Greater) {
            return Err(SpectrumError::EmptyInterval { from, to });
        }
        let (Some(first), Some(last)) = (grid.node(from), grid.node(to)) else {
            let (start, end) = (grid.time(0), grid.time(samples - 1));
            return Err(SpectrumError::Outside { from, to, start, end });
        };
        if first.time >= last.time {
            return Err(SpectrumError::EmptyInterval { from, to });
        }
        let inside = first.sample + 1..last.sample + usize::from(last.fraction > 0.0);
        let remedy = "take a shorter interval, or samples at larger distances";
        let room = Room { what: "the window", count: inside.len(), counted: "samples", remedy };
        let inner = inside.map(|sample| Node { time: grid.time(sample), weight: 0.0, sample, fraction: 0.0 });
        let mut nodes = room.take(inner.len().saturating_add(2))?;
        nodes.extend(std::iter::once(first).chain(inner).chain([last]));
        weigh(&mut nodes, grid, window);
        let nyquist = match grid {
            Grid::Steps { step, .. } => 0.5 / step,
            Grid::Times(_) => 0.5 * (nodes.len() - 1) as f64 / (last.time - first.time),
        };
        let step = match grid {
            Grid::Steps { step, .. } => Some(step),
            Grid::Times(_) => None,
        };
        Ok(Self { from, to, window, nyquist, nodes, step })
    }

    /// Checks whether this is the sum over [from, to] with this window.
    pub fn is(&self, from: f64, to: f64, window: Window) -> bool {
        self.from == from && self.to == to && self.window == window
    }

    /// Checks whether a frequency in Hz has a whole number of periods in the interval, with a window that is
    /// constant.
    pub fn is_whole(&self, frequency: f64) -> bool {
        let periods = frequency * (self.to - self.from);
        self.window == Window::Rectangular && (periods - periods.round()).abs() < 1e-6
    }

    /// Checks that the samples resolve a frequency in Hz.
    pub fn check(&self, frequency: f64) -> Result<(), SpectrumError> {
        if !(frequency > 0.0 && frequency.is_finite()) {
            return Err(SpectrumError::NotPositive { what: "frequency", value: frequency });
        }
        if frequency >= self.nyquist {
            return Err(SpectrumError::Nyquist { frequency, nyquist: self.nyquist });
        }
        Ok(())
    }

    /// Computes A and B of the samples that `value` returns, at `frequency` in Hz.
    pub fn coefficients<S: Scalar>(&self, frequency: f64, value: impl Fn(usize) -> S) -> [S; 2] {
        let (mut a, mut b) = (S::default(), S::default());
        self.each_node(TAU * frequency, |node, (sine, cosine)| {
            let mut y = value(node.sample);
            if node.fraction > 0.0 {
                y += (value(node.sample + 1) - y) * node.fraction;
            }
            a += y * (node.weight * cosine);
            b += y * (node.weight * sine);
        });
        [a, b]
    }

    /// Calls `add` with `derivatives[0]` dA/dy_i + `derivatives[1]` dB/dy_i for every sample i, FD (11).
    pub fn add_transposed(&self, frequency: f64, derivatives: [f64; 2], mut add: impl FnMut(usize, f64)) {
        self.each_node(TAU * frequency, |node, (sine, cosine)| {
            let derivative = node.weight * (derivatives[0] * cosine + derivatives[1] * sine);
            add(node.sample, derivative * (1.0 - node.fraction));
            if node.fraction > 0.0 {
                add(node.sample + 1, derivative * node.fraction);
            }
        });
    }

    /// Calls `each` with every node, and sine and cosine of `omega` times its time.
    fn each_node(&self, omega: f64, mut each: impl FnMut(&Node, (f64, f64))) {
        /// Number of nodes whose sines and cosines are those of the first one, turned by angles that are the same for
        /// all rows: a product takes a tenth of the time of a sine, and rounding does not add up.
        const NODES_IN_ROW: usize = 32;
        let at = |node: &Node| (omega * node.time).sin_cos();
        let (Some(step), [first, inner @ .., last]) = (self.step, &self.nodes[..]) else {
            return self.nodes.iter().for_each(|node| each(node, at(node)));
        };
        let turns: [(f64, f64); NODES_IN_ROW] = std::array::from_fn(|k| (omega * step * k as f64).sin_cos());
        each(first, at(first));
        for row in inner.chunks(NODES_IN_ROW) {
            let (sine, cosine) = at(&row[0]);
            for (node, (turn_sine, turn_cosine)) in row.iter().zip(turns) {
                let turned = (sine * turn_cosine + cosine * turn_sine, cosine * turn_cosine - sine * turn_sine);
                each(node, turned);
            }
        }
        each(last, at(last));
    }
}

/// Computes the weights of all nodes.
fn weigh(nodes: &mut [Node], grid: Grid<'_>, window: Window) {
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return };
    let (from, length) = (first.time, last.time - first.time);
    let factor = 2.0 * window.amplitude_correction() / length;
    for k in 1..nodes.len() {
        let (before, after) = (nodes[k - 1], nodes[k]);
        let between = before.fraction > 0.0 || after.fraction > 0.0;
        let spacing = if between { after.time - before.time } else { grid.spacing(before.sample) };
        nodes[k - 1].weight += 0.5 * spacing;
        nodes[k].weight += 0.5 * spacing;
    }
    for node in nodes {
        node.weight *= factor * window.at((node.time - from) / length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_may_lie_between_the_samples() {
        // The trapezoidal sum of a line is its integral: A of y = 1 + t at a frequency near zero is 2 mean.
        let (from, to) = (0.123, 0.777);
        let mean = 1.0 + 0.5 * (from + to);
        let steps = Span::new(Grid::Steps { step: 0.1, samples: 11 }, from, to, Window::Rectangular).unwrap();
        let [a, _] = steps.coefficients(1e-9, |i| 1.0 + 0.1 * i as f64);
        assert!((a - 2.0 * mean).abs() < 1e-12, "{a}");
        let times = [0.0, 0.12, 0.2, 0.5, 0.6, 0.77, 0.9];
        let uneven = Span::new(Grid::Times(&times), from, to, Window::Rectangular).unwrap();
        let [a, _] = uneven.coefficients(1e-9, |i| 1.0 + times[i]);
        assert!((a - 2.0 * mean).abs() < 1e-12, "{a}");
    }

    #[test]
    fn both_grids_agree() {
        let times: Vec<f64> = (0..=40).map(|i| f64::from(i) * 0.05).collect();
        let y = |i: usize| (7.0 * times[i]).sin() + times[i];
        for (from, to) in [(0.0, 2.0), (0.25, 1.5), (0.2501, 1.99)] {
            let steps = Span::new(Grid::Steps { step: 0.05, samples: 41 }, from, to, Window::Hann).unwrap();
            let record = Span::new(Grid::Times(&times), from, to, Window::Hann).unwrap();
            let (one, two) = (steps.coefficients(3.0, y), record.coefficients(3.0, y));
            assert!((one[0] - two[0]).abs() + (one[1] - two[1]).abs() < 1e-13);
        }
    }

    #[test]
    fn intervals_outside_are_refused() {
        let grid = Grid::Steps { step: 0.1, samples: 11 };
        let error = |from, to| Span::new(grid, from, to, Window::Hann).unwrap_err();
        assert!(matches!(error(0.5, 1.01), SpectrumError::Outside { .. }));
        assert!(matches!(error(-0.01, 0.5), SpectrumError::Outside { .. }));
        assert!(matches!(error(0.5, 0.5), SpectrumError::EmptyInterval { .. }));
        assert!(matches!(error(0.5, f64::NAN), SpectrumError::EmptyInterval { .. }));
        assert!(matches!(error(0.0, f64::INFINITY), SpectrumError::Outside { .. }));
        assert!(Span::new(grid, 0.0, 1.0 + 1e-12, Window::Hann).is_ok());
    }
}
