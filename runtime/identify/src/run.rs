//! Running an identification: minimisations round by round, with new deviations, noise or steps, until these settle.

use costate_cost::residuals::Suspicion;
use costate_optimize::OptimizerSettings;

use super::check::IdentificationCheck;
use super::chosen_steps::is_of_steps;
use super::conclusion::outputs_of;
use super::definition::Definition;
use super::definition::approach::Approach;
use super::definition::error::IdentificationError;
use super::definition::noise::ChannelErrors;
use super::definition::weighting::MAX_ROUNDS;
use super::estimation::covariance::{ChannelRows, samples_of};
use super::estimation::deferred::{FinerRuns, Moved};
use super::estimation::evaluation::Spent;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::failed_trials::FailedTrials;
use super::estimation::information::ChannelInformation;
use super::estimation::linearized_run::LinearizedRun;
use super::estimation::peers::{Peers, gathered, own_errors};
use super::estimation::progress::{Observer, Progress};
use super::estimation::reweighting::Round;
use super::ladder::abandon_growth;
use super::result::fit::{Fit, FitResults};
use super::result::outcome::Ended;
use super::result::summary::FinerSteps;
use super::search::{Search, at_start, interrupted};
use super::solved::Solved;
use super::wrong_clock::is_of_start;

/// Largest error of adaptive steps at the found parameters, in units of their tolerance, beyond which the steps are
/// chosen again; and how many times they are chosen again at most.
const MAX_EXCESS: f64 = 4.0;
const MAX_RENEWALS: usize = 5;

/// Number of minimisations after which channels are judged by the degrees of freedom that they have left, though
/// weights still change.
const MAX_ROUGH_ROUNDS: usize = 8;

/// Unknowns, and the runs with them.
type Begun = (Vec<f64>, Vec<LinearizedRun>);

/// The last one of a sequence of minimisations, and the runs at its end.
pub(super) struct LastRound {
    pub round: Round,
    /// Runs of the experiments of this process, with their derivatives.
    pub found: Vec<LinearizedRun>,
    /// Residuals of the channels of this process.
    pub rows: Vec<ChannelRows>,
    /// Information of the channels of all processes; `None` in a fit by one process, and where a number is not finite.
    pub information: Option<Vec<ChannelInformation>>,
    pub spent: Spent,
    pub failed: Option<FailedTrials>,
    pub ended: Ended,
}

impl Definition {
    /// Fits, and keeps with the fit everything that profiles and fits to other data need.
    pub(super) fn fit(&self, observer: Option<Observer<'_>>) -> Result<Fit, IdentificationError> {
        self.fit_from(None, observer)
    }

    /// Fits, from the start values or from these unknowns.
    pub(super) fn fit_from(
        &self,
        start: Option<&[f64]>,
        observer: Option<Observer<'_>>,
    ) -> Result<Fit, IdentificationError> {
        self.fit_with(start, observer).map_err(|error| match is_of_start(&error) {
            true => self.prepare().and_then(|prepared| self.check_clock(&prepared)).err().unwrap_or(error),
            false => error,
        })
    }

