//! Identifications from many starts.
//!
//! Starts are tasks of an ensemble, and starts that go in lanes are groups of tasks. Results are stored as JSON; errors
//! keep their types where this process has seen them.

use std::sync::{Mutex, PoisonError};

use costate_numerics::scalar::LANES;
use costate_optimize::{MultistartError, MultistartProgress, check_starts, multistart_states};
use costate_system::ensemble::{self, Ensemble, Errors, Outcome, Tasks};
use costate_system::gradient::GradientMethod;
use costate_system::interrupt::{Interrupted, InterruptedWork};
use costate_system::state_file::Description;

use super::definition::Definition;
use super::definition::approach::Approach;
use super::definition::error::{IdentificationError, SpecificationError, StartValuesError};
use super::estimation::evaluation::Spent;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::progress::{MultistartProgressBar, Progress};
use super::estimation::reweighting::Round;
use super::result::fit::Fit;
use super::result::fitted_start::{EndedStart, FittedStart};
use super::search::Search;
use super::solved::Solved;
use super::starts::{Minimised, Starts};

impl Definition {
    pub(super) fn multistart(
        mut self,
        starts: usize,
        seed: u64,
        ensemble: &Ensemble<'_>,
    ) -> Result<Fit, IdentificationError> {
        self.check_multistart()?;
        // up to four on a thread
        let at_once = (LANES * rayon::current_num_threads()).min(starts);
        self.change_settings(|settings| settings.checkpoints = settings.checkpoints.shared_by(at_once));
        let mut estimation = self.prepare()?;
        self.choose_steps(&mut estimation)?;
        self.check_start(&estimation)?;
        check_starts(estimation.state.variables(), starts).map_err(MultistartError::from)?;
        estimation.check_memory(at_once)?;
        let mut description = self.tasks_description(&estimation);
        let of_tasks = description.clone();
        description.text("the number of starts", starts);
        description.text("the seed of the starts", seed);
        let (first, _) = self.first_round(&mut estimation, false, None)?;
        let (members, spent) = self.minimise_each(&estimation, (description, ensemble), (starts, seed))?;
        let ended = members.iter().filter(|member| member.outcome.is_ok()).count();
        // The lowest cost comes first, failures last.
        let best = members.first().filter(|member| member.outcome.is_ok()).map(|member| member.state.clone());
        let members: Vec<_> = members.into_iter().map(FittedStart::new).collect();
        let Some(best) = best else { return Err(every_start_failed(members)) };
        let mut progress = Progress::new(self.progress, estimation.problems());
        estimation.follow(&progress);
        let round = Round { state: best, alternative: Some(estimation.state.parameters()), ..first };
        let settled = self.settle(&mut estimation, (round, None), spent, &mut Search::unstored(&mut progress));
        progress.finish();
        let (results, round) = settled.map_err(|error| error.within(|| all_interrupted(ended, starts)))?;
        Ok(Fit::new(results, Solved::new(self, estimation, round, of_tasks)).with_starts(members))
    }

    /// Minimises from all starts; returns the ends, lowest cost first and failed ones last, and the work of all of
    /// them.
    fn minimise_each(
        &self,
        estimation: &EstimationProblem,
        (description, ensemble): (Description, &Ensemble<'_>),
        (starts, seed): (usize, u64),
    ) -> Result<(Vec<EndedStart>, Spent), IdentificationError> {
        let (method, gradient) = (self.optimizer.method, self.gradient_method);
        let resolved = method.resolved(estimation.has_residuals, estimation.unknowns.len());
        let in_lanes = !resolved.needs_residuals()
            && gradient == GradientMethod::DiscreteAdjoint
            && estimation.experiments.iter().all(ExperimentProblem::runs_in_lanes);
        let starting = Starts {
            estimation,
            states: multistart_states(estimation.state.variables(), &self.optimizer, starts, seed)?,
            methods: (method, gradient),
            spent: Mutex::default(),
            errors: Errors::default(),
        };
        let progress = MultistartProgressBar::new(self.progress, estimation.problems(), starts);
        let mut best = None::<f64>;
        let show = |outcome: &Outcome<Minimised>, all: &ensemble::Progress| {
            let cost = outcome.result.as_ref().ok().map(|found| found.state.cost());
            best = [best, cost].into_iter().flatten().reduce(f64::min);
            let number = outcome.number;
            progress.show(MultistartProgress { number, cost, ended: all.done, starts: all.tasks, best });
        };
        let tasks = Tasks::new("a multistart", starts).described(description);
        let ensemble = ensemble.clone().interrupt(self.run.interrupt.clone());
        let outcomes = if in_lanes {
            let group = starts.div_ceil(ensemble.at_once().max(1)).clamp(1, LANES);
            ensemble.run_in_groups(&tasks, group, |tasks, end| starting.side_by_side(tasks, end), show)
        } else {
            ensemble.run(&tasks, |task| starting.alone(task), show)
        };
        progress.finish();
        let outcomes = outcomes?;
        if outcomes.is_interrupted() {
            let work = all_interrupted(outcomes.done() - outcomes.failed(), starts);
            return Err(Interrupted::with_folder(work.work, ensemble.logs()).into());
        }
        let Starts { states, spent, errors, .. } = starting;
        let mut spent = spent.into_inner().unwrap_or_else(PoisonError::into_inner);
        spent.simulations = 0;
        let mut members = Vec::with_capacity(starts);
        for (outcome, fresh) in outcomes.complete()?.into_iter().zip(states) {
            let number = outcome.number;
            let (error, found) = match outcome.result {
                Ok(found) => (None, Some(found)),
                Err(failure) => (Some(failure.error), failure.left),
            };
            let error = error.map(|message| {
                let known = errors.take(number, &message);
                known.unwrap_or(IdentificationError::Task { message })
            });
            spent.simulations += found.as_ref().map_or(0, |found| found.simulations);
            let start = fresh.parameters();
            let state = found.map_or(fresh, |found| *found.state);
            let outcome = match (error, state.stop()) {
                (Some(error), _) => Err(error),
                (None, Some(stop)) => Ok(stop),
                (None, None) => Err(IdentificationError::Task { message: "its state has not ended".to_owned() }),
            };
            members.push(EndedStart { number, start, state, outcome });
        }
        let cost = |member: &EndedStart| member.cost().unwrap_or(f64::INFINITY);
        members.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.number.cmp(&b.number)));
        Ok((members, spent))
    }

    /// Refuses settings that belong to a single minimisation.
    fn check_multistart(&self) -> Result<(), SpecificationError> {
        let refused = |what, method| Err(SpecificationError::NotInMultistart { what, method });
        if self.state_file.is_some() {
            return refused("state file", "state_file");
        }
        match self.approach {
            Approach::Growing => refused("growing parts", "approach"),
            Approach::Pieces(_) | Approach::PiecesOf(_) => refused("pieces", "pieces"),
            Approach::Automatic | Approach::Single => Ok(()),
        }
    }
}

fn all_interrupted(ended: usize, starts: usize) -> Interrupted {
    Interrupted::without_trace(InterruptedWork::Multistart { ended, starts })
}

fn every_start_failed(members: Vec<FittedStart>) -> IdentificationError {
    let starts = members.len();
    let first = members.into_iter().find(|member| member.number == 0).and_then(|member| member.outcome.err());
    match first {
        Some(source) => IdentificationError::EveryStart { starts, source: Box::new(source) },
        None => StartValuesError::StartNotFinite.into(),
    }
}
