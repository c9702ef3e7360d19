//! Deferred correction: residuals in finer steps, with derivatives from coarser ones.

use rayon::prelude::*;

use costate_system::problem::SimulationError;
use costate_system::series::Series;

use super::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::observed::Observed;
use crate::definition::error::IdentificationError;

/// Change of the corrections by finer steps from one minimum to the next, in units of the deviations that the noise
/// leaves in the unknowns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved(f64);

impl Moved {
    /// Returns true once the corrections have settled.
    pub fn is_settled(self) -> bool {
        /// Largest change of the corrections between two minima at which they count as settled, in units of the
        /// deviations that the noise leaves in the unknowns.
        const SETTLED_CHANGE: f64 = 0.1;
        self.0 <= SETTLED_CHANGE
    }

    /// Returns true if the corrections will not settle after the moves `before`: the steps of the derivatives are too
    /// coarse. Moves before the last settled one do not count, because a minimisation with other weights moves
    /// settled corrections again.
    pub fn is_lost(self, before: &[Self]) -> bool {
        /// Largest ratio of a move to the smallest one before at which the moves count as converging, and the number of
        /// moves from which on this is checked.
        const MAX_CONVERGING_RATIO: f64 = 0.7;
        const MIN_MOVES: usize = 4;
        let moves = || before.iter().rev().take_while(|moved| !moved.is_settled());
        let least = moves().map(|moved| moved.0).fold(f64::INFINITY, f64::min);
        // NaN counts as lost
        moves().count() >= MIN_MOVES && !(self.is_settled() || self.0 <= MAX_CONVERGING_RATIO * least)
    }
}

/// Runs in finer steps, beside a campaign with coarser steps that has the derivatives: the difference between a
/// channel in finer steps and the same channel in the campaign's steps is added to the latter, and computed again at
/// every minimum until it settles (deferred correction). The result fits in finer steps, at the cost of derivatives
/// in coarse ones.
pub(crate) struct FinerRuns {
    /// The experiments of the campaign, in finer steps.
    estimation: EstimationProblem,
    /// Number of parts of every step.
    parts: usize,
}

impl FinerRuns {
    /// Creates the runs of `campaign`, whose steps are divided into `parts`. It has no further costs, which would be
    /// made for these steps.
    pub fn new(parts: usize, estimation: EstimationProblem) -> Self {
        Self { estimation, parts }
    }

    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Returns the outputs of all experiments in finer steps.
    pub fn outputs(&self, unknowns: &[f64]) -> Result<Vec<Series<f64>>, IdentificationError> {
        self.estimation.outputs(unknowns)
    }

    /// Adds to the channels of `coarse` the difference between these finer steps and the own steps of `coarse`, whose
    /// outputs are `own`; returns the change of these corrections.
    pub fn correct(
        &self,
        coarse: &mut EstimationProblem,
        (own, fine): (&[&Series<f64>], &[Series<f64>]),
        unknowns: &[f64],
    ) -> Moved {
        let mut most = 0.0_f64;
        let count = unknowns.len();
        let experiments = coarse.experiments.iter_mut().zip(&self.estimation.experiments);
        for ((prepared, finer), (own, fine)) in experiments.zip(own.iter().zip(fine)) {
            let channels = prepared.comparison.channels.iter_mut().zip(&finer.comparison.channels);
            for (channel, finer) in channels {
                let shown = at_times(finer, fine, unknowns, &channel.times);
                let before = channel.finer.take();
                let coarse = channel.unfiltered(own, unknowns);
                let beyond: Vec<f64> = shown.iter().zip(&coarse).map(|(fine, coarse)| fine - coarse).collect();
                let zeros = vec![0.0; beyond.len()];
                let moved = distance(&beyond, before.as_ref().unwrap_or(&zeros));
                let noise = channel.at_least(distance(&channel.passed(shown), &channel.values));
                // NaN has not settled
                let share = share_of_unknowns(moved / noise, beyond.len(), count);
                most = if share.is_nan() { f64::INFINITY } else { most.max(share) };
                channel.finer = Some(beyond);
            }
        }
        Moved(most)
    }

    /// Removes the corrections from the channels of `coarse`, and lets experiments that validate run in the finer
    /// steps.
    pub fn conclude(self, coarse: &mut EstimationProblem) {
        let channels = coarse.experiments.iter_mut().flat_map(|prepared| &mut prepared.comparison.channels);
        channels.for_each(|channel| channel.finer = None);
        coarse.validation = self.estimation.validation;
    }

    /// Returns the samples of outputs in finer steps at the coarse steps of `own`.
    pub fn sampled(&self, fine: &Series<f64>, own: &Series<f64>) -> Series<f64> {
        let mut sampled = Series::zeros(own.step(), own.width(), own.samples());
        for i in 0..own.samples().min(fine.samples().div_ceil(self.parts)) {
            sampled.row_mut(i).copy_from_slice(fine.row(i * self.parts));
        }
        sampled
    }
}

impl EstimationProblem {
    /// Simulates all experiments without storing states; returns the outputs.
    pub fn outputs(&self, unknowns: &[f64]) -> Result<Vec<Series<f64>>, IdentificationError> {
        let run = |prepared: &ExperimentProblem| {
            let problem = prepared.problem_at(unknowns);
            let outputs = problem.and_then(|problem| problem.outputs(&prepared.parameters(unknowns)));
            outputs.map_err(|error| (prepared.number, error))
        };
        let all: Result<Vec<_>, (usize, SimulationError)> = self.experiments.par_iter().map(run).collect();
        all.map_err(|(number, error)| self.in_experiment(number, error.into()))
    }
}

/// Returns the fitted values of a channel in finer steps, before its filter, at these times, which are among its own
/// times: it may have more of them where it is delayed.
fn at_times(finer: &Observed, outputs: &Series<f64>, unknowns: &[f64], times: &[f64]) -> Vec<f64> {
    let shown = finer.unfiltered(outputs, unknowns);
    let mut all = finer.times.iter().zip(shown);
    let at = |time: &f64| all.find(|(of_finer, _)| **of_finer >= *time).map_or(f64::NAN, |(_, shown)| shown);
    times.iter().map(at).collect()
}

/// Returns the root of the mean square of the differences.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    (squares / a.len().max(1) as f64).sqrt()
}

/// Converts a difference of `samples` samples, in units of their noise, to the change of `unknowns` unknowns, in
/// units of the deviations that the noise leaves in these, assuming that both spread over all unknowns.
pub(crate) fn share_of_unknowns(of_noise: f64, samples: usize, unknowns: usize) -> f64 {
    of_noise * (samples as f64 / unknowns.max(1) as f64).sqrt()
}
