//! Identifications from many starts.

use std::sync::{Mutex, PoisonError};

use crate::gradient::GradientMethod;
use crate::interrupt::{Interrupted, InterruptedWork};
use crate::model::Model;
use crate::optimize::{
    Member, MultistartError, OptimizerState, check_starts, minimize_least_squares, multistart_in_groups,
};
use crate::scalar::LANES;

use super::Identification;
use super::campaign::Campaign;
use super::campaign::Prepared;
use super::error::IdentificationError;
use super::evaluation::{Evaluation, Spent};
use super::multistart_fit::{FittedStart, MultistartFit};
use super::progress::{MultistartProgressBar, Progress};
use super::round::Round;
use super::run::interrupted;
use super::together::Together;

impl<M: Model> Identification<'_, M> {
    /// Identifies from `starts` points within the bounds, which every unknown needs, on all cores, and keeps the best
    /// result: a way out of the minimum that happens to be next to the start values.
    ///
    /// The first start is that of the model, the others are a Latin hypercube drawn with `seed`; see
    /// [`multistart`](crate::optimize::multistart). Nothing depends on the number of threads in rayon's pool but the time.
    ///
    /// Where there are more starts than threads, up to four go on together, each on a thread of its own: their
    /// simulations and gradients wait for one another and run in lanes, see [`Problem::run_each`](crate::simulate::Problem::run_each).
    /// Methods that need sensitivities, gradients by other methods than the discrete adjoint, and simulations with
    /// checkpoints run by themselves. Every start that goes on at the same time has the memory of its simulation.
    ///
    /// # Errors
    /// [`IdentificationError::Multistart`] for an unknown without bounds, [`IdentificationError::NotInMultistart`] for
    /// a state file or an observer, [`IdentificationError::EveryStart`] if no start leads to a result,
    /// [`IdentificationError::Interrupted`], and those of [`run`](Self::run) before anything runs. A start
    /// that fails is part of the result.
    #[inline(never)]
    pub fn multistart(mut self, starts: usize, seed: u64) -> Result<MultistartFit<M>, IdentificationError> {
        self.check_multistart()?;
        // up to four on a thread
        let at_once = (LANES * rayon::current_num_threads()).min(starts);
        self.settings.checkpoints = self.settings.checkpoints.shared_by(at_once);
        let mut campaign = self.prepare()?;
        self.check_start(&campaign)?;
        check_starts(campaign.state.variables(), starts).map_err(MultistartError::from)?;
        campaign.check_memory(at_once)?;
        let first = self.first_round(&mut campaign)?;
        let (members, spent) = self.minimise_each(&campaign, (starts, seed))?;
        let ended = members.iter().filter(|member| member.outcome.is_ok()).count();
        if ended < starts && self.interrupt.is_triggered() {
            return Err(all_interrupted(ended, starts).into());
        }
        // The lowest cost comes first, failures last.
        let best = members.first().filter(|member| member.outcome.is_ok()).map(|member| member.state.clone());
        let members: Vec<_> = members.into_iter().map(FittedStart::new).collect();
        let Some(best) = best else { return Err(every_start_failed(members)) };
        let mut progress = Progress::new(self.progress, campaign.problems());
        campaign.follow(&progress);
        let fit = self.rounds(&mut campaign, Round { state: best, ..first }, spent, None, &mut progress);
        progress.finish();
        let (fit, _) = fit.map_err(|error| error.within(|| all_interrupted(ended, starts)))?;
        Ok(MultistartFit::new(fit, members))
    }

    /// The minimisations from all starts, and what they have taken together.
    fn minimise_each(
        &self,
        campaign: &Campaign<'_, M>,
        (starts, seed): (usize, u64),
    ) -> Result<(Vec<Member<IdentificationError>>, Spent), IdentificationError> {
        let interrupt = &self.interrupt;
        let (method, gradient) = (self.optimizer.method, self.gradient_method);
        let in_lanes = !method.needs_residuals()
            && gradient == GradientMethod::DiscreteAdjoint
            && campaign.experiments.iter().all(Prepared::runs_in_lanes);
        let group = if in_lanes { starts.div_ceil(rayon::current_num_threads()).clamp(1, LANES) } else { 1 };
        let groups: Vec<_> =
            (0..starts.div_ceil(group)).map(|_| Together::new(&campaign.experiments)).collect();
        let total = Mutex::new(Spent::default());
        let minimise = |number: usize, state: &mut OptimizerState| {
            let mut evaluation = Evaluation::new(campaign, method, gradient);
            if in_lanes && let Some(together) = groups.get(number / group) {
                evaluation = evaluation.together(together.join());
            }
            let result =
                minimize_least_squares(&mut evaluation, state, |state| match interrupt.is_triggered() {
                    true => Err(interrupted(state, None).into()),
                    false => Ok(()),
                });
            // Sums are whole whatever a panic interrupts.
            total.lock().unwrap_or_else(PoisonError::into_inner).add(evaluation.spent());
            result
        };
        let progress = MultistartProgressBar::new(self.progress, campaign.problems(), starts);
        let show = |report| progress.show(report);
        let variables = campaign.state.variables();
        let members = multistart_in_groups(variables, &self.optimizer, (starts, seed), group, minimise, show);
        progress.finish();
        Ok((members?, total.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }

    /// What belongs to one sequence of iterations.
    fn check_multistart(&self) -> Result<(), IdentificationError> {
        let refused = |what, method| Err(IdentificationError::NotInMultistart { what, method });
        if self.state_file.is_some() {
            return refused("state file", "state_file");
        }
        if self.observer.is_some() {
            return refused("observer", "observer");
        }
        Ok(())
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
        None => IdentificationError::StartNotFinite,
    }
}
