//! Outputs between the steps, as fixed weighted sums of the outputs at the steps.

use costate_numerics::scalar::Scalar;
use costate_system::series::Series;

use crate::PLACE_ROUNDING;

/// The value of an output at one time: sum of `weights[k] * s[first + k]`, k < `count`.
///
/// Lagrange's cubic through the four nearest steps, one-sided at the ends of the run, of lower order in runs with
/// fewer than four samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stencil {
    first: usize,
    count: usize,
    weights: [f64; 4],
}

impl Stencil {
    /// The stencil at `time` in s for a run of `samples` = N + 1 samples with `step` = h in s; `None` outside
    /// `[0, N h]`.
    pub fn at(time: f64, step: f64, samples: usize) -> Option<Self> {
        let last = samples.checked_sub(1)?;
        let position = time / step;
        let nearest = position.round();
        if !(0.0..=last as f64).contains(&nearest) {
            return None;
        }
        if (position - nearest).abs() <= PLACE_ROUNDING {
            return Some(Self { first: nearest as usize, count: 1, weights: [1.0, 0.0, 0.0, 0.0] });
        }
        if !(0.0..=last as f64).contains(&position) {
            return None;
        }
        let count = samples.min(4);
        let first = (position.floor() as usize).saturating_sub(1).min(samples - count);
        Some(Self { first, count, weights: lagrange(position - first as f64, count) })
    }

    /// A straight line between the two nearest steps; `None` outside `[0, N h]`.
    pub fn straight(time: f64, step: f64, samples: usize) -> Option<Self> {
        let last = samples.checked_sub(1)?;
        let position = time / step;
        if !(-PLACE_ROUNDING..=last as f64 + PLACE_ROUNDING).contains(&position) {
            return None;
        }
        let first = (position.max(0.0) as usize).min(last.saturating_sub(1));
        let part = (position - first as f64).clamp(0.0, 1.0);
        Some(Self { first, count: samples.min(2), weights: [1.0 - part, part, 0.0, 0.0] })
    }

    /// Steps and their weights.
    pub fn weights(&self) -> impl Iterator<Item = (usize, f64)> + use<> {
        let first = self.first;
        self.weights.into_iter().take(self.count).enumerate().map(move |(k, weight)| (first + k, weight))
    }

    /// The interpolated output; NaN where there is none.
    pub fn value<S: Scalar>(&self, outputs: &Series<S>, output: usize) -> S {
        let mut sum = S::default();
        for (k, &weight) in self.weights[..self.count].iter().enumerate() {
            let value = outputs.row(self.first + k).get(output).copied();
            sum += value.unwrap_or(S::constant(f64::NAN)) * weight;
        }
        sum
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

/// Weights at `x` of the polynomial through the nodes 0, 1, ..., `count` - 1.
fn lagrange(x: f64, count: usize) -> [f64; 4] {
    let mut weights = [0.0; 4];
    for (k, weight) in weights[..count].iter_mut().enumerate() {
        *weight = 1.0;
        for j in (0..count).filter(|&j| j != k) {
            *weight *= (x - j as f64) / (k as f64 - j as f64);
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(step: f64, samples: usize, f: impl Fn(f64) -> f64) -> Series<f64> {
        let mut series = Series::zeros(step, 2, samples);
        for i in 0..samples {
            series.row_mut(i)[1] = f(i as f64 * step);
        }
        series
    }

    #[test]
    fn reproduces_cubics_everywhere() {
        let cubic = |t: f64| 1.0 - 2.0 * t + 3.0 * t * t - 0.5 * t * t * t;
        let series = sampled(0.1, 8, cubic);
        for time in [0.0, 0.03, 0.099, 0.1, 0.25, 0.61, 0.6999, 0.7] {
            let value = Stencil::at(time, 0.1, 8).unwrap().value(&series, 1);
            assert!((value - cubic(time)).abs() < 1e-13, "{time}: {value}");
        }
    }

    #[test]
    fn a_sample_at_a_step_is_that_step() {
        for i in 0..=10_000_usize {
            let stencil = Stencil::at(i as f64 * 1e-4, 1e-4, 10_001).unwrap();
            assert_eq!((stencil.first, stencil.count, stencil.weights[0]), (i, 1, 1.0));
        }
        assert_eq!(Stencil::at(-1e-14, 1e-4, 2).unwrap().first, 0);
    }

    #[test]
    fn short_runs_and_times_outside() {
        let line = sampled(0.5, 2, |t| 4.0 - t);
        assert_eq!(Stencil::at(0.125, 0.5, 2).unwrap().value(&line, 1), 3.875);
        let parabola = sampled(0.5, 3, |t| t * t);
        assert_eq!(Stencil::at(0.25, 0.5, 3).unwrap().value(&parabola, 1), 0.0625);
        for time in [-0.1, -1e-3, 1.001, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Stencil::at(time, 0.5, 3), None, "{time}");
        }
        assert!(Stencil::at(0.0, 0.5, 1).is_some());
        assert_eq!(Stencil::at(0.0, 0.5, 0), None);
    }
}
