//! Residuals of finer steps than those that are differentiated.

use rayon::prelude::*;

use crate::problem::SimulationError;
use crate::series::Series;

use super::observed::Observed;
use super::prepared::{Campaign, Prepared};
use crate::said::error::IdentificationError;

/// The most by which what finer steps change may still move, in units of what the noise leaves in every unknown.
const STAYS: f64 = 0.1;

/// The part of the smallest move so far that one may be to be on the way to an end, and after how many of them that is asked for.
const ENDS: f64 = 0.7;
const FIRST_MOVES: usize = 4;

/// How far what finer steps change has moved from one minimum to the next, in units of what the noise leaves in every unknown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved(f64);

impl Moved {
    /// Whether it is where it stays.
    pub fn is_settled(self) -> bool {
        self.0 <= STAYS
    }

    /// Whether, after these moves, it will never stay: the steps of derivatives are too coarse. What has stayed once moves again because a
    /// minimisation with other weights has gone farther, which says nothing of steps.
    pub fn is_lost(self, before: &[Self]) -> bool {
        let moves = || before.iter().rev().take_while(|moved| !moved.is_settled());
        let least = moves().map(|moved| moved.0).fold(f64::INFINITY, f64::min);
        // what is no number is lost as well
        moves().count() >= FIRST_MOVES && !(self.is_settled() || self.0 <= ENDS * least)
    }
}

/// Runs in finer steps, beside which derivatives are those of a campaign's own steps: what a channel shows in finer steps beyond
/// what it shows in the campaign's is added to the latter, and found anew at every minimum until it stays (deferred correction). What is
/// found fits in finer steps, at the cost of derivatives in coarse ones.
pub(crate) struct FinerRuns<'a> {
    /// The same experiments in finer steps.
    campaign: Campaign<'a>,
    /// The parts of every step.
    parts: usize,
}

impl<'a> FinerRuns<'a> {
    /// Of the experiments with their steps divided into so many parts, and without costs, which would belong to these steps.
    pub fn new(parts: usize, campaign: Campaign<'a>) -> Self {
        Self { campaign, parts }
    }

    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The outputs of all experiments.
    pub fn outputs(&self, unknowns: &[f64]) -> Result<Vec<Series<f64>>, IdentificationError> {
        self.campaign.outputs(unknowns)
    }

    /// Adds to the channels of `coarse` what they show in these finer steps beyond what they show in its own, whose outputs are `own`;
    /// how far that has moved.
    pub fn correct(
        &self,
        coarse: &mut Campaign<'_>,
        (own, fine): (&[&Series<f64>], &[Series<f64>]),
        unknowns: &[f64],
    ) -> Moved {
        let mut most = 0.0_f64;
        let count = unknowns.len();
        let experiments = coarse.experiments.iter_mut().zip(&self.campaign.experiments);
        for ((prepared, finer), (own, fine)) in experiments.zip(own.iter().zip(fine)) {
            let channels = prepared.comparison.channels.iter_mut().zip(&finer.comparison.channels);
            for (channel, finer) in channels {
                let shown = at_times(finer, fine, unknowns, &channel.times);
                let before = channel.finer.take();
                let coarse = channel.fitted(own, unknowns);
                let beyond: Vec<f64> =
                    shown.iter().zip(&coarse).map(|(fine, coarse)| fine - coarse).collect();
                let zeros = vec![0.0; beyond.len()];
                let moved = distance(&beyond, before.as_ref().unwrap_or(&zeros));
                let noise = channel.at_least(distance(&shown, &channel.values));
                // what is no number has not settled
                let share = share_of_unknowns(moved / noise, beyond.len(), count);
                most = if share.is_nan() { f64::INFINITY } else { most.max(share) };
                channel.finer = Some(beyond);
            }
        }
        Moved(most)
    }

    /// Takes back what finer steps have added to the channels of `coarse`, and lets experiments that validate run in these steps.
    pub fn conclude(self, coarse: &mut Campaign<'a>) {
        let channels = coarse.experiments.iter_mut().flat_map(|prepared| &mut prepared.comparison.channels);
        channels.for_each(|channel| channel.finer = None);
        coarse.validation = self.campaign.validation;
    }

    /// Every sample of the coarse steps out of these outputs in finer ones.
    pub fn sampled(&self, fine: &Series<f64>, own: &Series<f64>) -> Series<f64> {
        let mut sampled = Series::zeros(own.step(), own.width(), own.samples());
        for i in 0..own.samples().min(fine.samples().div_ceil(self.parts)) {
            sampled.row_mut(i).copy_from_slice(fine.row(i * self.parts));
        }
        sampled
    }
}

impl Campaign<'_> {
    /// The outputs of all experiments, by runs that are not stored.
    pub fn outputs(&self, unknowns: &[f64]) -> Result<Vec<Series<f64>>, IdentificationError> {
        let run = |prepared: &Prepared<'_>| {
            let problem = prepared.problem_at(unknowns);
            let outputs = problem.and_then(|problem| problem.outputs(&prepared.parameters(unknowns)));
            outputs.map_err(|error| (prepared.number, error))
        };
        let all: Result<Vec<_>, (usize, SimulationError)> = self.experiments.par_iter().map(run).collect();
        all.map_err(|(number, error)| self.in_experiment(number, error.into()))
    }
}

/// What a channel in finer steps shows at these times, which are some of its own: it may have more of them where it is delayed.
fn at_times(finer: &Observed, outputs: &Series<f64>, unknowns: &[f64], times: &[f64]) -> Vec<f64> {
    let shown = finer.fitted(outputs, unknowns);
    let mut all = finer.times.iter().zip(shown);
    let at = |time: &f64| all.find(|(of_finer, _)| **of_finer >= *time).map_or(f64::NAN, |(_, shown)| shown);
    times.iter().map(at).collect()
}

/// The root of the mean square of the differences.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    (squares / a.len().max(1) as f64).sqrt()
}

/// What a difference of so many samples, in units of their noise, makes of so many unknowns, in units of what the noise makes of these, where
/// both spread over all of them.
pub(crate) fn share_of_unknowns(of_noise: f64, samples: usize, unknowns: usize) -> f64 {
    of_noise * (samples as f64 / unknowns.max(1) as f64).sqrt()
}
