//! The weighted squared distance between outputs and measured samples.

use costate_contract::shown::{Exact, Shown};
use costate_contract::units::UnitError;
use serde::{Deserialize, Serialize};

use super::Residuals;
use super::interpolation::Stencil;
use super::{Cost, CostOutput, add_none, is_weight, named, same_step};
#[cfg(doc)]
use costate_measure::record::Gap;
use costate_measure::record::{AssumedUnit, Channel, Record, inner_gaps, note};
use costate_numerics::scalar::{Dual, Scalar};
use costate_system::identifiers::Output;
use costate_system::series::Series;

/// The interval Delta_j of time that each measured sample stands for.
///
/// No sample stands for a [`Gap`]: the sums are integrals over the measured time, each part between two gaps
/// by itself, like a record of its own. A single sample between two gaps stands for the usual interval there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Quadrature {
    /// The spacing to the next sample; the last sample, and the last one before a gap, has the spacing before it. For
    /// samples at all steps J = 1/2 sum_{i=0}^N h (s_i - measured_i)^2, the discrete cost of Lauss et al. 2018, section
    /// 5; a missing sample leaves out its term.
    #[default]
    Rectangle,
    /// Half of the spacings to both neighbours, where these are not beyond a gap: second order in the spacing.
    Trapezoid,
    /// 1: a plain sum, whatever the spacing.
    Sum,
}

/// The error of a channel that cannot be compared with the outputs of the run.
///
/// `sample` is counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum MeasurementError {
    /// No samples.
    #[error("the measurement of the output `{output}` has no samples; give at least one")]
    Empty { output: &'static str },
    /// A number of values that differs from the number of times.
    #[error("the measurement of the output `{output}` has {values} values for {times} times; give one value per time")]
    Length { output: &'static str, times: usize, values: usize },
    /// A sample that is not between start and end of the run.
    #[error(
        "sample {sample} of the output `{output}`, at {time} s, is outside the run from 0 to {end} s; lengthen the run \
         with `.until(T)` of the simulation, or remove the sample",
        time = Exact(*time), end = Exact(*end)
    )]
    Outside { output: &'static str, sample: usize, time: f64, end: f64 },
    /// A time that does not follow the one before it.
    #[error(
        "sample {sample} of the output `{output}`, at {time} s, does not follow the one before it; sort the samples by \
         time",
        time = Exact(*time)
    )]
    Order { output: &'static str, sample: usize, time: f64 },
    /// A value that is not finite.
    #[error(
        "sample {sample} of the output `{output}` is {value}; leave it out, as `Record::samples` does with missing \
         samples",
        value = Shown(*value)
    )]
    Value { output: &'static str, sample: usize, value: f64 },
    /// A channel in a unit that the output does not have.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
    /// Two measurements of one output at the same time.
    #[error(
        "the output `{output}` is measured twice between {from} and {to} s, and one run can be compared with one \
         measurement of it only; remove one of the measurements, or give their mean (measurements of separate \
         experiments need separate runs)",
        from = Exact(*from), to = Exact(*to)
    )]
    Repeated { output: &'static str, from: f64, to: f64 },
    /// A weight that is not from 1e-100 to 1e100.
    #[error(
        "the weight {weight} of the output `{output}` is not from 1e-100 to 1e100; choose one in this range",
        weight = Shown(*weight)
    )]
    Weight { output: &'static str, weight: f64 },
}

/// One output and its measured samples.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredChannel {
    output: CostOutput,
    /// First and last time in s.
    span: (f64, f64),
    stencils: Vec<Stencil>,
    values: Vec<f64>,
    weights: Vec<f64>,
}

impl MeasuredChannel {
    /// Returns the output's name.
    pub fn output(&self) -> &'static str {
        self.output.name
    }

    /// Returns the measured values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns w_c Delta_j of every sample.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns s(tau_j), the output at every sample; NaN where `outputs` have no such output or time.
    pub fn interpolated<'a, S: Scalar>(&'a self, outputs: &'a Series<S>) -> impl ExactSizeIterator<Item = S> + 'a {
        self.stencils.iter().map(|stencil| stencil.value(outputs, self.output.index))
    }

    /// Returns s(tau_j) - measured_j of every sample.
    pub fn residuals<'a, S: Scalar>(&'a self, outputs: &'a Series<S>) -> impl Iterator<Item = S> + 'a {
        self.interpolated(outputs).zip(&self.values).map(|(value, &measured)| value - measured)
    }
}

