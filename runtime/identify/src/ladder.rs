//! The ladder from start values to those with which one simulation keeps the phase of the records: pieces, then growing
//! parts. Where a computed signal runs out of phase, the cost of the whole record has minima in which nothing is right,
//! and that of short pieces, or of a short beginning, has one. Each growing part begins with the values that the part
//! before has found.

use costate_cost::Cost;
use costate_cost::residuals::{Loss, Residuals, Suspicion, agreement, normalised_mad, root_mean_square};
use costate_optimize::{LinearResiduals, OptimizerState, StartError, Variable};
use costate_system::series::Series;

use super::definition::Definition;
use super::definition::approach::Approach;
use super::definition::error::{IdentificationError, SpecificationError};
use super::definition::noise::ChannelErrors;
use super::definition::step_choice::StepChoice;
use super::estimation::covariance::ChannelRows;
use super::estimation::evaluation::Spent;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::linearized_run::LinearizedRun;
use super::estimation::observed::{Observed, Places};
use super::estimation::progress::Progress;
use super::estimation::reweighting::{Round, Rung};
use super::pieces::{self, InPieces};
use super::result::explanation::Explanation;
use super::search::{Search, interrupted};
use super::thresholds::SAME_COST;

impl Definition {
    /// Returns true if parts of the runs can be fitted: unknown inputs belong to whole runs.
    pub(super) fn can_grow(&self) -> bool {
        let is_measured = self.fitted_runs().iter().any(|one| !one.measurements.is_empty());
        is_measured && self.fitted_experiments().iter().all(|one| one.unknown_inputs.is_empty())
    }

    /// Returns true if costs beside the measured channels are fitted, which belong to whole runs.
    pub(super) fn has_costs(&self) -> bool {
        self.fitted_experiments().iter().any(|one| !one.costs.is_empty())
    }

    /// Refuses growing parts and pieces where there are none.
    pub(super) fn check_approach(&self) -> Result<(), SpecificationError> {
        match self.approach {
            Approach::Automatic | Approach::Single => Ok(()),
            _ if !self.can_grow() || self.has_costs() => Err(SpecificationError::NothingGrows),
            Approach::Pieces(0) => {
                let remedy = "give a number of 1 or more";
                Err(SpecificationError::Pieces { what: "0 pieces".to_owned(), remedy })
            }
            Approach::PiecesOf(length) if !(length > 0.0 && length.is_finite()) => {
                let remedy = "give a positive number of seconds";
                Err(SpecificationError::Pieces { what: format!("pieces of {length} s"), remedy })
            }
            _ => Ok(()),
        }
    }

    /// Takes the next rung of the ladder where a fit with these unknowns and runs has lost the phase: pieces, then
    /// growing parts. Parts are of the channels alone, so that costs such as spectra, which have minima of their own,
    /// follow with values that are nearly right. Returns true if another search begins.
    pub(super) fn climb(
        &self,
        estimation: &EstimationProblem,
        round: &mut Round,
        unknowns: &[f64],
        (found, rows, at_start): (&[LinearizedRun], &[ChannelRows], &[Suspicion]),
    ) -> Result<bool, IdentificationError> {
        let rung = round.growth.as_ref().map(|growth| growth.rung);
        if self.approach != Approach::Automatic || rung == Some(Rung::Parts) || !self.can_grow() {
            return Ok(false);
        }
        let start = Explanation::start_of_growth(estimation, round, (found, rows), unknowns, at_start);
        let Some(start) = start else { return Ok(false) };
        let before = Some((unknowns.to_vec(), self.misfit(estimation, round, (found, rows))));
        match rung {
            None if self.can_be_cut(estimation) => {
                let length = self.length_of_pieces(estimation)?;
                self.begin_pieces(round, start, length, before);
            }
            _ => self.begin_growth(estimation, round, start, before),
        }
        Ok(true)
    }

