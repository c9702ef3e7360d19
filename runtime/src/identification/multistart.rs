//! Identifications from many starts.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::gradient::GradientMethod;
use crate::interrupt::{Interrupted, InterruptedWork};
use crate::model::Model;
use crate::optimize::{
    MultistartError, OptimizerState, check_starts, minimize_least_squares, multistart_in_groups,
};
use crate::problem::SimulationError;
use crate::scalar::LANES;

use super::Identification;
use super::error::IdentificationError;
use super::evaluation::Evaluation;
use super::fit::AdaptiveSteps;
use super::multistart_fit::{FittedStart, MultistartFit};
use super::prepare::Prepared;
use super::progress::MultistartProgressBar;
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
        let prepared = self.prepare()?;
        self.check_start(&prepared)?;
        let Prepared { problem, cost, unknown, state, .. } = &prepared;
        check_starts(state.variables(), starts).map_err(MultistartError::from)?;
        let runs = problem.memory().check_runs(problem.steps(), at_once);
        runs.map_err(SimulationError::from)?;
        let (model, interrupt) = (&self.model, &self.interrupt);
        let (method, gradient) = (self.optimizer.method, self.gradient_method);
        let evaluation = || Evaluation::new(problem, cost, model, unknown, method, gradient);
        let in_lanes = !method.needs_residuals()
            && gradient == GradientMethod::DiscreteAdjoint
            && problem.runs_in_lanes();
        let group = if in_lanes { starts.div_ceil(rayon::current_num_threads()).clamp(1, LANES) } else { 1 };
        let groups: Vec<_> = (0..starts.div_ceil(group)).map(|_| Together::new(problem, unknown)).collect();
        let totals = Mutex::new((Duration::ZERO, Duration::ZERO, 0));
        let minimise = |number: usize, state: &mut OptimizerState| {
            let mut evaluation = evaluation();
            if in_lanes && let Some(together) = groups.get(number / group) {
                evaluation = evaluation.together(together.join());
            }
            let result =
                minimize_least_squares(&mut evaluation, state, |state| match interrupt.is_triggered() {
                    true => Err(interrupted(state, None).into()),
                    false => Ok(()),
                });
            // Sums are whole whatever a panic interrupts.
            let mut total = totals.lock().unwrap_or_else(PoisonError::into_inner);
            total.0 += evaluation.forward;
            total.1 += evaluation.backward;
            total.2 += evaluation.simulations;
            result
        };
        let progress = MultistartProgressBar::new(self.progress, problem, starts);
        let show = |report| progress.show(report);
        let members =
            multistart_in_groups(state.variables(), &self.optimizer, (starts, seed), group, minimise, show);
        progress.finish();
        let members = members?;
        let ended = members.iter().filter(|member| member.outcome.is_ok()).count();
        if ended < starts && interrupt.is_triggered() {
            return Err(all_interrupted(ended, starts).into());
        }
        // The lowest cost comes first, failures last.
        let best = members.first().filter(|member| member.outcome.is_ok()).map(|member| member.state.clone());
        let members: Vec<_> = members.into_iter().map(FittedStart::new).collect();
        let Some(best) = best else { return Err(every_start_failed(members)) };
        let mut evaluation = evaluation();
        (evaluation.forward, evaluation.backward, evaluation.simulations) =
            totals.into_inner().unwrap_or_else(PoisonError::into_inner);
        let fit = self.conclude(&mut evaluation, &prepared, &best);
        let fit = fit.map_err(|error| error.within(|| all_interrupted(ended, starts)))?;
        let excess = prepared.problem.step_excess(&fit.model().parameters())?;
        let steps = AdaptiveSteps::of(&prepared.problem, 0, excess);
        Ok(MultistartFit::new(fit.with_steps(steps, &[]), members))
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