    /// Fits with the times of the records as they were read.
    fn fit_with(&self, start: Option<&[f64]>, observer: Option<Observer<'_>>) -> Result<Fit, IdentificationError> {
        let mut estimation = self.prepare()?;
        // with the start that was given: found values may differ by rounding from machine to machine
        let of_tasks = self.tasks_description(&estimation);
        if let Some(start) = start {
            estimation.begin_at(start)?;
        }
        self.check_approach()?;
        let (file, stored) = self.stored(&estimation)?;
        let mut definition = self.clone();
        match &stored {
            Some(stored) => definition.take_up(stored.choice, &mut estimation)?,
            None => {
                definition.choose_steps(&mut estimation)?;
                if definition.hardly_samples(&estimation) {
                    definition.check_clock(&estimation)?;
                }
            }
        }
        let pieces = loop {
            match definition.first_pieces(&estimation) {
                Err(error) if is_of_steps(&error) && definition.halve_chosen(&mut estimation)? => (),
                found => break found?,
            }
        };
        if pieces.is_none() {
            definition.correct_at_start(&mut estimation)?;
        }
        let mut progress = Progress::new(self.progress, estimation.problems()).observed_by(observer);
        estimation.follow(&progress);
        definition.tell_steps(&estimation, &progress);
        let mut search = Search { file, ..Search::unstored(&mut progress) };
        let (mut round, known) = match pieces {
            Some(_) => (definition.round_of_pieces(&mut estimation), None),
            None => definition.first_round(&mut estimation, true, None)?,
        };
        if let Some(check) = known.as_ref().and_then(|known| known.check.as_ref()) {
            search.progress.say(&check.to_string());
        }
        if self.state_file.is_some() {
            round = search.continued(self, round)?;
            estimation.set_errors(&round.errors);
        }
        if self.approach == Approach::Growing && round.growth.is_none() {
            let start = round.state.parameters();
            definition.begin_growth(&estimation, &mut round, start, None);
        }
        if let Some(length) = pieces.filter(|_| round.growth.is_none()) {
            let start = round.state.parameters();
            definition.begin_pieces(&mut round, start, length, None);
        }
        let settled = definition.settle(&mut estimation, (round, known), Spent::default(), &mut search);
        progress.finish();
        let (results, round) = settled?;
        Ok(Fit::new(results, Solved::new(definition, estimation, round, of_tasks)))
    }

    /// Minimises until neither steps nor deviations need to change, and again with other steps where those that the fit
    /// has chosen do not serve for the found values; returns the fit and its last minimisation.
    pub(super) fn settle(
        &mut self,
        estimation: &mut EstimationProblem,
        mut begun: (Round, Option<Known>),
        mut spent: Spent,
        search: &mut Search<'_, '_>,
    ) -> Result<(FitResults, Round), IdentificationError> {
        loop {
            let last = self.rounds(estimation, begun, spent, search)?;
            spent = last.spent;
            let (remarks, at_start) = (last.ended.remarks.clone(), last.ended.at_start.clone());
            let (results, mut round, next) = self.conclude(estimation, last);
            let Some(next) = next else { return Ok((results, round)) };
            let unknowns = round.state.parameters();
            let Ok(mut finer) = self.with_choice(next, estimation) else { return Ok((results, round)) };
            finer.set_errors(&round.errors);
            finer.follow(search.progress);
            *estimation = finer;
            self.tell_steps(estimation, search.progress);
            let found = self.evaluation(estimation, None).bare_sensitivities(&unknowns);
            let found =
                found.map_err(|error| error.within(|| interrupted(&round.state, self.state_file.as_deref())))?;
            let state = round.state.restarted().with_settings(self.settings_of(false, round.iterations()));
            round.earlier.push(std::mem::replace(&mut round.state, state));
            round.choice = self.choice;
            begun = (round, Some(Known { unknowns, found, check: None, remarks, at_start }));
        }
    }

