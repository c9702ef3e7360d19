//! A measured channel beside the output that it measures.

use costate_residuals::Loss;
use nalgebra::DMatrix;

use crate::cost::{SmoothStencil, Stencil};
use crate::scalar::Scalar;
use crate::series::Series;

use super::covariance::ChannelRows;
use super::layout::Value;

/// Where the samples are in a run.
#[derive(Debug, Clone)]
pub(super) enum Places {
    /// At times that stay as they are.
    Fixed(Vec<Stencil>),
    /// Later than the output by the delay.
    Delayed { times: Vec<f64>, step: f64, samples: usize },
}

/// What is compared with the values of one channel: gain s(tau_j - delay) + offset.
#[derive(Debug, Clone)]
pub(super) struct Observed {
    /// Index of the output.
    pub output: usize,
    pub times: Vec<f64>,
    pub values: Vec<f64>,
    /// Weights of the samples, but for the deviation.
    pub own_weights: Vec<f64>,
    /// Standard deviation by which residuals are weighed, if they are.
    pub deviation: Option<f64>,
    pub loss: Loss,
    pub gain: Value,
    pub offset: Value,
    pub delay: Value,
    pub places: Places,
}

/// A residual and what it changes with.
struct Residual<S> {
    value: S,
    /// The output at the sample.
    output: S,
}

impl Observed {
    /// w_j of every residual in J.
    pub fn weight(&self, sample: usize) -> f64 {
        match self.deviation {
            Some(deviation) => self.own_weights[sample] / (deviation * deviation),
            None => self.own_weights[sample],
        }
    }

    /// The deviation in units of which the loss is said; 1 where squares need none.
    fn unit(&self) -> f64 {
        self.deviation.unwrap_or(1.0)
    }

    /// gain s(tau_j - delay) + offset, without rounding where there are no corrections.
    fn corrected<S: Scalar>(&self, output: S, unknowns: &[S]) -> S {
        let scaled = match self.gain {
            Value::Known(1.0) => output,
            gain => output * gain.of(unknowns),
        };
        match self.offset {
            Value::Known(0.0) => scaled,
            offset => scaled + offset.of(unknowns),
        }
    }

    fn output_at<S: Scalar>(&self, outputs: &Series<S>, unknowns: &[S], sample: usize) -> S {
        match &self.places {
            Places::Fixed(stencils) => stencils[sample].value(outputs, self.output),
            Places::Delayed { times, step, samples } => {
                let delay = self.delay.of(unknowns);
                let Some(stencil) = SmoothStencil::at(times[sample] - delay.real(), *step, *samples) else {
                    return S::constant(f64::NAN);
                };
                let value = stencil.value(outputs, self.output);
                // what a change of the delay makes of it; the value itself stays
                value - stencil.slope(outputs, self.output) * (delay - S::constant(delay.real()))
            }
        }
    }

    fn residual<S: Scalar>(&self, outputs: &Series<S>, unknowns: &[S], sample: usize) -> Residual<S> {
        let output = self.output_at(outputs, unknowns, sample);
        Residual { value: self.corrected(output, unknowns) - self.values[sample], output }
    }

    /// What the channel would show without errors.
    pub fn fitted(&self, outputs: &Series<f64>, unknowns: &[f64]) -> Vec<f64> {
        (0..self.values.len())
            .map(|sample| self.corrected(self.output_at(outputs, unknowns, sample), unknowns))
            .collect()
    }

    /// The residuals, fitted - measured.
    pub fn residuals(&self, outputs: &Series<f64>, unknowns: &[f64]) -> Vec<f64> {
        (0..self.values.len()).map(|sample| self.residual(outputs, unknowns, sample).value).collect()
    }