/// J = 1/2 sum_c w_c sum_j Delta_j (s_c(tau_j) - measured_{c,j})^2 over the channels c and their samples j.
///
/// Samples need not be at the steps: the output at tau_j is Lagrange's cubic through the four nearest steps,
/// linear in the outputs, so that the gradient is exact. The cost belongs to runs of one step size and length;
/// for others its value and its gradient are NaN.
#[derive(Debug, Clone, PartialEq)]
pub struct LeastSquares {
    step: f64,
    samples: usize,
    quadrature: Quadrature,
    channels: Vec<MeasuredChannel>,
    assumed_units: Vec<AssumedUnit>,
}

impl LeastSquares {
    /// Creates a cost without channels for runs of `samples` = N + 1 samples with `step` = h in s.
    pub fn new(step: f64, samples: usize, quadrature: Quadrature) -> Self {
        Self { step, samples, quadrature, channels: Vec::new(), assumed_units: Vec::new() }
    }

    /// Adds measured `values` of the output, in its unit, at strictly increasing `times` in s, with weight
    /// w_c. One output may have several channels if one ends before the next begins.
    ///
    /// # Errors
    /// [`MeasurementError`], naming the sample.
    pub fn with_channel<M>(
        self,
        output: Output<M>,
        times: &[f64],
        values: &[f64],
        weight: f64,
    ) -> Result<Self, MeasurementError> {
        self.with_samples(output.into(), times, values, weight)
    }

    pub(super) fn with_samples(
        mut self,
        output: CostOutput,
        times: &[f64],
        values: &[f64],
        weight: f64,
    ) -> Result<Self, MeasurementError> {
        let name = output.name;
        check(name, times, values, weight)?;
        let end = self.samples.saturating_sub(1) as f64 * self.step;
        let stencil = |(sample, &time)| {
            Stencil::at(time, self.step, self.samples).ok_or(MeasurementError::Outside {
                output: name,
                sample,
                time,
                end,
            })
        };
        let stencils = times.iter().enumerate().map(stencil).collect::<Result<_, _>>()?;
        let span = (times[0], times[times.len() - 1]);
        for other in self.channels.iter().filter(|other| other.output == output) {
            let (from, to) = (other.span.0.max(span.0), other.span.1.min(span.1));
            if from <= to {
                return Err(MeasurementError::Repeated { output: name, from, to });
            }
        }
        let intervals = intervals(times, self.step, self.quadrature);
        let weights = intervals.into_iter().map(|delta| weight * delta).collect();
        self.channels.push(MeasuredChannel { output, span, stencils, values: values.to_vec(), weights });
        Ok(self)
    }

    /// Adds the samples of a channel of `record` as the measured `output`, converted to the output's unit,
    /// with weight w_c.
    ///
    /// # Errors
    /// As [`with_channel`](Self::with_channel); [`MeasurementError::Unit`].
    pub fn with_record<M>(
        self,
        output: Output<M>,
        record: &Record,
        channel: &Channel,
        weight: f64,
    ) -> Result<Self, MeasurementError> {
        let wanted = output.into();
        let samples = record.samples_of(&*channel.in_unit_of(record.name(), &wanted)?);
        let mut cost = self.with_channel(output, &samples.times, &samples.values, weight)?;
        note(&mut cost.assumed_units, channel.assumed(record.name(), &wanted));
        Ok(cost)
    }

    /// Returns the channels, in the order in which they were added.
    pub fn channels(&self) -> &[MeasuredChannel] {
        &self.channels
    }

    /// Adds the derivatives by the outputs of sum_j w_j r_j, with a weight w_j for every residual r_j that is
    /// multiplied by the root of its own weight.
    pub(super) fn add_residual_products(&self, weights: &[f64], gradient: &mut Series<f64>) {
        let all = self
            .channels
            .iter()
            .flat_map(|channel| channel.stencils.iter().zip(&channel.weights).map(move |of| (channel, of)));
        for ((channel, (stencil, own)), weight) in all.zip(weights) {
            stencil.add_transposed(own.sqrt() * weight, gradient, channel.output.index);
        }
    }

    fn evaluate<S: Scalar>(&self, outputs: &Series<S>) -> S {
        let mut sum = S::default();
        if !self.belongs_to(outputs) {
            return S::constant(f64::NAN);
        }
        for channel in &self.channels {
            for (residual, weight) in channel.residuals(outputs).zip(&channel.weights) {
                sum += residual * residual * (0.5 * weight);
            }
        }
        sum
    }