    /// Prepares the first minimisation: deviations that are not given are those of the residuals at the start values,
    /// and noise that is not given is white.
    ///
    /// Least-squares methods need the derivatives at the start values, with which the start is checked unless it is
    /// one of many.
    pub(super) fn first_round(
        &self,
        estimation: &mut EstimationProblem,
        is_only: bool,
        peers: Option<&Peers<'_>>,
    ) -> Result<(Round, Option<Known>), IdentificationError> {
        let is_rough = peers.map_or_else(|| estimation.estimates_deviations(), |peers| peers.are_estimated);
        let state = estimation.state.clone().with_settings(self.settings_of(is_rough, 0));
        let mut errors = Vec::new();
        let method = self.optimizer.method.resolved(estimation.has_residuals, estimation.unknowns.len());
        let is_checked = is_only && method.needs_residuals() && estimation.has_residuals;
        let mut known = None;
        if is_checked || estimation.by_likelihood || estimation.has_measured_tables() {
            let start = state.parameters();
            let mut evaluation = self.evaluation(estimation, peers);
            // the errors of chosen steps are small
            let found = match self.choice {
                Some(_) => evaluation.bare_sensitivities(&start),
                None => evaluation.sensitivities(&start),
            };
            let found = found.map_err(|error| at_start(error).within(|| interrupted(&state, None)))?;
            let rows = estimation.channel_rows(&found, &start);
            drop(evaluation);
            if is_checked {
                estimation.check_parameters(&found, &start)?;
            }
            if estimation.has_measured_tables() {
                estimation.check_tables(&rows)?;
            }
            if estimation.by_likelihood {
                let samples = peers.map_or_else(|| samples_of(&rows), |peers| peers.samples);
                errors = gathered(peers, Ok(estimation.first_errors(&rows, samples)))?;
                estimation.set_errors(own_errors(peers, &errors));
            }
            if is_checked {
                let check = estimation.checked(&found, &start, None);
                if !self.ignores_check {
                    check.verify()?;
                }
                let at_start = estimation.ratios_at_start(&found, &start);
                let remarks = check.of_data.clone();
                known = Some(Known { unknowns: start, found, check: Some(check), remarks, at_start });
            }
        }
        Ok((Round::first(state, errors, self.choice, is_rough), known))
    }

