//! The cost of all experiments as a function of the unknowns.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::causes::with_causes;
use crate::gradient::GradientMethod;
use crate::model::Model;
use crate::optimize::{
    Failure, LeastSquaresObjective, LinearResiduals, Method, MethodError, Objective, StartError,
};
use crate::problem::SimulationError;

use super::alike::{self, Group};
use super::campaign::Campaign;
use super::differentiated::Differentiated;
use super::error::IdentificationError;
use super::simulations::Simulations;
use super::summary::FailedTrials;
use super::together::Membership;

/// Why the simulation of one experiment has failed.
type FailedExperiment = (usize, SimulationError);

/// The cost as a function of the unknowns: the sum over the experiments, which run on all cores, and the priors. Sums are
/// in the order of the experiments, whichever is ready first.
pub(super) struct Evaluation<'a, M: Model> {
    campaign: &'a Campaign<'a, M>,
    experiments: Vec<Simulations<'a, M>>,
    /// The experiments that go together.
    groups: Vec<Group>,
    method: Method,
    gradient_method: GradientMethod,
    /// The minimisations whose simulations go in lanes with these, if any.
    together: Option<Membership<'a, 'a, M>>,
    /// The latest experiment that failed at trial unknowns, and how many trials have failed so.
    pub failed: Option<FailedTrials>,
    /// With the simulations before this evaluation, and all times.
    spent: Spent,
}

/// What simulations have taken.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
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

impl<'a, M: Model> Evaluation<'a, M> {
    pub fn new(campaign: &'a Campaign<'a, M>, method: Method, gradient_method: GradientMethod) -> Self {
        Self {
            campaign,
            experiments: campaign.experiments.iter().map(Simulations::new).collect(),
            groups: alike::groups(&campaign.experiments),
            method,
            gradient_method,
            together: None,
            failed: None,
            spent: Spent::default(),
        }
    }

    /// Simulations and gradients by the discrete adjoint go in lanes with those of others.
    pub fn together(self, membership: Membership<'a, 'a, M>) -> Self {
        Self { together: Some(membership), ..self }
    }

    /// Goes on counting from there.
    pub fn begin_with(&mut self, spent: Spent) {
        self.spent = spent;
    }

    /// What all simulations have taken so far.
    pub fn spent(&self) -> Spent {
        let simulations = self.experiments.iter().map(|experiment| experiment.count).sum::<usize>();
        Spent { simulations: self.spent.simulations + simulations, ..self.spent }
    }

