//! Whether a fit explains what was measured.

use costate_residuals::{Residuals, TestSettings, Verdict, VerdictLevels, assess, fit_percent, judge};

use crate::cost::LeastSquares;
use crate::gradient::Accuracy;
use crate::identifiers::Input;
use crate::model::Model;
use crate::problem::Problem;
use crate::series::Series;

use super::unknown::{Measurement, Taken};

/// Residuals below this part of what was measured are rounding, and the tolerance of the minimisation.
const NOTHING_LEFT: f64 = 1e-6;

/// How well the measured outputs are explained.
pub(super) struct Explanation {
    /// Of every measured output, 100 (1 - |residuals| / |measured - mean|).
    pub fit_percent: Vec<Option<f64>>,
    /// `None` if nothing is measured in time, or the residuals are less than what the steps leave.
    pub verdict: Option<Verdict>,
}

impl Explanation {
    /// Of the outputs at the found parameters, where `measured` has the channels of `measurements` in turn.
    pub fn of<M: Model>(
        problem: &Problem<M>,
        measurements: &[Measurement<'_, M>],
        (measured, channels): (&LeastSquares, &[Taken<'_>]),
        outputs: &Series<f64>,
        accuracy: Option<&Accuracy>,
    ) -> Self {
        let (mut percent, mut assessments) = (Vec::new(), Vec::new());
        for ((measurement, taken), channel) in measurements.iter().zip(channels).zip(measured.channels()) {
            let (output, times) = (measurement.output, &taken.samples.times);
            let residuals: Vec<f64> = channel.residuals(outputs).collect();
            // numbers that are not finite, or too large to be squared, have no statistics
            let inputs = inputs_at(problem, times);
            let Ok(mut all) = Residuals::new(output.name(), times, &residuals, channel.values()) else {
                percent.push(None);
                continue;
            };
            percent.push(fit_percent(&all));
            let step_error = accuracy.and_then(|accuracy| accuracy.outputs.get(output.index()));
            let noise = step_error.map_or(0.0, |estimate| estimate.error);
            if root_mean_square(&residuals) > noise.max(NOTHING_LEFT * root_mean_square(channel.values())) {
                for (name, values) in &inputs {
                    // an input that cannot be compared leaves the other tests as they are
                    all = all.clone().with_input(*name, values).unwrap_or(all);
                }
                assessments.extend(assess(&all, &TestSettings::default()));
            }
        }
        let verdict = (!assessments.is_empty()).then(|| judge(&assessments, VerdictLevels::default()));
        Self { fit_percent: percent, verdict: verdict.and_then(Result::ok) }
    }
}

/// The inputs at these times, by name.
fn inputs_at<M: Model>(problem: &Problem<M>, times: &[f64]) -> Vec<(&'static str, Vec<f64>)> {
    let step = problem.settings().step;
    let at = |time: &f64| problem.inputs_at(time / step);
    let sampled: Vec<_> = times.iter().map(at).collect::<Result<_, _>>().unwrap_or_default();
    let of_input = |input: Input<M>| sampled.iter().map(|inputs| inputs.as_ref()[input.index()]).collect();
    Input::<M>::all().map(|input| (input.name(), of_input(input))).collect()
}

fn root_mean_square(values: &[f64]) -> f64 {
    (values.iter().map(|value| value * value).sum::<f64>() / values.len().max(1) as f64).sqrt()
}