    /// Minimises until neither steps nor deviations need to change.
    pub(super) fn rounds(
        &self,
        estimation: &mut EstimationProblem,
        (mut round, known): (Round, Option<Known>),
        mut spent: Spent,
        search: &mut Search<'_, '_>,
    ) -> Result<LastRound, IdentificationError> {
        let (mut failed, mut moves) = (None, Vec::new());
        let peers = search.peers;
        let finer = self.finer_runs()?;
        let (mut known, mut remarks, ratios) = match known {
            Some(Known { unknowns, found, remarks, at_start, .. }) => (Some((unknowns, found)), remarks, at_start),
            None => (None, Vec::new(), Vec::new()),
        };
        loop {
            if round.growth.as_ref().is_some_and(|growth| growth.next.is_some()) {
                if let Some(found) = self.grow(estimation, &mut round, search)? {
                    return self.ended_in_pieces(estimation, round, (found, spent), remarks);
                }
                known = self.begin_whole(estimation, &mut round)?;
                if known.is_none() && abandon_growth(&mut round) {
                    known = self.begin_whole(estimation, &mut round)?;
                }
            }
            let mut evaluation = self.evaluation(estimation, peers);
            evaluation.begin_with(spent);
            if let Some((unknowns, found)) = known.take() {
                evaluation.know(&unknowns, found);
            }
            self.minimise(&mut evaluation, &mut round, search)?;
            if !round.is_rough {
                for remark in self.try_other_sign(&mut evaluation, &mut round, search)? {
                    if !remarks.contains(&remark) {
                        remarks.push(remark);
                    }
                }
            }
            let unknowns = round.state.parameters();
            let within =
                |error: IdentificationError| error.within(|| interrupted(&round.state, self.state_file.as_deref()));
            let information = match peers {
                Some(_) => evaluation.information(&unknowns).map_err(|failed| within(evaluation.named(failed)))?,
                None => None,
            };
            let mut found = evaluation.sensitivities(&unknowns).map_err(within)?;
            (spent, failed) = (evaluation.spent(), evaluation.failed.take().or(failed));
            drop(evaluation);
            // where finer steps fail, nothing is known about these unknowns: the error is one of the start
            let fine = finer.as_ref().map(|finer| finer.outputs(&unknowns)).transpose();
            let fine = fine.map_err(|error| at_start(within(error)))?;
            let moved = finer.as_ref().zip(fine.as_ref());
            let moved = moved.map(|(finer, fine)| finer.correct(estimation, (&outputs_of(&found), fine), &unknowns));
            let finer_settled = moved.is_none_or(Moved::is_settled);
            let finer_lost = moved.is_some_and(|moved| moved.is_lost(&moves));
            moves.extend(moved);
            let excess = estimation.step_excess(&unknowns)?;
            let rows = estimation.channel_rows(&found, &unknowns);
            let errors = match estimation.by_likelihood {
                true => {
                    let are_rough = round.is_rough && round.earlier.len() < MAX_ROUGH_ROUNDS;
                    let all = match peers {
                        Some(peers) => peers.all_channels(information.as_deref(), unknowns.len()),
                        None => estimation.all_channels(&rows, &unknowns),
                    };
                    gathered(peers, estimation.errors((&found, &rows), &unknowns, &all, are_rough))?
                }
                false => Vec::new(),
            };
            let may_climb = peers.is_none() && round.growth.is_none() && !estimation.has_costs();
            let lost = (&found[..], &rows[..], &ratios[..]);
            if may_climb && self.climb(estimation, &mut round, &unknowns, lost)? {
                continue;
            }
            let weights_settled = ChannelErrors::are_settled(&round.errors, &errors);
            // a file continues with the steps of the start
            let steps_serve = excess <= MAX_EXCESS || round.renewals == MAX_RENEWALS || search.file.is_some();
            let used = round.iterations();
            let has_ended = finer_lost
                || round.earlier_of_search().len() >= MAX_ROUNDS
                || used >= self.optimizer.maximum_iterations;
            if has_ended || weights_settled && steps_serve && finer_settled && !round.is_rough {
                if self.returns_to_better(estimation, &mut round, (&found, &rows)) {
                    known = self.begin_whole(estimation, &mut round)?;
                    continue;
                }
                if peers.is_none() && self.climb(estimation, &mut round, &unknowns, lost)? {
                    continue;
                }
                let finer = finer.zip(fine).map(|(finer, fine)| {
                    let parts = finer.parts();
                    // the fit reports the runs in finer steps
                    for (found, fine) in found.iter_mut().take(estimation.experiments.len()).zip(&fine) {
                        found.outputs = finer.sampled(fine, &found.outputs);
                        found.parts = parts;
                    }
                    finer.conclude(estimation);
                    FinerSteps { parts, settled: finer_settled }
                });
                let of_validation = self.find_own_of_validation(estimation, &unknowns);
                let of_validation = match peers {
                    Some(peers) => peers.agreed(of_validation)?,
                    None => of_validation?,
                };
                let ended = Ended { excess, weights_settled, finer, remarks, at_start: ratios, of_validation };
                return Ok(LastRound { round, found, rows, information, spent, failed, ended });
            }
            if steps_serve {
                known = Some((unknowns, found));
            } else {
                search.progress.say(&format!(
                    "steps are chosen again: at these parameters their error is {excess:.1} times the tolerance"
                ));
                estimation.renew_steps(&unknowns)?;
                round.renewals += 1;
            }
            estimation.set_errors(own_errors(peers, &errors));
            round.is_rough &= !ChannelErrors::are_near(&round.errors, &errors);
            let next = round.state.restarted().with_settings(self.settings_of(round.is_rough, used));
            round.earlier.push(std::mem::replace(&mut round.state, next));
            round.errors = errors;
        }
    }