    /// Begins a fit over growing parts, from these values.
    pub(super) fn begin_growth(
        &self,
        estimation: &EstimationProblem,
        round: &mut Round,
        start: Vec<f64>,
        before: Option<(Vec<f64>, f64)>,
    ) {
        /// Bounds of the first part.
        const MIN_PART: f64 = 1.0 / 64.0;
        const MAX_PART: f64 = 0.5;
        /// The first part where nothing shows for how long the phase is kept.
        const DEFAULT_PART: f64 = 0.125;
        let first = kept(estimation, &start).unwrap_or(DEFAULT_PART).clamp(MIN_PART, MAX_PART);
        round.climb_to((Rung::Parts, first), start, before);
    }

    /// Returns true if the runs can be cut into pieces: filters, coloured noise and unknown delays need samples beside
    /// those of a piece, adaptive steps belong to a whole run, and a run of higher order does not end in a state,
    /// unless the fit has chosen that order.
    pub(super) fn can_be_cut(&self, estimation: &EstimationProblem) -> bool {
        let is_of_samples = |channel: &Observed| {
            channel.filter.is_none() && channel.noise.is_none() && matches!(channel.places, Places::Fixed(_))
        };
        let can_be_cut = |prepared: &ExperimentProblem| {
            let steps = prepared.problem.require_constant_steps("a run in pieces");
            let is_chosen = self.chooses_steps() && self.choice.is_some_and(|choice| choice.order > 2);
            (is_chosen || steps.is_ok()) && prepared.comparison.channels.iter().all(is_of_samples)
        };
        self.can_grow() && !self.has_costs() && estimation.experiments.iter().all(can_be_cut)
    }

    /// Returns the length of the pieces in s: as asked for, or a part of a period of the measured signals.
    pub(super) fn length_of_pieces(&self, estimation: &EstimationProblem) -> Result<f64, SpecificationError> {
        /// Length of a piece in periods of the fastest channel: a start and wrong values follow any measured motion for
        /// so long.
        const PERIODS: f64 = 0.25;
        /// Pieces of a record at most, and where no channel has a period.
        const MAX_PIECES: f64 = 1000.0;
        const DEFAULT_PIECES: f64 = 20.0;
        let ends = estimation.experiments.iter().map(|prepared| prepared.problem.settings().end);
        let longest = ends.fold(0.0, f64::max);
        let (length, what) = match self.approach {
            Approach::PiecesOf(length) => (length, format!("pieces of {length} s")),
            Approach::Pieces(number) => (longest / number as f64, format!("{number} pieces")),
            _ => {
                let length = estimation.shortest_period().map_or(longest / DEFAULT_PIECES, |period| PERIODS * period);
                return Ok(length.max(longest / MAX_PIECES));
            }
        };
        if !self.can_be_cut(estimation) {
            let remedy = "leave out filters, coloured noise, unknown delays, adaptive steps and high orders, \
                which need whole runs";
            return Err(SpecificationError::Pieces { what, remedy });
        }
        match length >= longest_step(estimation) {
            true => Ok(length),
            false => Err(SpecificationError::Pieces { what, remedy: "a piece has a step of the run at least" }),
        }
    }

    /// Checks the steps at the start values; returns the length of the pieces with which the fit begins, in s: where
    /// these are asked for, and where a simulation of the whole records is inaccurate because errors grow, but not over
    /// a piece.
    pub(super) fn first_pieces(&self, estimation: &EstimationProblem) -> Result<Option<f64>, IdentificationError> {
        let is_of_second_order = self.choice.is_none_or(|choice| choice.order == 2);
        let may_begin = self.approach.is_in_pieces()
            || self.approach == Approach::Automatic && is_of_second_order && self.can_be_cut(estimation);
        let checked = self.check_start(estimation);
        if !may_begin {
            return checked.map(|()| None);
        }
        let start = estimation.state.parameters();
        match checked {
            Ok(()) if self.approach == Approach::Automatic => return Ok(None),
            Ok(()) => return Ok(Some(self.length_of_pieces(estimation)?)),
            Err(_) => (),
        }
        let length = self.length_of_pieces(estimation)?;
        for prepared in &estimation.experiments {
            let problem = prepared.problem_at(&start)?;
            let steps = (length / problem.settings().step).ceil() as usize;
            let part = problem.part(0..=steps, None)?;
            let run = part.forward(&prepared.parameters(&start))?;
            if part.check_accuracy(&run, &run.outputs()).is_err() {
                return checked.map(|()| None);
            }
        }
        Ok(Some(length))
    }

