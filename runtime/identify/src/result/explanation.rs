//! Tests whether a fit explains the measurements.

use costate_cost::residuals::{
    Cause, ChannelAssessment, Deviation, InformationCriteria, Judgement, Loss, Residuals, Suspicion, Verdict,
    VerdictLevels, agreement, fit_percent, information_criteria, judge, log_likelihood,
};

use super::assessed::Assessed;
use super::compared_curves::ComparedCurve;
use super::extended::extension;
use super::group_residuals;
use super::suspicions::{self, Compared};
use crate::estimation::covariance::ChannelRows;
use crate::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::observed::Observed;
use crate::estimation::reweighting::Round;

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
pub(super) fn compared(
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