    fn belongs_to<S: Scalar>(&self, outputs: &Series<S>) -> bool {
        self.fits(outputs.step(), outputs.samples(), outputs.width())
    }
}

impl Cost for LeastSquares {
    fn value(&self, outputs: &Series<f64>) -> f64 {
        self.evaluate(outputs)
    }

    fn value_dual(&self, outputs: &Series<Dual>) -> Dual {
        self.evaluate(outputs)
    }

    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>) {
        if !self.belongs_to(outputs) || !self.belongs_to(gradient) {
            return add_none(gradient);
        }
        for channel in &self.channels {
            for (j, residual) in channel.residuals(outputs).enumerate() {
                let scale = channel.weights[j] * residual;
                channel.stencils[j].add_transposed(scale, gradient, channel.output.index);
            }
        }
    }

    fn has_residuals(&self) -> bool {
        true
    }

    fn residuals(&self, outputs: &Series<Dual>) -> Option<Residuals> {
        if !self.belongs_to(outputs) {
            return None;
        }
        let mut all = Residuals::default();
        for channel in &self.channels {
            all.extend(channel.weights.iter().copied().zip(channel.residuals(outputs)));
        }
        Some(all)
    }

    fn outputs_in_time(&self) -> Vec<usize> {
        // Several channels of one output follow each other.
        let mut outputs: Vec<_> = self.channels.iter().map(|channel| channel.output.index).collect();
        outputs.sort_unstable();
        outputs.dedup();
        outputs
    }

    fn fits(&self, step: f64, samples: usize, width: usize) -> bool {
        let wide = self.channels.iter().all(|channel| channel.output.index < width);
        same_step(step, self.step) && wide && samples == self.samples
    }

    fn name(&self) -> String {
        named("least squares", self.channels.iter().map(|channel| channel.output.name))
    }

    fn assumed_units(&self) -> Vec<AssumedUnit> {
        self.assumed_units.clone()
    }
}

fn check(output: &'static str, times: &[f64], values: &[f64], weight: f64) -> Result<(), MeasurementError> {
    if times.is_empty() {
        return Err(MeasurementError::Empty { output });
    }
    if times.len() != values.len() {
        return Err(MeasurementError::Length { output, times: times.len(), values: values.len() });
    }
    if !is_weight(weight) {
        return Err(MeasurementError::Weight { output, weight });
    }
    if let Some(sample) = values.iter().position(|value| !value.is_finite()) {
        return Err(MeasurementError::Value { output, sample, value: values[sample] });
    }
    match times.windows(2).position(|pair| pair[1] <= pair[0]) {
        Some(i) => Err(MeasurementError::Order { output, sample: i + 1, time: times[i + 1] }),
        None => Ok(()),
    }
}

/// Returns Delta_j of every sample; a single sample stands for one step.
pub fn intervals(times: &[f64], step: f64, quadrature: Quadrature) -> Vec<f64> {
    if quadrature == Quadrature::Sum {
        return vec![1.0; times.len()];
    }
    let gaps = inner_gaps(times);
    let mut intervals = Vec::with_capacity(times.len());
    for part in 0..=gaps.len() {
        let (before, after) = (part.checked_sub(1).map(|before| gaps[before]), gaps.get(part));
        let first = before.map_or(0, |gap| gap.after + 1);
        let last = after.map_or(times.len() - 1, |gap| gap.after);
        let usual = before.iter().chain(after).map(|gap| gap.usual).reduce(f64::min);
        intervals.extend(without_gaps(&times[first..=last], usual.unwrap_or(step), quadrature));
    }
    intervals
}

/// Returns Delta_j of samples without gaps; a single sample stands for the time `alone` in s.
fn without_gaps(times: &[f64], alone: f64, quadrature: Quadrature) -> impl Iterator<Item = f64> + '_ {
    let last = times.len() - 1;
    let spacing = move |j: usize| times[j + 1] - times[j];
    (0..times.len()).map(move |j| match quadrature {
        Quadrature::Sum => 1.0,
        _ if last == 0 => alone,
        Quadrature::Rectangle => spacing(j.min(last - 1)),
        Quadrature::Trapezoid if j == 0 => 0.5 * spacing(0),
        Quadrature::Trapezoid if j == last => 0.5 * spacing(last - 1),
        Quadrature::Trapezoid => 0.5 * (spacing(j - 1) + spacing(j)),
    })
}