    /// Prepares the round of a fit that begins with pieces: errors of channels that are not given are those of the
    /// measured values until the pieces are found.
    pub(super) fn round_of_pieces(&self, estimation: &mut EstimationProblem) -> Round {
        let is_rough = estimation.estimates_deviations();
        let state = estimation.state.clone().with_settings(self.settings_of(is_rough, 0));
        let mut errors = Vec::new();
        if estimation.by_likelihood {
            let of_channel = |channel: &Observed| {
                let size = channel.given_deviation.unwrap_or_else(|| channel.at_least(f64::INFINITY));
                ChannelErrors::white(size)
            };
            let of_priors = estimation.priors.combined.iter().filter(|prior| prior.is_estimated);
            let of_priors: Vec<_> = of_priors.map(|prior| ChannelErrors::white(prior.deviation)).collect();
            errors = estimation.channels().map(of_channel).chain(of_priors).collect();
            estimation.set_errors(&errors);
        }
        Round::first(state, errors, self.choice, is_rough)
    }

    /// Begins a fit in pieces of so many seconds, from these values.
    pub(super) fn begin_pieces(
        &self,
        round: &mut Round,
        start: Vec<f64>,
        length: f64,
        before: Option<(Vec<f64>, f64)>,
    ) {
        round.climb_to((Rung::Pieces(length), 1.0), start, before);
    }