    /// Adds the channel's part of J to `sum`.
    pub fn add_value<S: Scalar>(&self, outputs: &Series<S>, unknowns: &[S], sum: &mut S) {
        for sample in 0..self.values.len() {
            let residual = self.residual(outputs, unknowns, sample).value;
            let weight = self.weight(sample);
            if self.loss == Loss::Squares {
                *sum += residual * residual * (0.5 * weight);
                continue;
            }
            let (real, unit) = (residual.real(), self.unit());
            let x = real / unit;
            *sum += S::constant(weight * unit * unit * self.loss.rho(x));
            *sum += (residual - S::constant(real)) * (weight * unit * self.loss.psi(x));
        }
    }

    /// Adds dJ/ds to `by_outputs`, and dJ/dz of the corrections to `by_unknowns`.
    pub fn add_gradient(
        &self,
        outputs: &Series<f64>,
        unknowns: &[f64],
        by_outputs: &mut Series<f64>,
        by_unknowns: &mut [f64],
    ) {
        let gain = self.gain.of(unknowns);
        for sample in 0..self.values.len() {
            let residual = self.residual(outputs, unknowns, sample);
            let mut scale = self.weight(sample) * residual.value;
            if self.loss != Loss::Squares {
                let unit = self.unit();
                scale = self.weight(sample) * unit * self.loss.psi(residual.value / unit);
            }
            let of_output = if self.gain == Value::Known(1.0) { scale } else { scale * gain };
            match &self.places {
                Places::Fixed(stencils) => {
                    stencils[sample].add_transposed(of_output, by_outputs, self.output);
                }
                Places::Delayed { times, step, samples } => {
                    let time = times[sample] - self.delay.of(unknowns);
                    let Some(stencil) = SmoothStencil::at(time, *step, *samples) else {
                        by_unknowns.fill(f64::NAN);
                        return;
                    };
                    stencil.add_transposed(of_output, by_outputs, self.output);
                    self.delay.add(by_unknowns, -of_output * stencil.slope(outputs, self.output));
                }
            }
            self.gain.add(by_unknowns, scale * residual.output);
            self.offset.add(by_unknowns, scale);
        }
    }

    /// The residuals with their derivatives: `derivatives` are those of the outputs by the unknowns beside them, and there
    /// are `count` unknowns.
    pub fn rows(
        &self,
        outputs: &Series<f64>,
        derivatives: &[(usize, Series<f64>)],
        unknowns: &[f64],
        count: usize,
    ) -> ChannelRows {
        let samples = self.values.len();
        let mut sensitivities = DMatrix::zeros(samples, count);
        let mut residuals = Vec::with_capacity(samples);
        let gain = self.gain.of(unknowns);
        for sample in 0..samples {
            let residual = self.residual(outputs, unknowns, sample);
            residuals.push(residual.value);
            let stencil = match &self.places {
                Places::Fixed(_) => None,
                Places::Delayed { times, step, samples } => {
                    SmoothStencil::at(times[sample] - self.delay.of(unknowns), *step, *samples)
                }
            };
            for (unknown, derivative) in derivatives {
                let of_output = match (&self.places, stencil) {
                    (Places::Fixed(stencils), _) => stencils[sample].value(derivative, self.output),
                    (_, Some(stencil)) => stencil.value(derivative, self.output),
                    (_, None) => f64::NAN,
                };
                let scaled = if self.gain == Value::Known(1.0) { of_output } else { gain * of_output };
                sensitivities[(sample, *unknown)] += scaled;
            }
            let mut own = |value: Value, derivative: f64| {
                if let Value::Unknown(unknown) = value {
                    sensitivities[(sample, unknown)] += derivative;
                }
            };
            own(self.gain, residual.output);
            own(self.offset, 1.0);
            own(self.delay, stencil.map_or(f64::NAN, |stencil| -gain * stencil.slope(outputs, self.output)));
        }
        ChannelRows {
            sensitivities,
            weights: (0..samples).map(|sample| self.weight(sample)).collect(),
            residuals,
            deviation: self.deviation,
            loss: self.loss,
        }
    }
}
