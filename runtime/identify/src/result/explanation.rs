//! Tests whether a fit explains the measurements.

use std::borrow::Cow;

use costate_cost::residuals::{
    Cause, ChannelAssessment, Deviation, FEWEST_SAMPLES, InformationCriteria, Judgement, Loss, Residuals, Suspicion,
    TestSettings, Verdict, VerdictLevels, agreement, assess, fit_percent, information_criteria, judge, log_likelihood,
    root_mean_square,
};
use costate_cost::{ComparedLine, SpectrumForm, SumCost};
use costate_system::identifiers::Input;
use costate_system::problem::Problem;
use costate_system::series::Series;

use crate::estimation::covariance::ChannelRows;
use crate::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::observed::Observed;
use crate::estimation::predicted::PredictedProblem;
use crate::estimation::reweighting::Round;

use super::compared_curves::ComparedCurve;
use super::extended::extension;
use super::group_residuals::{self, GroupResiduals, MAX_EXPLAINED_RESIDUAL};
use super::suspicions::{self, Compared};
use crate::thresholds::NOTICEABLE_SHIFT;

/// Statistics of how well a fit explains the measured outputs.
pub(crate) struct Explanation {
    /// 100 (1 - |residuals| / |measured - mean|) for every channel in turn; `None` for a constant signal.
    pub fit_percent: Vec<Option<f64>>,
    /// `None` if nothing is measured in time, or all residuals are explained by rounding and the errors of the steps.
    pub verdict: Option<Verdict>,
    /// `None` where there is no likelihood.
    pub criteria: Option<InformationCriteria>,
    /// Tests of the channels that are judged.
    pub assessments: Vec<ChannelAssessment>,
    /// Number of unknowns that each channel determines; empty without predictions.
    pub degrees: Vec<f64>,
    /// Doubts about the residuals of predictions.
    pub remarks: Vec<String>,
    /// Number of unknowns that the data determine.
    pub determined: usize,
    /// Root mean square of the residuals of channels in time, in units of the errors of the steps.
    pub left: Vec<f64>,
    /// Comparison of the channels in time; `None` where a signal is constant.
    pub compared: Vec<Option<Compared>>,
    /// Comparison of measured responses.
    pub curves: Vec<ComparedCurve>,
}

impl Explanation {
    /// Evaluates the runs that were `found`, whose channels have these residuals.
    #[doc(hidden)]
    pub fn of(estimation: &EstimationProblem, found: &[LinearizedRun], rows: &[ChannelRows], unknowns: &[f64]) -> Self {
        let mut all = Assessed::default();
        let mut rest = rows;
        for (prepared, found) in estimation.experiments.iter().zip(found) {
            let (own, others) = rest.split_at(prepared.comparison.channels.len().min(rest.len()));
            let name = estimation.name_of(prepared.number);
            all.add(prepared, name, (found, own), unknowns);
            all.add_lines(&prepared.comparison.costs, name, &found.outputs);
            rest = others;
        }
        let degrees = match estimation.predictions.is_empty() {
            true => Vec::new(),
            false => estimation.degrees_of_freedom(rows, unknowns),
        };
        let mut of_groups = degrees.get(estimation.run_channels()..).unwrap_or_default();
        let of_predictions = found.get(estimation.experiments.len()..).unwrap_or_default();
        for (predicted, found) in estimation.predictions.iter().zip(of_predictions) {
            let count = predicted.groups.len();
            let (own, others) = rest.split_at(count.min(rest.len()));
            let (determined, other_groups) = of_groups.split_at(count.min(of_groups.len()));
            all.add_predicted(predicted, estimation.name_of(predicted.number), (found, own), determined, unknowns);
            (rest, of_groups) = (others, other_groups);
        }
        let determined = determined(estimation, rows, unknowns);
        let verdict = all.verdict();
        Self {
            curves: ComparedCurve::all(estimation, (found, rows), unknowns, verdict.as_ref()),
            determined,
            remarks: group_residuals::remarks(estimation, rows, &degrees),
            degrees,
            verdict,
            criteria: criteria(estimation, (rows, &all.differences), determined),
            left: all.left,
            compared: all.compared,
            fit_percent: all.fit_percent,
            assessments: all.assessments,
        }
    }
}

