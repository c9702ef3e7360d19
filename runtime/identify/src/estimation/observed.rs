//! A measured channel and the output that it measures.

use std::f64::consts::TAU;
use std::sync::Arc;

use costate_cost::residuals::{Loss, root_mean_square};
use costate_measure::signal::FilterMap;
use nalgebra::DMatrix;

use costate_cost::{SmoothStencil, Stencil};
use costate_numerics::scalar::Scalar;
use costate_system::series::Series;

use super::covariance::ChannelRows;
use super::layout::Value;
use crate::definition::noise::ChannelNoise;

/// Positions of the samples in a run.
#[derive(Debug, Clone)]
pub(crate) enum Places {
    /// At fixed times.
    Fixed(Vec<Stencil>),
    /// Shifted by the delay, in a run of this step and number of samples.
    Delayed { step: f64, samples: usize },
    /// One after the other from this sample on: the numbers of a prediction. Angles in rad are compared modulo 2 pi.
    Numbered { first: usize, are_angles: bool },
}

/// A measured channel and the values of the model that are compared with it: gain s(tau_j - delay) + offset, and the
/// correction by finer steps, all after the filter, if there is one.
///
/// With r_j for the value of the model minus the measured one, times the root of the sample's precision where there
/// is one, and whitened where noise is coloured, the channel's part of J is `sum_j w_j sigma^2 rho(r_j / sigma)`: for
/// squares half of `sum_j w_j r_j^2`.
#[derive(Debug, Clone)]
pub(crate) struct Observed {
    /// Index of the output.
    pub output: usize,
    /// tau_j in s.
    pub times: Vec<f64>,
    /// The measured values, after the filter.
    pub values: Vec<f64>,
    /// The filter that the values have passed, of as many samples.
    pub filter: Option<Arc<FilterMap>>,
    /// w_j, without the deviation.
    pub weights: Vec<f64>,
    /// Roots of the precisions of samples, which multiply residuals; `None` if all are 1.
    pub roots: Option<Vec<f64>>,
    /// Coloured noise, by which residuals are whitened; `None` for white noise.
    pub noise: Option<ChannelNoise>,
    /// Standard deviation that the user gives, if any.
    pub given_deviation: Option<f64>,
    /// sigma, by whose square residuals are weighed; `None` if they are not.
    pub deviation: Option<f64>,
    /// True where the residuals leave too few degrees of freedom to estimate sigma, which then is a weight only.
    pub is_unknown: bool,
    pub loss: Loss,
    pub gain: Value,
    pub offset: Value,
    pub delay: Value,
    pub places: Places,
    /// Correction of every sample by finer steps, see [`FinerRuns`](super::deferred::FinerRuns); `None` without finer
    /// steps.
    pub finer: Option<Vec<f64>>,
}

impl Observed {
    /// Returns w_j, divided by the square of the deviation.
    fn weight(&self, sample: usize) -> f64 {
        match self.deviation {
            Some(deviation) => self.weights[sample] / (deviation * deviation),
            None => self.weights[sample],
        }
    }

    fn root(&self, sample: usize) -> f64 {
        self.roots.as_ref().map_or(1.0, |roots| roots[sample])
    }

    /// Returns the scatter of the measured values about their mean, times the roots of their weights.
    pub fn weighed_scatter(&self) -> f64 {
        let count = self.values.len().max(1) as f64;
        let mean = self.values.iter().sum::<f64>() / count;
        let square = |(j, value): (usize, &f64)| self.weight(j) * (self.root(j) * (value - mean)).powi(2);
        (self.values.iter().enumerate().map(square).sum::<f64>() / count).sqrt()
    }

    /// Returns the number of samples that count.
    pub fn counted(&self) -> usize {
        (0..self.values.len()).filter(|&j| self.weights[j] > 0.0 && self.root(j) > 0.0).count()
    }

    /// Returns the measured values times the roots of their precisions.
    pub fn counted_values(&self) -> Vec<f64> {
        self.values.iter().enumerate().map(|(j, value)| self.root(j) * value).collect()
    }

    /// Bounds an estimated deviation from below, so that data that are met up to rounding, as those of a simulation, do
    /// not outweigh all others. Where nothing is left to estimate it from, and it is infinite, it is the size of the
    /// values.
    pub fn at_least(&self, found: f64) -> f64 {
        /// Smallest estimated deviation of a channel, relative to the root mean square of the measured values.
        const MIN_RELATIVE_DEVIATION: f64 = 1e-8;
        let size = match &self.places {
            // residuals are counted in the given deviations
            Places::Numbered { .. } => root_mean_square(&self.counted_values()),
            _ => root_mean_square(&self.values),
        };
        let found = if found.is_finite() { found.max(MIN_RELATIVE_DEVIATION * size) } else { size };
        if found > 0.0 { found } else { 1.0 }
    }

