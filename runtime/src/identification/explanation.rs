//! Whether a fit explains what was measured.

use costate_residuals::{
    ChannelAssessment, Residuals, TestSettings, Verdict, VerdictLevels, assess, fit_percent, judge,
    root_mean_square,
};

use crate::gradient::Accuracy;
use crate::identifiers::Input;
use crate::model::Model;
use crate::problem::Problem;
use crate::record::Samples;

use super::covariance::ChannelRows;
use super::unknown::{Measurement, Taken};

/// Residuals below this part of what was measured are rounding, and the tolerance of the minimisation.
const NOTHING_LEFT: f64 = 1e-6;

/// Errors of the steps beyond this part of the deviation of a measured value are mistaken for what was measured.
pub(super) const DOUBTFUL: f64 = 0.5;

/// How well the measured outputs are explained.
pub(super) struct Explanation {
    /// Of every measured output, 100 (1 - |residuals| / |measured - mean|).
    pub fit_percent: Vec<Option<f64>>,
    /// `None` if nothing is measured in time, or nothing is left but rounding and the errors of the steps.
    pub verdict: Option<Verdict>,
}

impl Explanation {
    /// Of measured outputs, each with its channel and its residuals at the found parameters.
    pub fn of<M: Model>(
        problem: &Problem<M>,
        measurements: &[Measurement<'_, M>],
        (channels, rows): (&[Taken<'_>], &[ChannelRows]),
        accuracy: Option<&Accuracy>,
    ) -> Self {
        let (mut percent, mut assessments) = (Vec::new(), Vec::new());
        for ((measurement, channel), rows) in measurements.iter().zip(channels).zip(rows) {
            let (output, Samples { times, values, .. }) = (measurement.output, &channel.samples);
            // numbers that are not finite, or too large to be squared, have no statistics
            let Ok(residuals) = Residuals::new(output.name(), times, &rows.residuals, values) else {
                percent.push(None);
                continue;
            };
            percent.push(fit_percent(&residuals));
            let left = root_mean_square(&rows.residuals);
            let step_error = accuracy.and_then(|accuracy| accuracy.outputs.get(output.index()));
            let is_of_steps = step_error.is_some_and(|estimate| estimate.error > DOUBTFUL * left);
            if is_of_steps || left <= NOTHING_LEFT * root_mean_square(values) {
                continue;
            }
            assessments.extend(assessed(problem, &residuals));
        }
        let verdict = (!assessments.is_empty()).then(|| judge(&assessments, VerdictLevels::default()));
        Self { fit_percent: percent, verdict: verdict.and_then(Result::ok) }
    }
}

/// The tests of one channel, beside the inputs at its times.
fn assessed<M: Model>(problem: &Problem<M>, residuals: &Residuals<'_>) -> Option<ChannelAssessment> {
    let inputs = inputs_at(problem, residuals.times());
    let mut beside_inputs = residuals.clone();
    for (name, values) in &inputs {
        // an input that cannot be compared leaves the other tests as they are
        beside_inputs = beside_inputs.clone().with_input(*name, values).unwrap_or(beside_inputs);
    }
    assess(&beside_inputs, &TestSettings::default()).ok()
}

/// The inputs at these times, by name.
fn inputs_at<M: Model>(problem: &Problem<M>, times: &[f64]) -> Vec<(&'static str, Vec<f64>)> {
    let step = problem.settings().step;
    let at = |time: &f64| problem.inputs_at(time / step);
    let sampled: Vec<_> = times.iter().map(at).collect::<Result<_, _>>().unwrap_or_default();
    let of_input = |input: Input<M>| sampled.iter().map(|inputs| inputs.as_ref()[input.index()]).collect();
    Input::<M>::all().map(|input| (input.name(), of_input(input))).collect()
}
