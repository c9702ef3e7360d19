//! The measurements of an experiment at the steps of its process.

use costate_cost::SmoothStencil;
use costate_cost::residuals::{Loss, root_mean_square};
use costate_optimize::Variable;

use super::error::PredictionErrorFault;
use super::sensors::Lag;
use crate::definition::error::IdentificationError;
use crate::estimation::experiment_problem::ExperimentProblem;
use crate::estimation::layout::Value;
use crate::estimation::observed::Observed;

/// Largest distance of a sample from a step, relative to the step.
const MAX_DISTANCE: f64 = 1e-6;

/// The data that a filter takes from an experiment.
pub(super) struct FilteredRecord<'a> {
    pub prepared: &'a ExperimentProblem,
    /// One row for each step until the last sample, one number for each channel; NaN where nothing was measured.
    /// Samples of delayed channels stand in other rows.
    pub measurements: Vec<f64>,
    /// Rows of delayed channels; `None` where samples stand at their own steps.
    pub lags: Vec<Option<Lag>>,
    /// Roots of the precisions in every row, channel by channel; empty where they are 1.
    pub roots: Vec<Vec<f64>>,
    /// Inputs at the middle of every step.
    pub middle_inputs: Vec<f64>,
    /// Number of measured values.
    pub count: usize,
}

fn refused(what: impl Into<String>, remedy: &'static str) -> IdentificationError {
    PredictionErrorFault::Refused { what: what.into(), remedy }.into()
}

impl<'a> FilteredRecord<'a> {
    pub fn new(prepared: &'a ExperimentProblem, variables: &[Variable]) -> Result<Self, IdentificationError> {
        let problem = &prepared.problem;
        if problem.has_adaptive_steps() {
            return Err(refused("adaptive steps", "choose constant steps"));
        }
        if problem.settings().order > 2 {
            return Err(refused("an order above 2", "leave the order out"));
        }
        if !prepared.driven.is_empty() {
            return Err(refused("inputs that are unknown or delayed", "give all inputs, moved by their delays"));
        }
        if !prepared.tables.is_empty() {
            return Err(refused("unknown tables", "fit output errors, or make the values parameters"));
        }
        if prepared.comparison.costs.terms().len() > 0 {
            return Err(refused("further costs", "remove them"));
        }
        let channels = &prepared.comparison.channels;
        let step = problem.settings().step;
        let (mut places, mut lags) = (Vec::with_capacity(channels.len()), Vec::with_capacity(channels.len()));
        for channel in channels {
            let output = prepared.output_name(channel);
            check_channel(channel, output)?;
            let at_step = |time: &f64| {
                let nearest = (time / step).round();
                match (time / step - nearest).abs() <= MAX_DISTANCE && nearest >= 0.0 {
                    true => Ok(nearest as usize),
                    false => Err(PredictionErrorFault::Between { output, time: *time, step }),
                }
            };
            let mut rows = channel.times.iter().map(at_step).collect::<Result<Vec<_>, _>>()?;
            rows.retain(|row| *row <= problem.steps());
            let delays = match channel.delay {
                Value::Known(0.0) => None,
                Value::Known(delay) => Some((delay, delay)),
                Value::Unknown(unknown) => variables.get(unknown).map(Variable::bounds),
            };
            let lag = delays.map(|delays| lag(&rows, delays, (step, problem.samples())));
            if let Some(Lag { ahead, .. }) = lag {
                rows.iter_mut().for_each(|row| *row = row.saturating_add_signed(ahead));
            }
            places.push(rows);
            lags.push(lag);
        }
        let last = places.iter().flatten().copied().max().unwrap_or(0);
        let steps = last.min(problem.steps());
        let m = channels.len();
        let mut measurements = vec![f64::NAN; (last + 1) * m];
        let mut roots = vec![Vec::new(); m];
        for (c, (channel, places)) in channels.iter().zip(&places).enumerate() {
            if channel.roots.is_some() {
                roots[c] = vec![1.0; last + 1];
            }
            for (sample, &place) in places.iter().enumerate() {
                let root = channel.roots.as_ref().map_or(1.0, |roots| roots[sample]);
                if channel.weights[sample] > 0.0 && root > 0.0 {
                    measurements[place * m + c] = channel.values[sample];
                    if let Some(to) = roots[c].get_mut(place) {
                        *to = root;
                    }
                }
            }
        }
        let mut middle_inputs = Vec::new();
        for i in 0..steps {
            match problem.inputs_at(i as f64 + 0.5) {
                Ok(inputs) => middle_inputs.extend(inputs),
                Err(_) => {
                    let ends = problem.inputs().row(i).iter().zip(problem.inputs().row(i + 1));
                    middle_inputs.extend(ends.map(|(one, other)| 0.5 * (one + other)));
                }
            }
        }
        let count = measurements.iter().filter(|value| !value.is_nan()).count();
        Ok(Self { prepared, measurements, lags, roots, middle_inputs, count })
    }
}

/// Refuses corrections of a channel that a filter cannot take.
fn check_channel(channel: &Observed, output: &'static str) -> Result<(), IdentificationError> {
    let of = |what: &str| format!("{what} of `{output}`");
    if channel.loss != Loss::Squares {
        return Err(refused("a loss other than squares", "leave out the outliers"));
    }
    if channel.filter.is_some() {
        return Err(refused(of("the filter"), "give the record as it was measured"));
    }
    if channel.noise.is_some() {
        return Err(refused(of("the coloured noise"), "make it a part of the model, with noise that drives it"));
    }
    Ok(())
}

/// Returns the rows of a channel with samples at these steps, of outputs that are earlier by delays from the least to
/// the most one in s; within them, outputs are inside of a run of this step and number of samples.
fn lag(steps: &[usize], (least, most): (f64, f64), (step, samples): (f64, usize)) -> Lag {
    let outputs = |sample: usize, delay: f64| {
        let stencil = SmoothStencil::at(step * sample as f64 - delay, step, samples);
        stencil.into_iter().flat_map(|stencil| stencil.weights()).map(|(of_step, _)| of_step)
    };
    let latest = |&sample: &usize| Some(outputs(sample, least).max()? as isize - sample as isize);
    let ahead = steps.iter().filter_map(latest).max().unwrap_or(0);
    let kept = |&sample: &usize| {
        let last = sample.saturating_add_signed(ahead).min(samples.saturating_sub(1));
        Some(1 + last.saturating_sub(outputs(sample, most).min()?))
    };
    Lag { ahead, depth: steps.iter().filter_map(kept).max().unwrap_or(1) }
}

/// Estimates the deviation of the errors of a channel from its third differences, of which smooth signals have little;
/// at least a millionth of its size.
pub(super) fn noise_level(channel: &Observed) -> f64 {
    /// Variance of the third difference of independent errors, C(6, 3).
    const VARIANCE: f64 = 20.0;
    let differences: Vec<f64> = channel.values.windows(4).map(|w| w[3] - 3.0 * w[2] + 3.0 * w[1] - w[0]).collect();
    let size = root_mean_square(&channel.values);
    let level = if differences.is_empty() { 0.1 * size } else { root_mean_square(&differences) / VARIANCE.sqrt() };
    let level = level.max(1e-6 * size);
    if level > 0.0 && level.is_finite() { level } else { 1.0 }
}
