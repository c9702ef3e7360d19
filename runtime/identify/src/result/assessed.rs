//! Tests of the residuals of channels, groups of predictions and lines of spectra, added experiment by experiment.

use costate_cost::residuals::{
    ChannelAssessment, FEWEST_SAMPLES, Loss, Residuals, TestSettings, Verdict, VerdictLevels, assess, fit_percent,
    judge, root_mean_square,
};
use costate_cost::{ComparedLine, SpectrumForm, SumCost};
use costate_system::identifiers::Input;
use costate_system::problem::Problem;
use costate_system::series::Series;
use std::borrow::Cow;

use super::explanation::compared;
use super::group_residuals::{GroupResiduals, MAX_EXPLAINED_RESIDUAL};
use super::suspicions::Compared;
use crate::estimation::covariance::ChannelRows;
use crate::estimation::experiment_problem::ExperimentProblem;
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::observed::Observed;
use crate::estimation::predicted::PredictedProblem;
use crate::thresholds::NOTICEABLE_SHIFT;

/// Statistics of channels, added experiment by experiment.
#[derive(Default)]
pub(crate) struct Assessed {
    /// 100 (1 - |residuals| / |measured - mean|).
    pub fit_percent: Vec<Option<f64>>,
    /// Fitted minus measured values.
    pub differences: Vec<Vec<f64>>,
    /// Root mean square of the residuals of channels in time, in units of the errors of the steps.
    pub left: Vec<f64>,
    pub compared: Vec<Option<Compared>>,
    pub assessments: Vec<ChannelAssessment>,
}

impl Assessed {
    /// Adds the channels of an experiment with their residuals; `experiment` is its name if there are several.
    pub fn add(
        &mut self,
        prepared: &ExperimentProblem,
        experiment: Option<&str>,
        (found, rows): (&LinearizedRun, &[ChannelRows]),
        unknowns: &[f64],
    ) {
        // a run has been found with these inputs
        let problem = prepared.problem_at(unknowns).unwrap_or(Cow::Borrowed(&prepared.problem));
        for (channel, rows) in prepared.comparison.channels.iter().zip(rows) {
            let fitted = channel.fitted(&found.outputs, unknowns);
            let differences: Vec<f64> = fitted.iter().zip(&channel.values).map(|(s, y)| s - y).collect();
            let name = prepared.output_name(channel);
            // numbers that are not finite, or too large to be squared, have no statistics
            let Ok(residuals) = Residuals::new(name, &channel.times, &differences, &channel.values) else {
                self.fit_percent.push(None);
                self.compared.push(None);
                self.differences.push(differences);
                continue;
            };
            self.fit_percent.push(fit_percent(&residuals));
            let left = root_mean_square(&differences);
            let step_error = found.step_error(channel, unknowns);
            self.left.extend(step_error.map(|error| left / error));
            let is_of_steps = step_error.is_some_and(|error| error > NOTICEABLE_SHIFT * left);
            let mut white = None;
            if !is_of_steps && left > MAX_EXPLAINED_RESIDUAL * root_mean_square(&channel.values) {
                let tested = assessed(&problem, channel, (experiment, name), &rows.residuals);
                white = tested.as_ref().and_then(ChannelAssessment::white_probability);
                self.assessments.extend(tested);
            }
            self.compared.push(compared(prepared, channel, experiment, (&residuals, white), unknowns));
            self.differences.push(differences);
        }
    }

    /// Adds the groups of a prediction with their residuals, and the number of unknowns that each determines.
    pub fn add_predicted(
        &mut self,
        predicted: &PredictedProblem,
        experiment: Option<&str>,
        (found, rows): (&LinearizedRun, &[ChannelRows]),
        determined: &[f64],
        unknowns: &[f64],
    ) {
        let channels = predicted.groups.iter().zip(&predicted.comparison.channels);
        for (place, ((compared, channel), rows)) in channels.zip(rows).enumerate() {
            let fitted = channel.fitted(&found.outputs, unknowns);
            self.differences.push(fitted.iter().zip(&channel.values).map(|(s, y)| s - y).collect());
            let determined = determined.get(place).copied().unwrap_or(0.0);
            let name = predicted.channel_name(compared);
            let judged = GroupResiduals { name, experiment, channel, compared, rows, determined };
            self.assessments.extend(judged.assessed());
        }
    }