    /// What `work` makes of every experiment, on all cores unless others wait for these in lanes.
    fn each<T: Send>(
        &mut self,
        work: impl Fn(&mut Simulations<'a, M>, Option<&Membership<'a, 'a, M>>) -> Result<T, SimulationError>
        + Sync,
    ) -> Result<Vec<T>, FailedExperiment> {
        let together = self.together.as_ref();
        let results: Vec<_> = match &mut self.experiments[..] {
            experiments if together.is_some() || experiments.len() == 1 => {
                experiments.iter_mut().map(|experiment| work(experiment, together)).collect()
            }
            experiments => experiments.par_iter_mut().map(|experiment| work(experiment, None)).collect(),
        };
        first_failure(results)
    }

    /// As [`each`](Self::each), but experiments that are alike go beside each other in lanes, by `in_lanes`.
    fn each_group<T: Send>(
        &mut self,
        work: impl Fn(&mut Simulations<'a, M>, Option<&Membership<'a, 'a, M>>) -> Result<T, SimulationError>
        + Sync,
        in_lanes: impl Fn(&mut [&mut Simulations<'a, M>]) -> Vec<Result<T, SimulationError>> + Sync,
    ) -> Result<Vec<T>, FailedExperiment> {
        if self.together.is_some() || self.groups.iter().all(|group| !group.in_lanes) {
            return self.each(work);
        }
        let mut experiments: Vec<Option<&mut Simulations<'a, M>>> =
            self.experiments.iter_mut().map(Some).collect();
        let mut groups: Vec<(&Group, Vec<&mut Simulations<'a, M>>)> = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            groups.push((
                group,
                group.numbers.iter().filter_map(|&number| experiments[number].take()).collect(),
            ));
        }
        let evaluated = |(group, members): &mut (&Group, Vec<&mut Simulations<'a, M>>)| {
            let results = match group.in_lanes {
                true => in_lanes(members),
                false => members.iter_mut().map(|one| work(one, None)).collect(),
            };
            group.numbers.iter().copied().zip(results).collect::<Vec<_>>()
        };
        let results: Vec<Vec<_>> = groups.par_iter_mut().map(evaluated).collect();
        let mut results: Vec<_> = results.into_iter().flatten().collect();
        results.sort_by_key(|(number, _)| *number);
        first_failure(results.into_iter().map(|(_, result)| result).collect())
    }

    /// Time that minimisations in lanes have waited for each other.
    fn take_waited(&mut self) -> Duration {
        self.experiments.iter_mut().map(|experiment| std::mem::take(&mut experiment.waited)).sum()
    }

    /// The outputs of every experiment, with their derivatives by the unknowns.
    pub fn sensitivities(&mut self, unknowns: &[f64]) -> Result<Vec<Differentiated>, IdentificationError> {
        let found = self.each(|experiment, _| experiment.sensitivities(unknowns));
        found.map_err(|(number, error)| self.campaign.in_experiment(number, error.into()))
    }

    /// J.
    pub fn value(&mut self, unknowns: &[f64]) -> Result<f64, FailedExperiment> {
        let costs = self.each_group(
            |experiment, together| experiment.cost(unknowns, together),
            |alike| alike::costs(alike, unknowns),
        )?;
        Ok(costs.into_iter().sum::<f64>() + self.campaign.priors.cost(unknowns))
    }

    /// dJ/dz.
    pub fn differentiate(&mut self, unknowns: &[f64]) -> Result<Vec<f64>, FailedExperiment> {
        let method = self.gradient_method;
        let parts = self.each_group(
            |experiment, together| experiment.gradient(unknowns, method, together),
            |alike| alike::gradients(alike, unknowns, method),
        )?;
        let mut gradient = vec![0.0; unknowns.len()];
        for part in parts {
            gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        self.campaign.priors.add_gradient(unknowns, &mut gradient);
        Ok(gradient)
    }

    fn linearise(&mut self, unknowns: &[f64]) -> Result<Option<LinearResiduals>, FailedExperiment> {
        let parts = self.each(|experiment, _| experiment.residuals(unknowns))?;
        let Some(parts) = parts.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let mut all = LinearResiduals { values: Vec::new(), derivatives: vec![Vec::new(); unknowns.len()] };
        for part in parts {
            all.values.extend(part.values);
            all.derivatives.iter_mut().zip(part.derivatives).for_each(|(all, part)| all.extend(part));
        }
        self.campaign.priors.rows(unknowns).iter().for_each(|rows| rows.add_linear(&mut all));
        Ok(Some(all))
    }

    /// What would fail at any parameters ends the identification; the rest is a bad trial.
    fn failure(&mut self, (number, error): FailedExperiment) -> Failure<IdentificationError> {
        let fails_anywhere = error.fails_anywhere();
        let error = self.campaign.in_experiment(number, error.into());
        if fails_anywhere {
            return Failure::Stop(error);
        }
        let count = self.failed.as_ref().map_or(0, |failed| failed.count) + 1;
        self.failed = Some(FailedTrials { count, last: with_causes(&error) });
        Failure::Here(error)
    }
}

/// All results, or the first experiment that failed.
fn first_failure<T>(results: Vec<Result<T, SimulationError>>) -> Result<Vec<T>, FailedExperiment> {
    let numbered = results.into_iter().enumerate();
    numbered.map(|(number, result)| result.map_err(|error| (number, error))).collect()
}

impl<M: Model> LeastSquaresObjective for Evaluation<'_, M> {
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
}

impl<M: Model> Objective for Evaluation<'_, M> {
    type Error = IdentificationError;

    fn announce(&mut self, trials: &[Vec<f64>]) {
        if self.together.is_some() {
            return;
        }
        let start = Instant::now();
        match &mut self.experiments[..] {
            [one] => one.announce(trials),
            experiments => experiments.par_iter_mut().for_each(|experiment| experiment.announce(trials)),
        }
        self.spent.forward += start.elapsed();
    }

    fn cost(&mut self, unknowns: &[f64]) -> Result<f64, Failure<IdentificationError>> {
        let start = Instant::now();
        let result = self.value(unknowns);
        let waited = self.take_waited();
        self.spent.forward += start.elapsed().saturating_sub(waited);
        result.map_err(|error| self.failure(error))
    }

    fn gradient(
        &mut self,
        unknowns: &[f64],
        gradient: &mut [f64],
    ) -> Result<(), Failure<IdentificationError>> {
        let start = Instant::now();
        let result = self.differentiate(unknowns);
        let waited = self.take_waited();
        self.spent.backward += start.elapsed().saturating_sub(waited);
        gradient.copy_from_slice(&result.map_err(|error| self.failure(error))?);
        Ok(())
    }
}
