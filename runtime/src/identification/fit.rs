//! The result of an identification.

use std::time::Duration;

use costate_residuals::Verdict;
use serde::Serialize;

use crate::gradient::Accuracy;
use crate::identifiers::Parameter;
use crate::model::Model;
use crate::optimize::{Iteration, OptimizerState, Stop};
use crate::problem::Problem;
use crate::record::{AssumedUnit, Gap};

use super::covariance::Covariance;
use super::explanation::Explanation;
use super::unknown::{Measurement, Taken};

/// A model with identified parameters; [`Display`](std::fmt::Display) prints them as a table, serde writes the
/// [`FitSummary`].
#[derive(Debug, Clone)]
pub struct Fit<M> {
    model: M,
    summary: FitSummary,
}

/// What an identification found, by name. In JSON, infinite and undefined numbers are `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FitSummary {
    /// The model's name.
    pub model: &'static str,
    /// The unknown parameters, in the order in which they were given.
    pub parameters: Vec<FittedParameter>,
    /// Covariance matrix of the parameters, by rows, in the products of their units. Rows and columns of parameters
    /// that the measurement does not determine are infinite on the diagonal and NaN elsewhere.
    pub covariance: Vec<Vec<f64>>,
    /// Correlation matrix, by rows: covariances divided by the standard deviations; 1 on the diagonal.
    pub correlation: Vec<Vec<f64>>,
    /// Combinations of relative changes of the parameters (dp_k/p_k for logarithmic scaling, dp_k/typical for
    /// linear scaling) that the measurement does not determine; one coefficient per parameter, the largest is 1.
    pub undetermined: Vec<Vec<f64>>,
    /// What was measured.
    pub measurements: Vec<MeasuredOutput>,
    /// The data without a unit, which are taken in the model's.
    pub assumed_units: Vec<AssumedUnit>,
    /// The further costs.
    pub costs: Vec<FittedCost>,
    /// Whether the residuals of the measured outputs are noise, or something is missing in the model; [`Display`](std::fmt::Display)
    /// says it in words. Outputs are not judged whose residuals are less than twice the estimated
    /// [error of the steps](MeasuredOutput::step_error), or than a millionth of what was measured; `None` if no output is left.
    /// Where the error of the steps is not known, as with checkpoints, it may be what is found in the residuals.
    pub verdict: Option<Verdict>,
    /// J at the start values.
    pub cost_start: f64,
    /// J at the found values.
    pub cost_end: f64,
    /// Iterations of the optimizer.
    pub iterations: usize,
    /// Evaluations of the cost.
    pub evaluations: usize,
    /// Simulations for the cost since the program started: those of the evaluations, and those in lanes beside them that
    /// a line search did not come to.
    pub simulations: usize,
    /// Why the optimizer stopped.
    pub stop: Stop,
    /// Every iteration, the start first.
    pub history: Vec<Iteration>,
    /// Of adaptive steps, what became of them.
    pub adaptive_steps: Option<AdaptiveSteps>,
    /// Wall clock time in s of all simulations since the program started.
    pub seconds_forward: f64,
    /// Wall clock time in s of all gradients since the program started.
    pub seconds_gradient: f64,
}

/// The adaptive steps of an identification, which stay as they are while it minimises.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AdaptiveSteps {
    /// Number of steps of a run.
    pub steps: usize,
    /// How often they were chosen anew, for parameters that were found with the ones before.
    pub renewals: usize,
    /// The largest error that a step leaves at the found parameters, in units of the tolerance.
    pub excess: f64,
}

impl AdaptiveSteps {
    /// Those of runs of `problem`, if its steps are adaptive.
    pub(super) fn of<M: Model>(problem: &Problem<M>, renewals: usize, excess: f64) -> Option<Self> {
        problem.step_plan().map(|plan| Self { steps: plan.steps(), renewals, excess })
    }
}

/// An identified parameter, in its unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedParameter {
    /// Name.
    pub name: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Start value.
    pub start: f64,
    /// Found value.
    pub found: f64,
    /// Standard deviation of the found value; infinite if the measurement does not determine the parameter.
    pub standard_deviation: f64,
    /// Standard deviation divided by the magnitude of the found value.
    pub relative_deviation: f64,
    /// Whether the found value is at a bound; the deviation is that without the bound.
    pub at_bound: bool,
}

/// A measured output.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MeasuredOutput {
    /// The output's name.
    pub output: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The record's name.
    pub record: String,
    /// The channel's name.
    pub channel: String,
    /// Number of samples that were compared, without the missing ones.
    pub samples: usize,
    /// Number of the record's times at which the channel has no sample.
    pub missing: usize,
    /// Spans without samples, be it that they are missing or that the record has no times there.
    pub gaps: Vec<Gap>,
    /// Standard deviation of a measured value, given or from the residuals.
    pub standard_deviation: f64,
    /// How much of the samples is explained: 100 (1 - |residuals| / |measured - mean|); `None` for a constant signal.
    pub fit_percent: Option<f64>,
    /// The largest error of the output that the step size leaves, estimated at the found parameters; `None` for simulations with
    /// checkpoints.
    pub step_error: Option<f64>,
}

/// A cost beside the least squares of the measured outputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FittedCost {
    /// Its weight.
    pub weight: f64,
    /// Its value at the found parameters, without the weight.
    pub cost: f64,
    /// Number of its residuals; 0 for a cost that is no sum of squares.
    pub residuals: usize,
    /// Standard deviation of a residual, from the residuals; infinite where it cannot be told.
    pub standard_deviation: f64,
}