impl Explanation {
    /// Returns the values from which a fit over growing parts begins; `None` where there is no reason for one. Reasons
    /// are a channel of which a part is left, as in a local minimum, and more than noise that the best of many starts,
    /// or a fit together with costs such as spectra, has left.
    pub fn start_of_growth(
        estimation: &EstimationProblem,
        round: &Round,
        (found, rows): (&[LinearizedRun], &[ChannelRows]),
        unknowns: &[f64],
        at_start: &[Suspicion],
    ) -> Option<Vec<f64>> {
        // tests of residuals take time
        let is_partial = estimation.leaves_part(found, unknowns);
        let has_costs = estimation.has_costs();
        if !is_partial && !has_costs && round.alternative.is_none() {
            return None;
        }
        let explanation = Self::of(estimation, found, rows, unknowns);
        let is_lost = is_partial && suspicions::is_lost(&explanation.compared, at_start);
        match &round.alternative {
            Some(alternative) if is_lost || explanation.is_insufficient() => Some(alternative.clone()),
            None if is_lost || has_costs && explanation.is_insufficient() => Some(round.start()),
            _ => None,
        }
    }

    /// Returns true if tests of the residuals contradict the model.
    pub fn is_insufficient(&self) -> bool {
        self.verdict.as_ref().is_some_and(|verdict| verdict.judgement == Judgement::Insufficient)
    }

    /// Returns true if the deviations of found values mean something: nothing is suspected, and a model that tests
    /// contradict explains most of every channel and response.
    pub fn has_valid_deviations(&self) -> bool {
        let is_lost = |one: &Compared| one.explains_little() && one.is_unexplained();
        self.verdict.as_ref().is_none_or(Verdict::explains_deviations)
            && !(self.is_insufficient() && self.compared.iter().flatten().any(is_lost))
            && !self.curves.iter().any(|one| one.is_contradicted && one.explains_little())
    }

    /// Returns true if a channel is not explained, and no reason is known that the found values show.
    pub fn has_unknown_reason(&self) -> bool {
        let is_told = |one: &Suspicion| match &one.cause {
            Cause::OutOfPhase { .. } | Cause::Scale { question: None, .. } => false,
            // a motion that has begun earlier is no matter of scales
            Cause::Delay { .. } => true,
            _ => !one.at_start,
        };
        let is_unexplained = |one: &Compared| one.is_unexplained() && !one.explains_most();
        self.compared.iter().flatten().any(is_unexplained)
            && !self.verdict.iter().any(|verdict| verdict.suspicions.iter().any(is_told))
    }

    /// Returns true if a delay to first order would remove what is left of a channel of which little is explained.
    pub fn suspects_delay(&self) -> bool {
        let is_delay = |one: &Suspicion| !one.at_start && matches!(one.cause, Cause::Delay { .. });
        self.compared.iter().flatten().any(|one| one.is_unexplained() && !one.explains_most())
            && self.verdict.iter().any(|verdict| verdict.suspicions.iter().any(is_delay))
    }

    /// Takes back reversed signs that the start values alone show; returns true if there were any.
    pub fn forget_signs_at_start(&mut self) -> bool {
        let Some(verdict) = &mut self.verdict else { return false };
        let before = verdict.suspicions.len();
        verdict.suspicions.retain(|one| !(one.at_start && matches!(one.cause, Cause::Sign { .. })));
        verdict.suspicions.len() < before
    }

    /// Replaces what is suspected of the residuals.
    pub fn suspect_instead(&mut self, found: Vec<Suspicion>) {
        // without a verdict, no channel could be tested
        let verdict = self.verdict.take().or_else(|| judge(&[], VerdictLevels::default()).ok());
        self.verdict = verdict.map(|verdict| Verdict { suspicions: found, ..verdict });
    }

    /// Adds to the verdict what the residuals may be due to other than an incomplete model; returns remarks on ratios
    /// that the found values have taken up.
    pub fn suspect(
        &mut self,
        (estimation, found, rows): (&EstimationProblem, &[LinearizedRun], &[ChannelRows]),
        unknowns: &[f64],
        (at_start, has_grown): (&[Suspicion], bool),
    ) -> Vec<String> {
        let extension = match self.is_insufficient() {
            true => extension(estimation, found, rows, unknowns),
            false => None,
        };
        let found = suspicions::suspicions(&self.compared, at_start, has_grown, extension.as_ref());
        let taken_up = suspicions::taken_up(&self.compared, at_start, &found);
        if !found.is_empty() {
            self.suspect_instead(found);
        }
        taken_up
    }
}

impl EstimationProblem {
    /// Returns the wrong units and signs of channels that the start values show.
    pub fn ratios_at_start(&self, found: &[LinearizedRun], start: &[f64]) -> Vec<Suspicion> {
        self.compared(found, start).iter().filter_map(Compared::ratio_at_start).collect()
    }

    /// Returns true if a part of a channel is not explained from which on something is suspected.
    pub fn leaves_part(&self, found: &[LinearizedRun], unknowns: &[f64]) -> bool {
        self.compared(found, unknowns).iter().any(Compared::leaves_part)
    }