    /// Adds the lines of spectra, over frequency, if the errors of the lines are independent of each other.
    pub fn add_lines(&mut self, costs: &SumCost<'_>, experiment: Option<&str>, outputs: &Series<f64>) {
        for (_, cost) in costs.terms() {
            let mut lines = cost.lines(outputs);
            lines.retain(|line| line.is_independent);
            lines.sort_by(|a, b| a.output.cmp(b.output).then(a.frequency.total_cmp(&b.frequency)));
            for lines in lines.chunk_by(|a, b| a.output == b.output) {
                let count = if lines[0].form == SpectrumForm::Coefficients { 2 } else { 1 };
                (0..count).for_each(|part| self.assessments.extend(assessed_lines(lines, part, experiment)));
            }
        }
    }

    /// Returns the tests of the channels that are judged.
    pub fn into_assessments(self) -> Vec<ChannelAssessment> {
        self.assessments
    }

    /// Returns the verdict on all tests; `None` if there are no tests.
    pub fn verdict(&self) -> Option<Verdict> {
        let judged = (!self.assessments.is_empty()).then(|| judge(&self.assessments, VerdictLevels::default()));
        judged.and_then(Result::ok)
    }
}

impl LinearizedRun {
    /// Returns the largest error of a channel by the steps, if it is known.
    pub fn step_error(&self, channel: &Observed, unknowns: &[f64]) -> Option<f64> {
        let estimate = self.accuracy.as_ref()?.outputs.get(channel.output)?;
        // schemes are of second order
        let finer = (self.parts * self.parts) as f64;
        Some(estimate.error / finer * channel.gain.of(unknowns).abs())
    }
}

/// Tests the residuals of the lines of an output, by increasing frequency, of the cosine or the sine where both are
/// compared; `None` if there are too few lines, or the residuals are rounding errors.
fn assessed_lines(lines: &[ComparedLine], part: usize, experiment: Option<&str>) -> Option<ChannelAssessment> {
    let of_lines = |of: &dyn Fn(&ComparedLine) -> f64| lines.iter().map(of).collect::<Vec<f64>>();
    let frequencies = of_lines(&|line| line.frequency);
    let measured = of_lines(&|line| line.weight.sqrt() * line.measured);
    // differences of squares are not equally large everywhere, those of amplitudes are
    let residuals = of_lines(&|line| {
        let residual = match line.form {
            SpectrumForm::Coefficients | SpectrumForm::Decibels => line.residuals[part],
            _ => line.fitted - line.measured,
        };
        line.weight.sqrt() * residual
    });
    if lines.len() < FEWEST_SAMPLES
        || root_mean_square(&residuals) <= MAX_EXPLAINED_RESIDUAL * root_mean_square(&measured)
    {
        return None;
    }
    let (output, form) = (lines[0].output, lines[0].form);
    let name = match (form, part) {
        (SpectrumForm::Coefficients, 0) => format!("cosines in the spectrum of {output}"),
        (SpectrumForm::Coefficients, _) => format!("sines in the spectrum of {output}"),
        _ => format!("spectrum of {output}"),
    };
    let mut residuals = Residuals::new(name, &frequencies, &residuals, &measured).ok()?;
    if let Some(experiment) = experiment {
        residuals = residuals.in_experiment(experiment);
    }
    let mut assessment = assess(&residuals, &TestSettings::default()).ok()?;
    // lines have no times
    assessment.outliers = None;
    Some(assessment)
}

/// Tests the residuals of one channel, also against the inputs at its times.
fn assessed(
    problem: &Problem,
    channel: &Observed,
    (experiment, name): (Option<&str>, &str),
    residuals: &[f64],
) -> Option<ChannelAssessment> {
    let mut residuals = Residuals::new(name, &channel.times, residuals, &channel.values).ok()?;
    if let Some(experiment) = experiment {
        residuals = residuals.in_experiment(experiment);
    }
    let inputs = inputs_at(problem, &channel.times);
    let mut beside_inputs = residuals.clone();
    for (name, values) in &inputs {
        // an input that cannot be compared does not affect the other tests
        beside_inputs = beside_inputs.clone().with_input(*name, values).unwrap_or(beside_inputs);
    }
    let mut assessment = assess(&beside_inputs, &TestSettings::default()).ok()?;
    if channel.loss != Loss::Squares {
        // a robust loss has been taken for them
        assessment.outliers = None;
    }
    Some(assessment)
}

/// Returns the inputs at these times, by name.
fn inputs_at(problem: &Problem, times: &[f64]) -> Vec<(&'static str, Vec<f64>)> {
    let step = problem.settings().step;
    let at = |time: &f64| problem.inputs_at(time / step);
    let sampled: Vec<_> = times.iter().map(at).collect::<Result<_, _>>().unwrap_or_default();
    let of_input = |input: Input| sampled.iter().map(|inputs| inputs[input.index()]).collect();
    Input::each_of(problem.description()).map(|input| (input.name(), of_input(input))).collect()
}
