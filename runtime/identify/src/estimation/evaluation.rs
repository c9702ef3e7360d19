//! The cost of all experiments as a function of the unknowns.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use costate_optimize::{Failure, LeastSquaresObjective, LinearResiduals, Method, MethodError, Objective, StartError};
use costate_system::causes::with_causes;
use costate_system::gradient::GradientMethod;
use costate_system::problem::SimulationError;

use super::covariance::ChannelRows;
use super::experiment_problem::EstimationProblem;
use super::information::ChannelInformation;
use super::lane_groups::{self, Group, lanes};
use super::linearized_run::LinearizedRun;
use super::peers::Peers;
use super::predicted::Predictions;
use super::processes::{Packing, Processes};
use super::simulations::Simulations;
use crate::definition::error::IdentificationError;
use crate::estimation::failed_trials::FailedTrials;

/// The place of an experiment whose simulation has failed, and the reason.
pub(crate) type FailedExperiment = (usize, SimulationError);

/// The cost as a function of the unknowns: the sum over the experiments, which run on all cores, and the priors. Sums
/// are in the order of the experiments, whichever is ready first.
pub(crate) struct Evaluation<'a> {
    estimation: &'a EstimationProblem,
    pub(super) experiments: Vec<Simulations<'a>>,
    predictions: Vec<Predictions<'a>>,
    /// The experiments that go together.
    groups: Vec<Group>,
    method: Method,
    gradient_method: GradientMethod,
    /// The processes that have the other experiments, where this one has some of them alone.
    processes: Option<Processes<'a>>,
    /// The latest experiment that failed at trial unknowns, and how many trials have failed so.
    pub failed: Option<FailedTrials>,
    /// With the simulations before this evaluation, and all times.
    spent: Spent,
}

/// Number and time of simulations.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    /// Simulations for the cost.
    pub simulations: usize,
    /// Wall clock time of costs.
    pub forward: Duration,
    /// Wall clock time of gradients.
    pub backward: Duration,
}

impl Spent {
    /// Adds what others have taken.
    pub fn add(&mut self, other: Self) {
        self.simulations += other.simulations;
        self.forward += other.forward;
        self.backward += other.backward;
    }
}

impl<'a> Evaluation<'a> {
    pub fn new(estimation: &'a EstimationProblem, method: Method, gradient_method: GradientMethod) -> Self {
        Self {
            estimation,
            experiments: estimation.experiments.iter().map(Simulations::new).collect(),
            predictions: estimation.predictions.iter().map(Predictions::new).collect(),
            groups: lane_groups::groups(&estimation.experiments),
            method,
            gradient_method,
            processes: None,
            failed: None,
            spent: Spent::default(),
        }
    }

    /// Adds the experiments of other processes. No experiment goes in lanes with others, so that bits do not depend on
    /// who has which, and residuals go in as many numbers as the unknowns need.
    pub fn beside(mut self, peers: &'a Peers<'a>) -> Self {
        self.processes = Some(Processes::new(peers));
        self.groups = (0..self.experiments.len()).map(Group::alone).collect();
        self
    }

    /// Goes on counting from there.
    pub fn begin_with(&mut self, spent: Spent) {
        self.spent = spent;
    }

    /// Begins with what the [`sensitivities`](Self::sensitivities) of the same runs at these unknowns were.
    pub fn know(&mut self, unknowns: &[f64], mut found: Vec<LinearizedRun>) {
        let of_predictions = found.split_off(self.experiments.len().min(found.len()));
        let of_runs = self.experiments.iter_mut().zip(found);
        of_runs.for_each(|(experiment, found)| experiment.know(unknowns, found));
        let of_predictions = self.predictions.iter_mut().zip(of_predictions);
        of_predictions.for_each(|(predicted, found)| predicted.know(unknowns, found));
    }