    /// Returns the deviation that is the unit of residuals in the loss; 1 where squares need none.
    fn unit(&self) -> f64 {
        self.deviation.unwrap_or(1.0)
    }

    /// Returns gain s(tau_j - delay) + offset at a sample, without rounding where there are no corrections, plus the
    /// correction by finer steps.
    fn corrected<S: Scalar>(&self, output: S, unknowns: &[S], sample: usize) -> S {
        let scaled = match self.gain {
            Value::Known(1.0) => output,
            gain => output * gain.of(unknowns),
        };
        let shifted = match self.offset {
            Value::Known(0.0) => scaled,
            offset => scaled + offset.of(unknowns),
        };
        match &self.finer {
            None => shifted,
            Some(finer) => shifted + S::constant(finer[sample]),
        }
    }

    /// Returns the output at a sample.
    fn output_at<S: Scalar>(&self, outputs: &Series<S>, unknowns: &[S], sample: usize) -> S {
        match self.places {
            Places::Fixed(ref stencils) => stencils[sample].value(outputs, self.output),
            Places::Delayed { step, samples } => {
                let time = S::constant(self.times[sample]) - self.delay.of(unknowns);
                let stencil = SmoothStencil::at(time, step, samples);
                stencil.map_or(S::constant(f64::NAN), |stencil| stencil.value(outputs, self.output))
            }
            Places::Numbered { first, .. } => {
                outputs.row(first + sample).first().copied().unwrap_or(S::constant(f64::NAN))
            }
        }
    }

    /// Returns a value of the model minus the measured one; of angles the difference of least size.
    fn difference<S: Scalar>(&self, value: S, sample: usize) -> S {
        let difference = value - self.values[sample];
        match self.places {
            Places::Numbered { are_angles: true, .. } => {
                difference - S::constant(TAU * (difference.real() / TAU).round())
            }
            _ => difference,
        }
    }

    /// Returns the values that the channel would have without errors.
    pub fn fitted(&self, outputs: &Series<f64>, unknowns: &[f64]) -> Vec<f64> {
        let mut fitted = self.passed(self.unfiltered(outputs, unknowns));
        if let Places::Numbered { are_angles: true, .. } = self.places {
            // on the turn of the measured angle
            for (sample, value) in fitted.iter_mut().enumerate() {
                *value = self.values[sample] + self.difference(*value, sample);
            }
        }
        fitted
    }

    /// Returns the values that the channel would have without errors, before the filter.
    pub fn unfiltered(&self, outputs: &Series<f64>, unknowns: &[f64]) -> Vec<f64> {
        let samples = 0..self.values.len();
        samples.map(|j| self.corrected(self.output_at(outputs, unknowns, j), unknowns, j)).collect()
    }

    /// Returns the values after the filter.
    pub fn passed(&self, mut values: Vec<f64>) -> Vec<f64> {
        if let Some(filter) = &self.filter {
            filter.apply(&mut values);
        }
        values
    }

    /// Returns the output at every sample, before the filter, and r_j.
    fn residuals<S: Scalar>(&self, outputs: &Series<S>, unknowns: &[S]) -> (Vec<S>, Vec<S>) {
        let samples = 0..self.values.len();
        let of_output: Vec<S> = samples.map(|j| self.output_at(outputs, unknowns, j)).collect();
        let corrected = |(j, output): (usize, &S)| self.corrected(*output, unknowns, j);
        let mut residuals: Vec<S> = of_output.iter().enumerate().map(corrected).collect();
        if let Some(filter) = &self.filter {
            filter.apply(&mut residuals);
        }
        for (j, residual) in residuals.iter_mut().enumerate() {
            *residual = self.difference(*residual, j);
            if self.roots.is_some() {
                *residual = *residual * self.root(j);
            }
        }
        if let Some(noise) = &self.noise {
            noise.whiten(&mut residuals);
        }
        (of_output, residuals)
    }