    /// Returns true if nearly all of every channel is explained.
    pub fn explains_most(&self, found: &[LinearizedRun], unknowns: &[f64]) -> bool {
        self.compared(found, unknowns).iter().all(Compared::explains_most)
    }

    /// Compares the channels in time with what was computed of them, without tests of the residuals.
    pub fn compared(&self, found: &[LinearizedRun], unknowns: &[f64]) -> Vec<Compared> {
        let of_run = |(prepared, found): (&ExperimentProblem, &LinearizedRun)| -> Vec<Compared> {
            let of_channel = |channel: &Observed| {
                let fitted = channel.fitted(&found.outputs, unknowns);
                let differences: Vec<f64> = fitted.iter().zip(&channel.values).map(|(s, y)| s - y).collect();
                let name = prepared.output_name(channel);
                let residuals = Residuals::new(name, &channel.times, &differences, &channel.values).ok()?;
                compared(prepared, channel, self.name_of(prepared.number), (&residuals, None), unknowns)
            };
            prepared.comparison.channels.iter().filter_map(of_channel).collect()
        };
        self.experiments.iter().zip(found).flat_map(of_run).collect()
    }
}

/// Compares a channel with what was computed of it; `white` is the probability of its residuals if they are white.
/// `None` where one of both is constant.
fn compared(
    prepared: &ExperimentProblem,
    channel: &Observed,
    experiment: Option<&str>,
    (residuals, white): (&Residuals, Option<f64>),
    unknowns: &[f64],
) -> Option<Compared> {
    let unit = prepared.problem.description().outputs[channel.output].unit;
    let number = prepared.comparison.channels.iter().position(|other| std::ptr::eq(other, channel));
    let taken = number.and_then(|number| prepared.channels.get(number));
    Some(Compared {
        channel: residuals.channel().to_owned(),
        experiment: experiment.map(str::to_owned),
        unit,
        heading: taken.and_then(|taken| taken.unit.clone()).unwrap_or_else(|| unit.to_owned()),
        has_unit: taken.is_none_or(|taken| taken.assumed.is_none()),
        gain: channel.gain.of(unknowns),
        delay: channel.delay.of(unknowns),
        explained: fit_percent(residuals),
        agreement: agreement(residuals)?,
        white,
    })
}

/// Statistics of channels, added experiment by experiment.
#[derive(Default)]
pub(crate) struct Assessed {
    /// 100 (1 - |residuals| / |measured - mean|).
    pub fit_percent: Vec<Option<f64>>,
    /// Fitted minus measured values.
    differences: Vec<Vec<f64>>,
    /// Root mean square of the residuals of channels in time, in units of the errors of the steps.
    left: Vec<f64>,
    compared: Vec<Option<Compared>>,
    assessments: Vec<ChannelAssessment>,
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
    fn add_lines(&mut self, costs: &SumCost<'_>, experiment: Option<&str>, outputs: &Series<f64>) {
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

/// Returns the number of unknowns that the data determine; those that priors determine do not count as parameters of
/// the model.
fn determined(estimation: &EstimationProblem, rows: &[ChannelRows], unknowns: &[f64]) -> usize {
    match estimation.priors.combined.is_empty() {
        true => unknowns.len(),
        false => estimation.degrees_of_freedom(rows, unknowns).iter().sum::<f64>().round() as usize,
    }
}

/// Returns the criteria of all channels, with independent normal errors of one deviation in each.
fn criteria(
    estimation: &EstimationProblem,
    (rows, differences): (&[ChannelRows], &[Vec<f64>]),
    unknowns: usize,
) -> Option<InformationCriteria> {
    // where residuals are rounding errors, there is no likelihood
    let has_unknown = estimation.channels().any(|channel| channel.is_unknown);
    if estimation.has_costs() || has_unknown || rows.is_empty() || rows.iter().any(|rows| rows.loss != Loss::Squares) {
        return None;
    }
    let (mut logarithm, mut counted, mut samples) = (0.0, unknowns, 0);
    for ((channel, rows), differences) in estimation.channels().zip(rows).zip(differences) {
        samples += rows.residuals.len();
        if let Some(noise) = &channel.noise {
            let (of_noise, estimated) = noise.log_likelihood(differences)?;
            logarithm += of_noise;
            counted += estimated;
            continue;
        }
        let squares = rows.residuals.iter().map(|residual| residual * residual).sum();
        let deviation = channel.given_deviation.map_or(Deviation::Estimated, Deviation::Known);
        logarithm += log_likelihood(squares, rows.residuals.len(), deviation).ok()?;
        // densities are of measured values, not of those times the roots of their precisions
        logarithm += channel.roots.iter().flatten().map(|root| root.ln()).sum::<f64>();
        counted += usize::from(channel.given_deviation.is_none());
    }
    information_criteria(logarithm, counted, samples).ok()
}
