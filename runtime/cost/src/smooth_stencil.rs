//! Outputs at times that move: interpolation without kinks, with its derivative by the time.

use costate_numerics::scalar::{Dual, Scalar};
use costate_system::series::Series;

use crate::PLACE_ROUNDING;

/// Samples of which the derivative at a sample is made.
const NODES: usize = 5;

/// The value of an output at one time: the sum of `weights[k] * s[first + k]`, k < `count`.
///
/// Between two samples it is Hermite's cubic with derivatives of fourth order from the five nearest samples, so that
/// both value and derivative are continuous in the time. A time that carries derivatives gives weights that do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmoothStencil<S> {
    first: usize,
    count: usize,
    weights: [S; NODES + 1],
}

impl<S: Scalar> SmoothStencil<S> {
    /// The stencil at `time` in s for a run of `samples` = N + 1 samples with `step` = h in s; `None` outside
    /// `[0, N h]`.
    pub fn at(time: S, step: f64, samples: usize) -> Option<Self> {
        let last = samples.checked_sub(1)?;
        let end = last as f64;
        let position = time / step;
        if !(-PLACE_ROUNDING..=end + PLACE_ROUNDING).contains(&position.real()) {
            return None;
        }
        let mut stencil = Self { first: 0, count: 1, weights: [S::default(); NODES + 1] };
        if last == 0 {
            stencil.weights[0] = S::constant(1.0);
            return Some(stencil);
        }
        let left = (position.real().clamp(0.0, end).floor() as usize).min(last - 1);
        let x = position - left as f64;
        let nodes = samples.min(NODES);
        let first_of = |knot: usize| knot.saturating_sub(NODES / 2).min(samples - nodes);
        stencil.first = first_of(left);
        // Hermite's polynomials of values and derivatives at both knots
        let (one, rest) = (S::constant(1.0), S::constant(1.0) - x);
        let values = [(one + x * 2.0) * rest * rest, x * x * (S::constant(3.0) - x * 2.0)];
        let derivatives = [x * rest * rest, x * x * (x - 1.0)];
        for side in 0..2 {
            let knot = left + side;
            stencil.add(knot, values[side]);
            let start = first_of(knot);
            for (k, weight) in differences(knot - start, nodes).into_iter().take(nodes).enumerate() {
                stencil.add(start + k, derivatives[side] * weight);
            }
        }
        Some(stencil)
    }

    fn add(&mut self, sample: usize, weight: S) {
        let k = sample - self.first;
        self.weights[k] += weight;
        self.count = self.count.max(k + 1);
    }

    /// Samples and their weights.
    pub fn weights(&self) -> impl Iterator<Item = (usize, S)> + use<S> {
        let first = self.first;
        self.weights.into_iter().take(self.count).enumerate().map(move |(k, weight)| (first + k, weight))
    }

    /// The interpolated output; NaN where there is none.
    pub fn value(&self, outputs: &Series<S>, output: usize) -> S {
        let mut sum = S::default();
        for (k, &weight) in self.weights[..self.count].iter().enumerate() {
            let value = outputs.row(self.first + k).get(output).copied();
            sum += value.unwrap_or(S::constant(f64::NAN)) * weight;
        }
        sum
    }
}

impl SmoothStencil<f64> {
    /// The stencils of the output at `time` and of its derivative by the time, per s.
    pub fn with_slope(time: f64, step: f64, samples: usize) -> Option<(Self, Self)> {
        let SmoothStencil { first, count, weights } =
            SmoothStencil::at(Dual { value: time, derivative: 1.0 }, step, samples)?;
        let slope = Self { first, count, weights: weights.map(|weight| weight.derivative) };
        Some((Self { first, count, weights: weights.map(|weight| weight.value) }, slope))
    }