    /// Fits in pieces of so many seconds, and makes `round` the minimisation of the whole records that begins with the
    /// values that these have found; returns the runs that consist of the pieces where no simulation follows the
    /// records.
    fn fit_in_pieces(
        &self,
        estimation: &EstimationProblem,
        round: &mut Round,
        search: &mut Search<'_, '_>,
        length: f64,
    ) -> Result<Option<Vec<LinearizedRun>>, IdentificationError> {
        let Some(mut growth) = round.growth.clone() else { return Ok(None) };
        let of_second_order = self.in_second_order(estimation, round)?;
        let estimation = of_second_order.as_ref().unwrap_or(estimation);
        /// Trials with pieces of half the length each, where these are not asked for: of those that are too long, some
        /// end in a wrong minimum.
        const MAX_TRIALS: i32 = 3;
        /// Steps of a shorter piece at least: the start of a piece takes the time of some steps.
        const MIN_STEPS: f64 = 16.0;
        let trials = if self.approach.is_in_pieces() { 1 } else { MAX_TRIALS };
        let mut best = None;
        for trial in 0..trials {
            let length = 0.5_f64.powi(trial) * length;
            if best.is_some() && length < MIN_STEPS * longest_step(estimation) {
                break;
            }
            let found = pieces::fit(estimation, &growth.unknowns, length, &mut |found| {
                let (pieces, gap) = (found.pieces, found.gap);
                search.progress.say(&format!("{pieces} pieces are fitted: gaps of {gap:.1e} of the motion are left"));
                self.tell_trial(&format!("{pieces} pieces, with gaps of {gap:.1e} of the motion"), None);
                let is_whole = found.gap <= pieces::MAX_GAP || explains_most(estimation, found);
                is_whole && follows(estimation, found)
            });
            let is_right = found.as_ref().is_ok_and(|found| explains_most(estimation, found));
            let size = found.as_ref().map_or(f64::INFINITY, |found| found.size(estimation));
            // both ends are one if their likelihoods are
            let is_same = best.as_ref().is_some_and(|(least, _): &(f64, _)| (size - least).abs() < 1.0);
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, found));
            }
            if is_right || is_same || self.run.interrupt.is_triggered() {
                break;
            }
        }
        self.tell_trial("", None);
        let Some((_, found)) = best else { return Ok(None) };
        if self.run.interrupt.is_triggered() {
            return Err(interrupted(&round.state, self.state_file.as_deref()).into());
        }
        growth.next = None;
        match found {
            Ok(found) => {
                (growth.pieces, growth.unknowns) = (found.pieces, found.unknowns);
                let next = beginning_with(round, &growth.unknowns)?;
                growth.only_in_pieces = found.joined.is_some();
                let runs = found.joined.map(|joined| {
                    growth.by_known = joined.by_known;
                    joined.runs
                });
                round.growth = Some(growth);
                go_on_with(round, next);
                Ok(runs)
            }
            // the fit before stays
            Err(_) if growth.before.is_some() => {
                round.growth = Some(growth);
                abandon_growth(round);
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Prepares the campaign with runs of second order, where a higher one was chosen.
    fn in_second_order(
        &self,
        estimation: &EstimationProblem,
        round: &Round,
    ) -> Result<Option<EstimationProblem>, IdentificationError> {
        let Some(choice) = self.choice.filter(|choice| choice.order > 2) else { return Ok(None) };
        let mut prepared = self.clone().with_choice(StepChoice { order: 2, ..choice }, estimation)?;
        prepared.set_errors(&round.errors);
        Ok(Some(prepared))
    }

    /// Fits the parts that are left, and makes `round` the minimisation of the whole records that begins where these
    /// end. Returns runs that consist of pieces, where these are the result.
    pub(super) fn grow(
        &self,
        estimation: &EstimationProblem,
        round: &mut Round,
        search: &mut Search<'_, '_>,
    ) -> Result<Option<Vec<LinearizedRun>>, IdentificationError> {
        /// The part from which on the whole record is fitted, at first without costs beside its channels.
        const MAX_PART: f64 = 0.8;
        if let Some(Rung::Pieces(length)) = round.growth.as_ref().map(|growth| growth.rung) {
            search.keep(round, &self.run.interrupt)?;
            return self.fit_in_pieces(estimation, round, search, length);
        }
        while let Some(growth) = round.growth.clone()
            && let Some(part) = growth.next
        {
            search.keep(round, &self.run.interrupt)?;
            let words = format!("a part of {:.1} % of the records", 100.0 * part);
            search.progress.say(&format!("{words} is fitted"));
            self.tell_trial(&words, None);
            let fitted = self.fit_part(part, &growth.unknowns, search.progress);
            self.tell_trial("", None);
            let found = match fitted {
                Err(error @ IdentificationError::Interrupted(_)) => {
                    let path = self.state_file.as_deref();
                    return Err(error.within(|| interrupted(&round.state, path)));
                }
                // a part that cannot be fitted is left out
                found => found.ok(),
            };
            let mut growth = growth;
            let found = found.filter(|found| beginning_with(round, found).is_ok());
            if let Some(found) = found {
                growth.parts.push(part);
                growth.unknowns = found;
            }
            let longer = kept(estimation, &growth.unknowns).unwrap_or(0.0).max(2.0 * part);
            let whole = (self.has_costs() && part < 1.0).then_some(1.0);
            growth.next = Some(longer).filter(|longer| *longer < MAX_PART).or(whole);
            let ended = growth.next.is_none().then(|| growth.unknowns.clone());
            round.growth = Some(growth);
            if let Some(unknowns) = ended {
                let next = beginning_with(round, &unknowns)?;
                go_on_with(round, next);
            }
        }
        Ok(None)
    }

    /// Fits a part of every run, from these values.
    fn fit_part(&self, part: f64, start: &[f64], progress: &mut Progress<'_>) -> Result<Vec<f64>, IdentificationError> {
        let definition = self.part(part)?;
        let mut estimation = definition.prepare()?;
        estimation.begin_at(start)?;
        definition.correct_at_start(&mut estimation)?;
        let first = definition.first_round(&mut estimation, true, None)?;
        let mut search = Search::unstored(progress);
        let last = definition.rounds(&mut estimation, first, Spent::default(), &mut search)?;
        Ok(last.round.state.parameters())
    }

    /// Returns the identification without files, checks and validation, with few iterations: its end is a start of
    /// others, or is compared with other ends.
    pub(super) fn trial(&self, max_iterations: usize) -> Self {
        /// Smallest tolerance of the search.
        const MIN_TOLERANCE: f64 = 1e-5;
        // an unknown may begin to act later
        let mut definition = Self { ignores_check: true, state_file: None, ..self.clone() };
        definition.experiments.retain(|experiment| !experiment.validates);
        definition.change_settings(|settings| settings.error_limit = None);
        let optimizer = &mut definition.optimizer;
        optimizer.maximum_iterations = optimizer.maximum_iterations.min(max_iterations);
        optimizer.cost_tolerance = optimizer.cost_tolerance.max(MIN_TOLERANCE);
        optimizer.gradient_tolerance = optimizer.gradient_tolerance.max(MIN_TOLERANCE);
        definition
    }

    /// Returns the identification from the beginnings of the runs alone.
    fn part(&self, part: f64) -> Result<Self, IdentificationError> {
        /// Iterations of the fit of a part at most: the next part begins there, and no result.
        const MAX_ITERATIONS: usize = 40;
        let mut definition = Self { approach: Approach::Single, ..self.trial(MAX_ITERATIONS) };
        let alone = definition.experiments.is_empty();
        let all = definition.all_experiments();
        let runs = all.into_iter().map(|one| match one.has_run() {
            true => self.run_settings(one).map(|settings| Some((settings.step, settings.end))),
            false => Ok(None),
        });
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        let all = if alone { std::slice::from_mut(&mut definition.own) } else { &mut definition.experiments[..] };
        for (experiment, run) in all.iter_mut().zip(runs) {
            let Some((step, end)) = run else { continue };
            let steps = (part * end / step).ceil().max(1.0);
            let beginning = self.beginning(experiment);
            experiment.end = Some(steps * step);
            experiment.costs.clear();
            for measurement in &mut experiment.measurements {
                // of the record's times
                measurement.data.masked.push((beginning + (steps + 0.5) * step, f64::INFINITY));
            }
        }
        Ok(definition)
    }

    /// Compares the end of the whole records with that of the fit before; returns true if `round` begins again, at the
    /// better one.
    pub(super) fn returns_to_better(
        &self,
        estimation: &EstimationProblem,
        round: &mut Round,
        runs: (&[LinearizedRun], &[ChannelRows]),
    ) -> bool {
        let misfit = self.misfit(estimation, round, runs);
        let Some(growth) = round.growth.as_mut().filter(|growth| !growth.is_compared) else {
            return false;
        };
        growth.is_compared = true;
        match growth.before.clone() {
            Some((_, before)) if misfit.is_nan() || misfit >= before - SAME_COST * before.abs() => {
                growth.was_better = true;
                let earlier = growth.earlier;
                go_back(round, earlier);
                true
            }
            _ => false,
        }
    }

    /// Returns a measure of the residuals that does not depend on estimated weights: minus the logarithm of the
    /// likelihood up to a constant, and further costs, or the cost where weights are given.
    fn misfit(
        &self,
        estimation: &EstimationProblem,
        round: &Round,
        (found, rows): (&[LinearizedRun], &[ChannelRows]),
    ) -> f64 {
        if !estimation.by_likelihood {
            return round.state.cost();
        }
        let of_channel = |(channel, rows): (&Observed, &ChannelRows)| {
            let count = rows.residuals.len() as f64;
            let size = match self.loss {
                Loss::Squares => root_mean_square(&rows.residuals),
                _ => normalised_mad(&rows.residuals).unwrap_or(f64::INFINITY),
            };
            match channel.given_deviation {
                Some(given) => 0.5 * count * (size / given).powi(2),
                None => count * channel.at_least(size).ln(),
            }
        };
        let costs = estimation.experiments.iter().zip(found);
        let costs = costs.map(|(prepared, found)| prepared.comparison.costs.value(&found.outputs));
        estimation.channels().zip(rows).map(of_channel).chain(costs).sum()
    }
}

/// Goes back to the end of the fit before the parts, where no run is possible with what these have found; returns false
/// if there was none.
pub(super) fn abandon_growth(round: &mut Round) -> bool {
    let Some(growth) = round.growth.as_mut().filter(|growth| growth.before.is_some()) else { return false };
    (growth.is_compared, growth.was_better) = (true, true);
    let earlier = growth.earlier;
    go_back(round, earlier);
    true
}

/// Returns a minimisation that begins with these values; an error for values that are lost in rounding.
fn beginning_with(round: &Round, unknowns: &[f64]) -> Result<OptimizerState, StartError> {
    let variables = round.state.variables().iter().zip(unknowns);
    let variables: Vec<Variable> = variables.map(|(variable, value)| variable.starting_with(*value)).collect();
    OptimizerState::new(variables, round.state.settings().clone())
}

/// Makes a round that goes on with this minimisation, after those so far.
fn go_on_with(round: &mut Round, next: OptimizerState) {
    round.earlier.push(std::mem::replace(&mut round.state, next));
}

/// Makes a round that goes on where the fit before the parts has ended.
fn go_back(round: &mut Round, earlier: usize) {
    if let Some(before) = earlier.checked_sub(1).and_then(|number| round.earlier.get(number)) {
        let next = before.restarted();
        go_on_with(round, next);
    }
}

/// Returns the largest step of all runs, in s.
fn longest_step(estimation: &EstimationProblem) -> f64 {
    estimation.experiments.iter().map(|prepared| prepared.problem.settings().step).fold(0.0, f64::max)
}

/// Returns true if what the pieces have found explains nearly all of the records.
fn explains_most(estimation: &EstimationProblem, found: &InPieces) -> bool {
    let simulated = match found.joined {
        Some(_) => None,
        None => estimation.outputs(&found.unknowns).ok(),
    };
    let simulated: Vec<LinearizedRun> =
        simulated.into_iter().flatten().map(LinearizedRun::without_derivatives).collect();
    let runs = found.joined.as_ref().map_or(&simulated, |joined| &joined.runs);
    !runs.is_empty() && estimation.explains_most(runs, &found.unknowns)
}

/// Returns true if one simulation with the found values follows the records about as well as the pieces do.
fn follows(estimation: &EstimationProblem, found: &InPieces) -> bool {
    /// Largest ratio of the residuals of one simulation to those of the pieces.
    const MAX_RATIO: f64 = 2.0;
    let Ok(outputs) = estimation.outputs(&found.unknowns) else { return false };
    let mut sizes = found.residuals.iter();
    estimation.experiments.iter().zip(&outputs).all(|(prepared, outputs)| {
        let rows = prepared.comparison.channel_rows(outputs, &[], &found.unknowns);
        rows.iter().zip(sizes.by_ref()).all(|(rows, size)| {
            let mut linear = LinearResiduals::default();
            rows.add_linear(&mut linear);
            root_mean_square(&linear.values) <= MAX_RATIO * size
        })
    })
}

/// Returns the share of the runs, from the beginning on, over which all channels keep their phase with these unknowns,
/// and two periods of the signals at least; `None` where no signal has two periods, or no run is possible.
fn kept(estimation: &EstimationProblem, unknowns: &[f64]) -> Option<f64> {
    let outputs = estimation.outputs(unknowns).ok()?;
    let of_run = |(prepared, outputs): (&ExperimentProblem, &Series<f64>)| {
        let end = prepared.problem.settings().end;
        let of_channel = |channel: &Observed| {
            let fitted = channel.fitted(outputs, unknowns);
            let residuals: Vec<f64> = fitted.iter().zip(&channel.values).map(|(s, y)| s - y).collect();
            let residuals = Residuals::new("", &channel.times, &residuals, &channel.values).ok()?;
            let phase = agreement(&residuals)?.phase?;
            Some(phase.until.max(phase.two_periods) / end)
        };
        prepared.comparison.channels.iter().filter_map(of_channel).reduce(f64::min)
    };
    estimation.experiments.iter().zip(&outputs).filter_map(of_run).reduce(f64::min)
}