    /// Concludes a search that ends with these runs, which consist of pieces, since no simulation follows the records.
    fn ended_in_pieces(
        &self,
        estimation: &mut EstimationProblem,
        mut round: Round,
        (found, spent): (Vec<LinearizedRun>, Spent),
        remarks: Vec<String>,
    ) -> Result<LastRound, IdentificationError> {
        let unknowns = round.state.parameters();
        let mut rows = estimation.channel_rows(&found, &unknowns);
        if estimation.by_likelihood {
            let all = estimation.all_channels(&rows, &unknowns);
            round.errors = estimation.errors((&found, &rows), &unknowns, &all, false)?;
            estimation.set_errors(&round.errors);
            rows = estimation.channel_rows(&found, &unknowns);
        }
        let experiments = estimation.experiments.iter().zip(&found);
        let costs = experiments.map(|(prepared, found)| prepared.comparison.value(&found.outputs, &unknowns));
        let cost = costs.sum::<f64>() + estimation.priors.cost(&unknowns);
        round.state = round.state.ended_at(cost);
        round.is_rough = false;
        let ended = Ended {
            excess: 0.0,
            weights_settled: true,
            finer: None,
            remarks,
            at_start: Vec::new(),
            of_validation: Vec::new(),
        };
        Ok(LastRound { round, found, rows, information: None, spent, failed: None, ended })
    }

    /// Prepares the runs in finer steps whose residuals are used, if finer steps are asked for.
    fn finer_runs(&self) -> Result<Option<FinerRuns>, IdentificationError> {
        match self.finer {
            0 | 1 => Ok(None),
            parts => Ok(Some(FinerRuns::new(parts, self.prepare_in(parts as f64)?))),
        }
    }

    /// Corrects the channels of a campaign by the change that finer steps make at its start values.
    pub(super) fn correct_at_start(&self, estimation: &mut EstimationProblem) -> Result<(), IdentificationError> {
        let Some(finer) = self.finer_runs()? else { return Ok(()) };
        let start = estimation.state.parameters();
        let own = estimation.outputs(&start).map_err(at_start)?;
        let fine = finer.outputs(&start).map_err(at_start)?;
        finer.correct(estimation, (&own.iter().collect::<Vec<_>>(), &fine), &start);
        Ok(())
    }

    /// Returns the optimizer's settings after `used` iterations.
    pub(super) fn settings_of(&self, is_rough: bool, used: usize) -> OptimizerSettings {
        /// Tolerances of cost and gradient as long as weights have not settled.
        const ROUGH_TOLERANCE: f64 = 1e-4;
        let mut settings = self.optimizer.clone();
        settings.maximum_iterations = settings.maximum_iterations.saturating_sub(used);
        if is_rough {
            settings.cost_tolerance = settings.cost_tolerance.max(ROUGH_TOLERANCE);
            settings.gradient_tolerance = settings.gradient_tolerance.max(ROUGH_TOLERANCE);
            settings.small_iterations = 1;
        }
        settings
    }

    /// Begins a minimisation of the whole records with the deviations that the residuals have there; returns the runs,
    /// or nothing where there are none: the minimisation says why.
    fn begin_whole(
        &self,
        estimation: &mut EstimationProblem,
        round: &mut Round,
    ) -> Result<Option<Begun>, IdentificationError> {
        let unknowns = round.state.parameters();
        let mut evaluation = self.evaluation(estimation, None);
        let found = match evaluation.sensitivities(&unknowns) {
            Err(error @ IdentificationError::Interrupted(_)) => {
                return Err(error.within(|| interrupted(&round.state, self.state_file.as_deref())));
            }
            found => found.ok(),
        };
        drop(evaluation);
        let Some(found) = found else { return Ok(None) };
        if estimation.by_likelihood {
            let rows = estimation.channel_rows(&found, &unknowns);
            round.errors = estimation.first_errors(&rows, samples_of(&rows));
            estimation.set_errors(&round.errors);
        }
        round.is_rough = estimation.estimates_deviations();
        let settings = self.settings_of(round.is_rough, round.iterations());
        round.state = round.state.clone().with_settings(settings);
        Ok(Some((unknowns, found)))
    }
}

/// Runs with their derivatives, and the check, at the start values.
pub(super) struct Known {
    unknowns: Vec<f64>,
    found: Vec<LinearizedRun>,
    /// The check; `None` where it was made before.
    check: Option<IdentificationCheck>,
    /// Doubts so far that the fit repeats.
    remarks: Vec<String>,
    /// Ratios of measured and computed values.
    at_start: Vec<Suspicion>,
}