    /// Adds `scale` times the derivative of the interpolated output with respect to the outputs at the steps.
    pub fn add_transposed(&self, scale: f64, gradient: &mut Series<f64>, output: usize) {
        for (k, &weight) in self.weights[..self.count].iter().enumerate() {
            if let Some(derivative) = gradient.row_mut(self.first + k).get_mut(output) {
                *derivative += scale * weight;
            }
        }
    }
}

/// Weights of the derivative at node `at` of the polynomial through the nodes 0, 1, ..., `count` - 1.
fn differences(at: usize, count: usize) -> [f64; NODES] {
    let mut weights = [0.0; NODES];
    let distance = |a: usize, b: usize| a as f64 - b as f64;
    for k in (0..count).filter(|&k| k != at) {
        // l_k'(at) = prod_{j != k, at} (at - j) / prod_{j != k} (k - j)
        let others = |&j: &usize| j != k && j != at;
        let numerator: f64 = (0..count).filter(others).map(|j| distance(at, j)).product();
        let denominator: f64 = (0..count).filter(|&j| j != k).map(|j| distance(k, j)).product();
        weights[k] = numerator / denominator;
        weights[at] -= weights[k];
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(samples: usize, f: impl Fn(f64) -> f64) -> Series<f64> {
        let mut series = Series::zeros(0.1, 1, samples);
        for i in 0..samples {
            series.row_mut(i)[0] = f(i as f64 * 0.1);
        }
        series
    }

    #[test]
    fn cubics_and_their_derivatives_are_exact_everywhere() {
        let f = |t: f64| 1.0 - 2.0 * t + 3.0 * t * t - 0.7 * t * t * t;
        let slope = |t: f64| -2.0 + 6.0 * t - 2.1 * t * t;
        let series = sampled(9, f);
        for j in 0..=160 {
            let time = 0.8 * f64::from(j) / 160.0;
            let (value, by_time) = SmoothStencil::with_slope(time, 0.1, 9).unwrap();
            assert!((value.value(&series, 0) - f(time)).abs() < 1e-13);
            assert!((by_time.value(&series, 0) - slope(time)).abs() < 1e-12);
        }
        assert!(SmoothStencil::at(0.81, 0.1, 9).is_none() && SmoothStencil::at(-0.01, 0.1, 9).is_none());
        assert!(SmoothStencil::at(f64::NAN, 0.1, 9).is_none() && SmoothStencil::at(0.0, 0.1, 0).is_none());
    }

    #[test]
    fn value_and_derivative_are_continuous_across_samples() {
        let series = sampled(12, |t| (7.0 * t).sin());
        for knot in 1..11 {
            let at = |shift: f64| SmoothStencil::with_slope(0.1 * f64::from(knot) + shift, 0.1, 12).unwrap();
            let (before, after) = (at(-1e-12), at(1e-12));
            assert!((before.0.value(&series, 0) - after.0.value(&series, 0)).abs() < 1e-10);
            assert!((before.1.value(&series, 0) - after.1.value(&series, 0)).abs() < 1e-8);
        }
    }

    #[test]
    fn short_runs_are_interpolated_as_far_as_they_go() {
        for samples in 1..5 {
            let series = sampled(samples, |t| 2.0 + t);
            let time = 0.05 * (samples - 1) as f64;
            let stencil = SmoothStencil::at(time, 0.1, samples).unwrap();
            assert!((stencil.value(&series, 0) - 2.0 - time).abs() < 1e-14);
        }
    }

    #[test]
    fn the_transposed_sum_is_the_derivative() {
        let series = sampled(8, |t| t * t);
        let stencil = SmoothStencil::at(0.234, 0.1, 8).unwrap();
        let mut gradient = Series::zeros(0.1, 1, 8);
        stencil.add_transposed(1.0, &mut gradient, 0);
        let sum: f64 = (0..8).map(|i| gradient.row(i)[0] * series.row(i)[0]).sum();
        assert!((sum - stencil.value(&series, 0)).abs() < 1e-15);
    }
}
