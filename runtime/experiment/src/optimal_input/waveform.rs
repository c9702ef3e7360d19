//! The shape of an input: its values at the steps of a run as a function of variables.

use std::f64::consts::TAU;

use costate_system::table::{Curve, Extension};

/// A sine whose frequency runs from one value to another, u = A sin(2 pi (f_0 t + (f_1 - f_0) t^2/(2 T)) + phase).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweep {
    /// A, in the input's unit.
    pub amplitude: f64,
    /// f_0 in Hz.
    pub from: f64,
    /// f_1 in Hz, reached at the end of the run.
    pub to: f64,
    /// In rad.
    pub phase: f64,
}

/// One line of a multisine, u = sum_k (a_k cos(2 pi f_k t) + b_k sin(2 pi f_k t)).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SineLine {
    /// f_k in Hz; it stays as it is.
    pub frequency: f64,
    /// a_k at the start, in the input's unit.
    pub cosine: f64,
    /// b_k at the start.
    pub sine: f64,
}

/// The values at t_i = i h, i = 0..=N, as a function of variables.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Waveform {
    /// Sums of the variables with the weights (variable, weight) of each step.
    Linear { weights: Vec<Vec<(u32, f64)>>, variables: usize },
    /// The variables A, f_0, f_1, phase of a [`Sweep`].
    Sweep { times: Vec<f64> },
}

impl Waveform {
    /// Every value is a variable.
    pub fn samples(count: usize) -> Self {
        Self::Linear { weights: (0..count as u32).map(|i| vec![(i, 1.0)]).collect(), variables: count }
    }

    /// Straight lines between values at increasing `knots`, constant before the first and after the last.
    pub fn piecewise_linear(times: &[f64], knots: &[f64]) -> Self {
        let last = knots.len() - 1;
        let weights = |&t: &f64| {
            let right = knots.partition_point(|&knot| knot < t);
            if right == 0 || right > last {
                return vec![(right.min(last) as u32, 1.0)];
            }
            let part = (t - knots[right - 1]) / (knots[right] - knots[right - 1]);
            vec![(right as u32 - 1, 1.0 - part), (right as u32, part)]
        };
        Self::Linear { weights: times.iter().map(weights).collect(), variables: knots.len() }
    }

    /// A cubic spline through values at `knots`, a straight line beyond them: the spline of [`Curve`].
    pub fn spline(times: &[f64], knots: &[f64]) -> Self {
        let mut weights = vec![Vec::with_capacity(knots.len()); times.len()];
        for k in 0..knots.len() {
            let unit = (0..knots.len()).map(|j| f64::from(j == k)).collect();
            // knots have been checked; without a curve the variable has no weight
            let curve = Curve::new(knots.to_vec(), unit, Extension::Linear).unwrap_or_default();
            for (weights, &t) in weights.iter_mut().zip(times) {
                weights.push((k as u32, curve.value(t)));
            }
        }
        Self::Linear { weights, variables: knots.len() }
    }

    /// a_k, b_k of sines with these frequencies in Hz.
    pub fn multisine(times: &[f64], frequencies: impl Iterator<Item = f64> + Clone) -> Self {
        let weights = |&t: &f64| {
            let lines = frequencies.clone().enumerate();
            let weights = lines.flat_map(|(k, f)| {
                let (sine, cosine) = (TAU * f * t).sin_cos();
                [(2 * k as u32, cosine), (2 * k as u32 + 1, sine)]
            });
            weights.collect()
        };
        let variables = 2 * frequencies.clone().count();
        Self::Linear { weights: times.iter().map(weights).collect(), variables }
    }

    /// A [`Sweep`].
    pub fn sweep(times: Vec<f64>) -> Self {
        Self::Sweep { times }
    }

    /// Number of variables.
    #[cfg(test)]
    fn variables(&self) -> usize {
        match self {
            Self::Linear { variables, .. } => *variables,
            Self::Sweep { .. } => 4,
        }
    }

    /// The values at all steps.
    pub fn values(&self, variables: &[f64]) -> Vec<f64> {
        match self {
            Self::Linear { weights, .. } => weights
                .iter()
                .map(|weights| weights.iter().map(|&(k, weight)| weight * variables[k as usize]).sum())
                .collect(),
            Self::Sweep { times } => {
                times.iter().map(|&t| variables[0] * sweep_phase(times, variables, t).sin()).collect()
            }
        }
    }

