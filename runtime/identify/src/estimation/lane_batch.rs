//! Costs and gradients of several minimisations, whose runs go in lanes. Results do not depend on what goes beside
//! them.

use std::time::{Duration, Instant};

use costate_optimize::Failure;
use costate_system::gradient::GradientMethod;
use costate_system::problem::SimulationError;

use crate::definition::error::IdentificationError;

use super::evaluation::{Evaluation, FailedExperiment, first_failure};
use super::lane_groups::{self, Lane};

/// The unknowns of one of up to four minimisations, all of the same campaign.
pub(crate) struct Trial<'t, 'a> {
    pub evaluation: &'t mut Evaluation<'a>,
    pub unknowns: &'t [f64],
}

impl<'a> Trial<'_, 'a> {
    fn lane(&mut self, experiment: usize) -> Lane<'_, 'a> {
        Lane { simulations: &mut self.evaluation.experiments[experiment], unknowns: self.unknowns }
    }
}

/// J of each trial.
pub(crate) fn costs(mut trials: Vec<Trial<'_, '_>>) -> Vec<Result<f64, Failure<IdentificationError>>> {
    let (found, time) = of_all_experiments(&mut trials, lane_groups::costs);
    let found = trials.into_iter().zip(found);
    found.map(|(trial, costs)| trial.evaluation.cost_of((costs, time), trial.unknowns)).collect()
}

/// dJ/dz of each trial by the discrete adjoint.
pub(crate) fn gradients(mut trials: Vec<Trial<'_, '_>>) -> Vec<Result<Vec<f64>, Failure<IdentificationError>>> {
    let gradients = |lanes: &mut [Lane<'_, '_>]| lane_groups::gradients(lanes, GradientMethod::DiscreteAdjoint);
    let (found, time) = of_all_experiments(&mut trials, gradients);
    let found = trials.into_iter().zip(found);
    found.map(|(trial, parts)| trial.evaluation.gradient_of((parts, time), trial.unknowns)).collect()
}

/// Returns the results of `work` for every experiment, for each trial, and the share of a trial in the time.
fn of_all_experiments<T>(
    trials: &mut [Trial<'_, '_>],
    work: impl Fn(&mut [Lane<'_, '_>]) -> Vec<Result<T, SimulationError>>,
) -> (Vec<Result<Vec<T>, FailedExperiment>>, Duration) {
    let start = Instant::now();
    let experiments = trials.first().map_or(0, |trial| trial.evaluation.experiments.len());
    let mut found: Vec<_> = trials.iter().map(|_| Vec::with_capacity(experiments)).collect();
    for number in 0..experiments {
        let mut lanes: Vec<_> = trials.iter_mut().map(|trial| trial.lane(number)).collect();
        found.iter_mut().zip(work(&mut lanes)).for_each(|(found, result)| found.push(result));
    }
    let found = found.into_iter().map(first_failure).collect();
    (found, start.elapsed() / trials.len().max(1) as u32)
}
