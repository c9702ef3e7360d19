//! Fits over growing parts of the records: where a computed signal runs out of phase, the cost of the whole record has
//! minima in which nothing is right, and that of a short beginning has one. Each part begins with the values that the
//! part before has found.

use costate_cost::residuals::{Loss, Residuals, agreement, normalised_mad, root_mean_square};
use costate_optimize::{OptimizerState, StartError, Variable};
use costate_system::series::Series;

use super::definition::Definition;
use super::definition::error::{IdentificationError, SpecificationError};
use super::definition::growing::Growing;
use super::estimation::covariance::ChannelRows;
use super::estimation::evaluation::Spent;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::observed::Observed;
use super::estimation::progress::Progress;
use super::estimation::reweighting::{Growth, Round};
use super::search::{Search, interrupted};
use super::thresholds::SAME_COST;

impl Definition {
    /// Returns true if parts of the runs can be fitted: unknown inputs and further costs belong to whole runs.
    pub(super) fn can_grow(&self) -> bool {
        let experiments = self.fitted_experiments();
        !self.fitted_runs().is_empty()
            && experiments.iter().all(|one| one.costs.is_empty() && one.unknown_inputs.is_empty())
    }

    /// Refuses growing parts where there are none.
    pub(super) fn check_growing(&self) -> Result<(), SpecificationError> {
        if self.growing != Growing::Always || self.can_grow() {
            return Ok(());
        }
        Err(SpecificationError::NothingGrows)
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
        round.growth = Some(Growth {
            unknowns: start,
            next: Some(first),
            parts: Vec::new(),
            before,
            is_compared: false,
            was_better: false,
            earlier: round.earlier.len() + 1,
        });
    }

    /// Fits the parts that are left, and makes `round` the minimisation of the whole records that begins where these
    /// end.
    pub(super) fn grow(
        &self,
        estimation: &EstimationProblem,
        round: &mut Round,
        search: &mut Search<'_, '_>,
    ) -> Result<(), IdentificationError> {
        /// The part from which on the whole record is fitted.
        const MAX_PART: f64 = 0.8;
        while let Some(growth) = round.growth.clone()
            && let Some(part) = growth.next
        {
            search.keep(round, &self.run.interrupt)?;
            search.progress.say(&format!("a part of {:.1} % of the records is fitted", 100.0 * part));
            let found = match self.fit_part(part, &growth.unknowns, search.progress) {
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
            growth.next = Some(longer).filter(|longer| *longer < MAX_PART);
            let ended = growth.next.is_none().then(|| growth.unknowns.clone());
            round.growth = Some(growth);
            if let Some(unknowns) = ended {
                let next = beginning_with(round, &unknowns)?;
                go_on_with(round, next);
            }
        }
        Ok(())
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

    /// Returns the identification from the beginnings of the runs alone.
    fn part(&self, part: f64) -> Result<Self, IdentificationError> {
        /// Iterations of the fit of a part at most, and its smallest tolerance: the next part begins there, and no
        /// result.
        const MAX_ITERATIONS: usize = 40;
        const MIN_TOLERANCE: f64 = 1e-5;
        let mut definition = Self {
            growing: Growing::Never,
            // an unknown may begin to act later
            ignores_check: true,
            state_file: None,
            ..self.clone()
        };
        definition.experiments.retain(|experiment| !experiment.validates);
        definition.change_settings(|settings| settings.error_limit = None);
        let optimizer = &mut definition.optimizer;
        optimizer.maximum_iterations = optimizer.maximum_iterations.min(MAX_ITERATIONS);
        optimizer.cost_tolerance = optimizer.cost_tolerance.max(MIN_TOLERANCE);
        optimizer.gradient_tolerance = optimizer.gradient_tolerance.max(MIN_TOLERANCE);
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
        rows: &[ChannelRows],
    ) -> bool {
        let misfit = self.misfit(estimation, round, rows);
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
    /// likelihood up to a constant, or the cost where weights are given.
    pub(super) fn misfit(&self, estimation: &EstimationProblem, round: &Round, rows: &[ChannelRows]) -> f64 {
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
        estimation.channels().zip(rows).map(of_channel).sum()
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