    /// Adds to `gradient` the derivative with respect to the variables of what has these derivatives with respect to
    /// the values.
    pub fn add_gradient(&self, variables: &[f64], derivatives: &[f64], gradient: &mut [f64]) {
        match self {
            Self::Linear { weights, .. } => {
                for (weights, derivative) in weights.iter().zip(derivatives) {
                    for &(k, weight) in weights {
                        gradient[k as usize] += weight * derivative;
                    }
                }
            }
            Self::Sweep { times } => {
                let end = times.last().copied().unwrap_or(1.0);
                for (&t, derivative) in times.iter().zip(derivatives) {
                    let (sine, cosine) = sweep_phase(times, variables, t).sin_cos();
                    let of_phase = derivative * variables[0] * cosine;
                    let quadratic = t * t / (2.0 * end);
                    gradient[0] += derivative * sine;
                    gradient[1] += of_phase * TAU * (t - quadratic);
                    gradient[2] += of_phase * TAU * quadratic;
                    gradient[3] += of_phase;
                }
            }
        }
    }
}

fn sweep_phase(times: &[f64], variables: &[f64], t: f64) -> f64 {
    let end = times.last().copied().unwrap_or(1.0);
    let &[_, from, to, phase] = variables else { return 0.0 };
    TAU * (from * t + (to - from) * t * t / (2.0 * end)) + phase
}

#[cfg(test)]
mod tests {
    use super::*;
    use costate_numerics::scalar::{Dual, Scalar};

    fn times() -> Vec<f64> {
        (0..=40).map(|i| i as f64 * 0.05).collect()
    }

    fn weights() -> Vec<f64> {
        times().iter().map(|t| (3.0 * t).sin() + 0.5).collect()
    }

    /// The gradient of a weighted sum of the values of a linear shape: the sum for each unit vector.
    fn check_gradient(waveform: &Waveform) {
        let count = waveform.variables();
        let mut gradient = vec![0.0; count];
        waveform.add_gradient(&vec![0.3; count], &weights(), &mut gradient);
        for (k, gradient) in gradient.iter().enumerate() {
            let unit: Vec<f64> = (0..count).map(|j| f64::from(j == k)).collect();
            let sum: f64 = waveform.values(&unit).iter().zip(weights()).map(|(value, weight)| value * weight).sum();
            assert!((gradient - sum).abs() < 1e-12, "{k}: {gradient} {sum}");
        }
    }

    #[test]
    fn values_pass_the_knots() {
        let knots = [0.0, 0.5, 1.25, 2.0];
        let values = [1.0, -2.0, 0.5, 3.0];
        for waveform in [Waveform::piecewise_linear(&times(), &knots), Waveform::spline(&times(), &knots)] {
            assert_eq!(waveform.variables(), 4);
            let found = waveform.values(&values);
            for (knot, value) in knots.iter().zip(values) {
                let i = (knot / 0.05).round() as usize;
                assert!((found[i] - value).abs() < 1e-12, "{waveform:?} at {knot}");
            }
            check_gradient(&waveform);
        }
        // half way along a straight line
        let lines = Waveform::piecewise_linear(&times(), &knots).values(&values);
        assert!((lines[5] - -0.5).abs() < 1e-12);
        assert_eq!(Waveform::samples(3).values(&[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn sines_are_those_of_their_formulas() {
        let lines = Waveform::multisine(&times(), [1.0, 2.5].into_iter());
        let variables = [0.3, -1.0, 2.0, 0.7];
        let found = lines.values(&variables);
        for (t, found) in times().iter().zip(found) {
            let (a, b) = (TAU * t, TAU * 2.5 * t);
            let exact = 0.3 * a.cos() - a.sin() + 2.0 * b.cos() + 0.7 * b.sin();
            assert!((found - exact).abs() < 1e-13);
        }
        check_gradient(&lines);
        let sweep = Waveform::sweep(times());
        let variables = [2.0, 0.5, 1.5, 0.3];
        let found = sweep.values(&variables);
        assert!((found[40] - 2.0 * (TAU * (1.0 + 1.0) + 0.3).sin()).abs() < 1e-12);
        let mut gradient = [0.0; 4];
        sweep.add_gradient(&variables, &weights(), &mut gradient);
        for (k, gradient) in gradient.iter().enumerate() {
            let mut dual = variables.map(Dual::constant);
            dual[k] = Dual::variable(variables[k]);
            let [amplitude, from, to, phase] = dual;
            let value = |t: f64| {
                let turns = from * t + (to - from) * (t * t / 4.0);
                amplitude * (turns * TAU + phase).sin()
            };
            let exact: f64 = times().iter().zip(weights()).map(|(&t, weight)| weight * value(t).derivative).sum();
            assert!((gradient - exact).abs() < 1e-11 * (1.0 + exact.abs()), "{k}: {gradient} {exact}");
        }
    }
}