    /// Adds the channel's part of J to `sum`.
    pub fn add_value<S: Scalar>(&self, outputs: &Series<S>, unknowns: &[S], sum: &mut S) {
        let (_, residuals) = self.residuals(outputs, unknowns);
        for (sample, residual) in residuals.into_iter().enumerate() {
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
        let (of_output, residuals) = self.residuals(outputs, unknowns);
        let by_residual = |(sample, residual): (usize, f64)| match self.loss {
            Loss::Squares => self.weight(sample) * residual,
            _ => self.weight(sample) * self.unit() * self.loss.psi(residual / self.unit()),
        };
        let mut by_residuals: Vec<f64> = residuals.into_iter().enumerate().map(by_residual).collect();
        if let Some(noise) = &self.noise {
            noise.transpose(&mut by_residuals);
        }
        by_residuals.iter_mut().enumerate().for_each(|(sample, by_residual)| *by_residual *= self.root(sample));
        if let Some(filter) = &self.filter {
            filter.transposed(&mut by_residuals);
        }
        let gain = self.gain.of(unknowns);
        for (sample, by_corrected) in by_residuals.into_iter().enumerate() {
            let by_output = by_corrected * gain;
            match self.places {
                Places::Fixed(ref stencils) => {
                    stencils[sample].add_transposed(by_output, by_outputs, self.output);
                }
                Places::Delayed { step, samples } => {
                    let time = self.times[sample] - self.delay.of(unknowns);
                    let Some((stencil, slope)) = SmoothStencil::with_slope(time, step, samples) else {
                        by_unknowns.fill(f64::NAN);
                        return;
                    };
                    stencil.add_transposed(by_output, by_outputs, self.output);
                    self.delay.add(by_unknowns, -by_output * slope.value(outputs, self.output));
                }
                Places::Numbered { first, .. } => {
                    by_outputs.row_mut(first + sample).iter_mut().for_each(|by| *by += by_output);
                }
            }
            self.gain.add(by_unknowns, by_corrected * of_output[sample]);
            self.offset.add(by_unknowns, by_corrected);
        }
    }

    /// Returns the residuals with their derivatives by all unknowns; `derivatives` are those of some outputs by some
    /// unknowns, and `place` is the index of the channel's output among them.
    pub fn rows(
        &self,
        outputs: &Series<f64>,
        (derivatives, place): (&[(usize, Series<f64>)], usize),
        unknowns: &[f64],
    ) -> ChannelRows {
        let samples = self.values.len();
        let mut sensitivities = DMatrix::zeros(samples, unknowns.len());
        let (of_output, residuals) = self.residuals(outputs, unknowns);
        let (gain, delay) = (self.gain.of(unknowns), self.delay.of(unknowns));
        // after a filter, roots follow it
        let root = |sample: usize| if self.filter.is_some() { 1.0 } else { self.root(sample) };
        if let Places::Fixed(stencils) = &self.places {
            // column by column, as the entries are stored
            for (unknown, derivative) in derivatives {
                let mut column = sensitivities.column_mut(*unknown);
                for (sample, (entry, stencil)) in column.iter_mut().zip(stencils).enumerate() {
                    *entry += root(sample) * gain * stencil.value(derivative, place);
                }
            }
        }
        if let Places::Numbered { first, .. } = self.places {
            for (unknown, derivative) in derivatives {
                let mut column = sensitivities.column_mut(*unknown);
                for (sample, entry) in column.iter_mut().enumerate() {
                    let by_unknown = derivative.row(first + sample).first().copied();
                    *entry += root(sample) * by_unknown.unwrap_or(f64::NAN);
                }
            }
            let weights = (0..samples).map(|sample| self.weight(sample)).collect();
            let deviation = self.deviation.or(self.given_deviation);
            return ChannelRows { sensitivities, weights, residuals, deviation, loss: self.loss };
        }
        for sample in 0..samples {
            let root = root(sample);
            let mut add = |value: Value, derivative: f64| {
                if let Value::Unknown(unknown) = value {
                    sensitivities[(sample, unknown)] += root * derivative;
                }
            };
            if let Places::Delayed { step, samples } = self.places {
                let stencils = SmoothStencil::with_slope(self.times[sample] - delay, step, samples);
                let of = |series, output, stencil: Option<SmoothStencil<f64>>| {
                    stencil.map_or(f64::NAN, |stencil| stencil.value(series, output))
                };
                for (unknown, derivative) in derivatives {
                    let by_output = of(derivative, place, stencils.map(|(stencil, _)| stencil));
                    add(Value::Unknown(*unknown), gain * by_output);
                }
                add(self.delay, -gain * of(outputs, self.output, stencils.map(|(_, slope)| slope)));
            }
            add(self.gain, of_output[sample]);
            add(self.offset, 1.0);
        }
        if self.noise.is_some() || self.filter.is_some() {
            let used = |value: Value| match value {
                Value::Unknown(unknown) => Some(unknown),
                Value::Known(_) => None,
            };
            let corrections = [self.gain, self.offset, self.delay].into_iter().filter_map(used);
            let mut columns: Vec<usize> = derivatives.iter().map(|(unknown, _)| *unknown).collect();
            columns.extend(corrections);
            columns.sort_unstable();
            columns.dedup();
            for column in columns {
                let mut column = sensitivities.column_mut(column);
                let column = column.as_mut_slice();
                if let Some(filter) = &self.filter {
                    filter.apply(column);
                    column.iter_mut().enumerate().for_each(|(sample, entry)| *entry *= self.root(sample));
                }
                if let Some(noise) = &self.noise {
                    noise.whiten(column);
                }
            }
        }
        ChannelRows {
            sensitivities,
            weights: (0..samples).map(|sample| self.weight(sample)).collect(),
            residuals,
            deviation: self.deviation.or(self.given_deviation),
            loss: self.loss,
        }
    }
}