/// Everything that a fit is made from.
pub(super) struct Outcome<'a, M: Model> {
    pub model: M,
    pub unknown: &'a [usize],
    pub measurements: &'a [Measurement<'a, M>],
    pub channels: &'a [Taken<'a>],
    pub assumed_units: Vec<AssumedUnit>,
    /// The further costs, but for their deviations, which are in the covariance.
    pub costs: &'a [FittedCost],
    pub accuracy: Option<&'a Accuracy>,
    pub explanation: Explanation,
    pub covariance: Covariance,
    pub state: &'a OptimizerState,
    pub simulations: usize,
    pub forward: Duration,
    pub backward: Duration,
}

impl<M: Model> Fit<M> {
    pub(super) fn new(outcome: Outcome<'_, M>) -> Self {
        let (state, matrix) = (outcome.state, &outcome.covariance.matrix);
        let deviation = |k: usize| matrix[(k, k)].sqrt();
        let n = outcome.unknown.len();
        let rows = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            (0..n).map(|row| (0..n).map(|column| entry(row, column)).collect()).collect()
        };
        let correlation = |row: usize, column: usize| match row == column {
            true => 1.0,
            false => matrix[(row, column)] / (deviation(row) * deviation(column)),
        };
        let summary = FitSummary {
            model: M::DESCRIPTION.name,
            parameters: parameters(&outcome, &deviation),
            covariance: rows(&|row, column| matrix[(row, column)]),
            correlation: rows(&correlation),
            undetermined: outcome.covariance.undetermined.clone(),
            measurements: measurements(&outcome),
            assumed_units: outcome.assumed_units.clone(),
            costs: costs(&outcome),
            verdict: outcome.explanation.verdict.clone(),
            cost_start: state.history().first().map_or(state.cost(), |first| first.cost),
            cost_end: state.cost(),
            iterations: state.iterations(),
            evaluations: state.evaluations(),
            simulations: outcome.simulations,
            stop: state.stop().unwrap_or(Stop::MaximumIterations),
            history: state.history().to_vec(),
            adaptive_steps: None,
            seconds_forward: outcome.forward.as_secs_f64(),
            seconds_gradient: outcome.backward.as_secs_f64(),
        };
        Self { model: outcome.model, summary }
    }

    /// With what became of its adaptive steps, and the minimisations before it, whose steps were others.
    pub(super) fn with_steps(mut self, steps: Option<AdaptiveSteps>, earlier: &[OptimizerState]) -> Self {
        let summary = &mut self.summary;
        summary.adaptive_steps = steps;
        let Some(first) = earlier.first() else { return self };
        for (parameter, variable) in summary.parameters.iter_mut().zip(first.variables()) {
            parameter.start = variable.start();
        }
        let own = std::mem::take(&mut summary.history);
        (summary.iterations, summary.evaluations) = (0, 0);
        for history in earlier.iter().map(OptimizerState::history).chain([&own[..]]) {
            // each begins where the one before has ended
            let begun = usize::from(!summary.history.is_empty());
            summary.history.extend(history.iter().skip(begun).map(|iteration| Iteration {
                number: iteration.number + summary.iterations,
                evaluations: iteration.evaluations + summary.evaluations,
                ..iteration.clone()
            }));
            summary.iterations += history.len().saturating_sub(1);
            summary.evaluations += history.last().map_or(0, |last| last.evaluations);
        }
        summary.cost_start = summary.history.first().map_or(summary.cost_start, |start| start.cost);
        self
    }

    /// The model with the found parameters.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The found value of an unknown parameter, with its deviation; `None` for one that was not unknown.
    pub fn parameter(&self, parameter: Parameter<M>) -> Option<&FittedParameter> {
        self.summary.parameters.iter().find(|fitted| fitted.name == parameter.name())
    }
}

impl<M> Fit<M> {
    /// Everything by name.
    pub fn summary(&self) -> &FitSummary {
        &self.summary
    }
}

impl<M> Serialize for Fit<M> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.summary.serialize(serializer)
    }
}

fn parameters<M: Model>(outcome: &Outcome<'_, M>, deviation: &dyn Fn(usize) -> f64) -> Vec<FittedParameter> {
    let found = outcome.state.parameters();
    let at_bound = outcome.state.at_bound();
    let fitted = |(k, &index): (usize, &usize)| {
        let quantity = Parameter::<M>::at(index).quantity();
        FittedParameter {
            name: quantity.name,
            unit: quantity.unit,
            start: outcome.state.variables()[k].start(),
            found: found[k],
            standard_deviation: deviation(k),
            relative_deviation: deviation(k) / found[k].abs(),
            at_bound: at_bound[k],
        }
    };
    outcome.unknown.iter().enumerate().map(fitted).collect()
}

fn measurements<M: Model>(outcome: &Outcome<'_, M>) -> Vec<MeasuredOutput> {
    let all = outcome.measurements.iter().zip(outcome.channels).zip(&outcome.covariance.deviations);
    let all = all.zip(&outcome.explanation.fit_percent);
    all.map(|(((measurement, channel), &standard_deviation), &fit_percent)| MeasuredOutput {
        output: measurement.output.name(),
        unit: measurement.output.quantity().unit,
        record: measurement.record.name().to_owned(),
        channel: channel.name.to_owned(),
        samples: channel.samples.times.len(),
        missing: channel.missing,
        gaps: channel.samples.gaps.clone(),
        standard_deviation,
        fit_percent,
        step_error: outcome.accuracy.and_then(|of| Some(of.outputs.get(measurement.output.index())?.error)),
    })
    .collect()
}

fn costs<M: Model>(outcome: &Outcome<'_, M>) -> Vec<FittedCost> {
    let deviations = outcome.covariance.deviations.iter().skip(outcome.measurements.len());
    let all = outcome.costs.iter().zip(deviations);
    all.map(|(cost, &standard_deviation)| FittedCost { standard_deviation, ..cost.clone() }).collect()
}