    /// Returns the results of `work` for every prediction, in their order, on all cores; or the first one that failed.
    fn predicted<T: Send>(
        &mut self,
        work: impl Fn(&mut Predictions<'a>) -> Result<T, SimulationError> + Sync,
    ) -> Result<Vec<T>, FailedExperiment> {
        let found = match &mut self.predictions[..] {
            [] => return Ok(Vec::new()),
            [one] => vec![work(one).map_err(|error| (one.prepared().number, error))],
            all => {
                let numbered = |one: &mut Predictions<'a>| work(one).map_err(|error| (one.prepared().number, error));
                all.par_iter_mut().map(numbered).collect()
            }
        };
        found.into_iter().collect()
    }

    /// Returns the number and time of all simulations so far.
    pub fn spent(&self) -> Spent {
        let simulations = self.experiments.iter().map(|experiment| experiment.count).sum::<usize>();
        let elsewhere = self.processes.as_ref().map_or(0, |processes| processes.simulations_elsewhere);
        Spent { simulations: self.spent.simulations + simulations + elsewhere, ..self.spent }
    }

    /// Returns the results of `work` for every experiment of this process, in their order; on all cores.
    fn own<T: Send + Sync>(&mut self, work: impl Fn(&mut Simulations<'a>) -> T + Sync) -> Vec<T> {
        let found = places(self.experiments.len());
        self.each(&|place, experiment| keep(&found, place, work(experiment)));
        found.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    /// Calls `work` with every experiment of this process and its place.
    fn each(&mut self, work: &(dyn Fn(usize, &mut Simulations<'a>) + Sync)) {
        match &mut self.experiments[..] {
            [one] => work(0, one),
            all => all.par_iter_mut().enumerate().for_each(|(place, one)| work(place, one)),
        }
    }

    /// Returns the same as [`own`](Self::own), but experiments that are alike go beside each other in lanes, by
    /// `in_lanes`.
    fn own_groups<T: Send + Sync>(
        &mut self,
        work: impl Fn(&mut Simulations<'a>) -> T + Sync,
        in_lanes: impl Fn(&mut [&mut Simulations<'a>]) -> Vec<T> + Sync,
    ) -> Vec<T> {
        if self.groups.iter().all(|group| !group.in_lanes) {
            return self.own(work);
        }
        let found = places(self.experiments.len());
        self.each_group(&|group, members| match group.in_lanes {
            true => {
                let results = in_lanes(members).into_iter();
                group.numbers.iter().zip(results).for_each(|(&place, result)| keep(&found, place, result));
            }
            false => {
                let members = members.iter_mut();
                group.numbers.iter().zip(members).for_each(|(&place, one)| keep(&found, place, work(one)));
            }
        });
        found.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    /// Calls `work` with every group of experiments, on all cores.
    fn each_group(&mut self, work: &(dyn Fn(&Group, &mut [&mut Simulations<'a>]) + Sync)) {
        let mut experiments: Vec<Option<&mut Simulations<'a>>> = self.experiments.iter_mut().map(Some).collect();
        let mut groups: Vec<(&Group, Vec<&mut Simulations<'a>>)> = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let members = group.numbers.iter().filter_map(|&number| experiments[number].take());
            groups.push((group, members.collect()));
        }
        groups.par_iter_mut().for_each(|(group, members)| work(group, members));
    }

    /// The results of all experiments in their order, those of other processes too; or the first experiment that
    /// failed.
    fn all<T>(
        &mut self,
        own: Vec<Result<T, SimulationError>>,
        unknowns: usize,
        packing: &Packing<T>,
    ) -> Result<Vec<T>, FailedExperiment> {
        let simulations = self.experiments.iter().map(|experiment| experiment.count).sum();
        first_failure(match &mut self.processes {
            Some(processes) => processes.exchange(own, simulations, packing, unknowns),
            None => own,
        })
    }

    /// The outputs of every experiment of this process, with their derivatives by the unknowns; an error in all
    /// processes where one has failed.
    pub fn sensitivities(&mut self, unknowns: &[f64]) -> Result<Vec<LinearizedRun>, IdentificationError> {
        let found = self.own(|experiment| experiment.sensitivities(unknowns, true));
        self.with_predictions(found, unknowns).map_err(|failed| self.named(failed))
    }

    /// The [`sensitivities`](Self::sensitivities), without an estimate of the accuracy of the runs.
    pub fn bare_sensitivities(&mut self, unknowns: &[f64]) -> Result<Vec<LinearizedRun>, IdentificationError> {
        let found = self.own(|experiment| experiment.sensitivities(unknowns, false));
        self.with_predictions(found, unknowns).map_err(|failed| self.named(failed))
    }

    fn with_predictions(
        &mut self,
        of_runs: Vec<Result<LinearizedRun, SimulationError>>,
        unknowns: &[f64],
    ) -> Result<Vec<LinearizedRun>, FailedExperiment> {
        if self.processes.is_some() {
            let succeeded = of_runs.iter().map(|found| found.as_ref().map(|_| ()).map_err(Clone::clone)).collect();
            self.all(succeeded, unknowns.len(), &Packing { pack: |()| Vec::new(), unpack: |_, _| () })?;
        }
        let mut found = first_failure(of_runs)?;
        found.extend(self.predicted(|predicted| predicted.sensitivities(unknowns))?);
        Ok(found)
    }

    /// J.
    pub fn value(&mut self, unknowns: &[f64]) -> Result<f64, FailedExperiment> {
        let costs = self.costs(unknowns)?;
        self.total(costs, unknowns)
    }

    /// The part of J of every experiment.
    pub fn costs(&mut self, unknowns: &[f64]) -> Result<Vec<f64>, FailedExperiment> {
        let costs = self.own_groups(
            |experiment| experiment.cost(unknowns),
            |members| lane_groups::costs(&mut lanes(members, unknowns)),
        );
        let packing =
            Packing { pack: |cost| vec![cost], unpack: |numbers, _| numbers.first().copied().unwrap_or(f64::NAN) };
        self.all(costs, unknowns.len(), &packing)
    }

    /// J, of which these are the parts of every experiment.
    fn total(&mut self, costs: Vec<f64>, unknowns: &[f64]) -> Result<f64, FailedExperiment> {
        let of_predictions = self.predicted(|predicted| predicted.cost(unknowns))?;
        let of_data = costs.into_iter().chain(of_predictions).sum::<f64>();
        Ok(of_data + self.estimation.priors.cost(unknowns))
    }

    /// dJ/dz.
    pub fn differentiate(&mut self, unknowns: &[f64]) -> Result<Vec<f64>, FailedExperiment> {
        let parts = self.gradients(unknowns)?;
        self.total_gradient(parts, unknowns)
    }

    /// The part of dJ/dz of every experiment.
    fn gradients(&mut self, unknowns: &[f64]) -> Result<Vec<Vec<f64>>, FailedExperiment> {
        let method = self.gradient_method;
        let parts = self.own_groups(
            |experiment| experiment.gradient(unknowns, method),
            |members| lane_groups::gradients(&mut lanes(members, unknowns), method),
        );
        self.all(parts, unknowns.len(), &Packing { pack: |gradient| gradient, unpack: |gradient, _| gradient })
    }

    /// dJ/dz, of which these are the parts of every experiment.
    fn total_gradient(&mut self, parts: Vec<Vec<f64>>, unknowns: &[f64]) -> Result<Vec<f64>, FailedExperiment> {
        let of_predictions = self.predicted(|predicted| {
            let mut part = vec![0.0; unknowns.len()];
            predicted.add_gradient(unknowns, &mut part)?;
            Ok(part)
        })?;
        let mut gradient = vec![0.0; unknowns.len()];
        for part in parts.into_iter().chain(of_predictions) {
            gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        self.estimation.priors.add_gradient(unknowns, &mut gradient);
        Ok(gradient)
    }

    /// J from the parts of every experiment, which took so long.
    pub(super) fn cost_of(
        &mut self,
        (costs, time): (Result<Vec<f64>, FailedExperiment>, Duration),
        unknowns: &[f64],
    ) -> Result<f64, Failure<IdentificationError>> {
        self.spent.forward += time;
        let total = costs.and_then(|costs| self.total(costs, unknowns));
        total.map_err(|failed| self.failure(failed))
    }

    /// dJ/dz from the parts of every experiment, which took so long.
    pub(super) fn gradient_of(
        &mut self,
        (parts, time): (Result<Vec<Vec<f64>>, FailedExperiment>, Duration),
        unknowns: &[f64],
    ) -> Result<Vec<f64>, Failure<IdentificationError>> {
        self.spent.backward += time;
        let total = parts.and_then(|parts| self.total_gradient(parts, unknowns));
        total.map_err(|failed| self.failure(failed))
    }

    /// The part of J of every channel of all experiments, in turn.
    pub fn channel_costs(&mut self, unknowns: &[f64]) -> Result<Vec<f64>, FailedExperiment> {
        let costs = self.own(|experiment| experiment.channel_costs(unknowns));
        let of_predictions = self.predicted(|predicted| predicted.channel_costs(unknowns));
        Ok(first_failure(costs)?.into_iter().chain(of_predictions?).flatten().collect())
    }

    fn linearise(&mut self, unknowns: &[f64]) -> Result<Option<LinearResiduals>, FailedExperiment> {
        let is_share = self.processes.is_some();
        let parts = self.own(|experiment| {
            let residuals = experiment.residuals(unknowns)?;
            Ok(if is_share { residuals.map(LinearResiduals::compressed) } else { residuals })
        });
        let parts = self.all(parts, unknowns.len(), &Packing { pack: packed, unpack: unpacked })?;
        let Some(parts) = parts.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let mut parts = parts.into_iter();
        let none = || LinearResiduals { values: Vec::new(), derivatives: vec![Vec::new(); unknowns.len()] };
        let mut all = parts.next().unwrap_or_else(none);
        for part in parts {
            all.values.extend(part.values);
            all.derivatives.iter_mut().zip(part.derivatives).for_each(|(all, part)| all.extend(part));
        }
        let of_predictions = self.predicted(|predicted| predicted.rows(unknowns))?;
        of_predictions.iter().flatten().for_each(|rows| rows.add_linear(&mut all));
        self.estimation.priors.rows(unknowns).iter().for_each(|rows| rows.add_linear(&mut all));
        Ok(Some(all))
    }

    /// The residuals without their derivatives; `None` where a cost has none, or where derivatives go in as many
    /// numbers as the unknowns need.
    fn values(&mut self, unknowns: &[f64]) -> Result<Option<Vec<f64>>, FailedExperiment> {
        if self.processes.is_some() {
            return Ok(None);
        }
        let parts = self.own(|experiment| experiment.residual_values(unknowns));
        let Some(parts) = first_failure(parts)?.into_iter().collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let mut all = LinearResiduals { values: parts.concat(), derivatives: Vec::new() };
        let of_predictions = self.predicted(|predicted| predicted.values(unknowns))?;
        of_predictions.iter().flatten().for_each(|rows| rows.add_linear(&mut all));
        self.estimation.priors.rows(unknowns).iter().for_each(|rows| rows.add_linear(&mut all));
        Ok(Some(all.values))
    }

    /// Returns the information of all channels, further costs and priors about the unknowns, in units of typical
    /// changes of these; `None` where a cost has no residuals, or a number is not finite.
    pub fn information(&mut self, unknowns: &[f64]) -> Result<Option<Vec<ChannelInformation>>, FailedExperiment> {
        let scales = &self.estimation.scales(unknowns);
        let informed = |mut rows: ChannelRows| {
            rows.scale(scales);
            ChannelInformation::of(rows)
        };
        let parts = self.own(|experiment| {
            let rows = experiment.rows(unknowns)?.into_iter();
            Ok(rows.map(|rows| informed(rows?)).collect::<Option<Vec<_>>>())
        });
        let packing = Packing { pack: packed_information, unpack: unpacked_information };
        let mut all = Vec::new();
        let of_priors = self.estimation.priors.rows(unknowns).into_iter().map(informed).collect();
        for part in self.all(parts, unknowns.len(), &packing)?.into_iter().chain([of_priors]) {
            let Some(part) = part else { return Ok(None) };
            all.extend(part);
        }
        Ok(Some(all))
    }

    /// Converts an error: one that would occur at any parameters ends the identification, any other makes a bad
    /// trial.
    pub fn failure(&mut self, (number, error): FailedExperiment) -> Failure<IdentificationError> {
        let fails_anywhere = error.fails_anywhere();
        let error = self.named((number, error));
        if fails_anywhere {
            return Failure::Stop(error);
        }
        let count = self.failed.as_ref().map_or(0, |failed| failed.count) + 1;
        self.failed = Some(FailedTrials { count, last: with_causes(&error) });
        Failure::Here(error)
    }

    /// Adds the name of the experiment to its error.
    pub fn named(&self, (number, error): FailedExperiment) -> IdentificationError {
        match self.processes.as_ref().and_then(|processes| processes.name(number)) {
            Some(name) => IdentificationError::from(error).in_experiment(name),
            None => self.estimation.in_experiment(number, error.into()),
        }
    }
}

/// Empty places for the results of `count` experiments, to which several threads may write. The loops over experiments
/// do not know the type of a result, so that they are compiled once.
fn places<T>(count: usize) -> Vec<OnceLock<T>> {
    (0..count).map(|_| OnceLock::new()).collect()
}

/// Writes the result of one experiment to its place.
fn keep<T>(places: &[OnceLock<T>], place: usize, result: T) {
    if let Some(place) = places.get(place) {
        // no place is filled twice
        let _ = place.set(result);
    }
}

/// The number of residuals, these, and their derivatives by the unknowns that they depend on, each with its index;
/// nothing of a cost without residuals.
fn packed(residuals: Option<LinearResiduals>) -> Vec<f64> {
    residuals.map_or(Vec::new(), |linear| {
        let mut numbers = vec![linear.values.len() as f64];
        numbers.extend(linear.values);
        for (unknown, column) in linear.derivatives.into_iter().enumerate() {
            if column.iter().any(|entry| entry.to_bits() != 0) {
                numbers.push(unknown as f64);
                numbers.extend(column);
            }
        }
        numbers
    })
}

/// Unpacks residuals from the numbers of [`packed`].
fn unpacked(numbers: Vec<f64>, unknowns: usize) -> Option<LinearResiduals> {
    let (rows, numbers) = numbers.split_first()?;
    let rows = *rows as usize;
    let (values, columns) = numbers.split_at_checked(rows)?;
    let mut derivatives = vec![vec![0.0; rows]; unknowns];
    for numbers in columns.chunks_exact(rows + 1) {
        if let Some((unknown, column)) = numbers.split_first()
            && let Some(place) = derivatives.get_mut(*unknown as usize)
        {
            place.copy_from_slice(column);
        }
    }
    Some(LinearResiduals { values: values.to_vec(), derivatives })
}

/// Packs the information of channels, after a number that marks that all channels have it; empty for `None`.
fn packed_information(told: Option<Vec<ChannelInformation>>) -> Vec<f64> {
    let numbers = |told: Vec<ChannelInformation>| {
        let of_channels = told.iter().flat_map(ChannelInformation::numbers);
        std::iter::once(1.0).chain(of_channels).collect()
    };
    told.map_or(Vec::new(), numbers)
}

/// Unpacks information from the numbers of [packed](packed_information).
fn unpacked_information(numbers: Vec<f64>, _: usize) -> Option<Vec<ChannelInformation>> {
    let (_, mut rest) = numbers.split_first()?;
    Some(std::iter::from_fn(|| ChannelInformation::next(&mut rest)).collect())
}

/// All results, or the first experiment that failed.
pub(super) fn first_failure<T>(results: Vec<Result<T, SimulationError>>) -> Result<Vec<T>, FailedExperiment> {
    let numbered = results.into_iter().enumerate();
    numbered.map(|(number, result)| result.map_err(|error| (number, error))).collect()
}

impl LeastSquaresObjective for Evaluation<'_> {
    fn residuals(&mut self, unknowns: &[f64]) -> Result<LinearResiduals, Failure<IdentificationError>> {
        let start = Instant::now();
        let result = self.linearise(unknowns);
        self.spent.backward += start.elapsed();
        let missing = || StartError::from(MethodError::NoResiduals { method: self.method });
        match result {
            Ok(Some(residuals)) => Ok(residuals),
            Ok(None) => Err(Failure::Stop(missing().into())),
            Err(error) => Err(self.failure(error)),
        }
    }

    fn residual_values(&mut self, unknowns: &[f64]) -> Result<Option<Vec<f64>>, Failure<IdentificationError>> {
        let start = Instant::now();
        let result = self.values(unknowns);
        self.spent.forward += start.elapsed();
        result.map_err(|error| self.failure(error))
    }

    fn are_residuals_counted(&self) -> bool {
        // those of several processes go in as many numbers as the unknowns need
        self.processes.is_none()
    }

    fn has_residuals(&self) -> bool {
        self.estimation.has_residuals
    }
}

impl Objective for Evaluation<'_> {
    type Error = IdentificationError;

    fn announce(&mut self, trials: &[Vec<f64>]) {
        let start = Instant::now();
        match &mut self.experiments[..] {
            [one] => one.announce(trials),
            experiments => experiments.par_iter_mut().for_each(|experiment| experiment.announce(trials)),
        }
        self.spent.forward += start.elapsed();
    }

    fn cost(&mut self, unknowns: &[f64]) -> Result<f64, Failure<IdentificationError>> {
        let start = Instant::now();
        let costs = self.costs(unknowns);
        self.cost_of((costs, start.elapsed()), unknowns)
    }

    fn gradient(&mut self, unknowns: &[f64], gradient: &mut [f64]) -> Result<(), Failure<IdentificationError>> {
        let start = Instant::now();
        let parts = self.gradients(unknowns);
        gradient.copy_from_slice(&self.gradient_of((parts, start.elapsed()), unknowns)?);
        Ok(())
    }
}
