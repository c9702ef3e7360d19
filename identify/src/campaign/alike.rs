//! Experiments that are alike: their runs differ in parameters alone, and go in lanes side by side.

use crate::gradient::GradientMethod;
use crate::problem::SimulationError;
use costate_system::each::{RunWithCost, at_once, gradient_four};

use super::prepared::Prepared;
use super::simulations::Simulations;

/// Smallest number of experiments for which lanes are faster than single runs.
const LEAST: usize = 3;

/// Groups experiments that are alike, at most four together and so that no core is without work; most are alone.
/// Which experiments go in lanes does not depend on the number of cores.
pub(crate) fn groups(experiments: &[Prepared<'_>]) -> Vec<Group> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (number, prepared) in experiments.iter().enumerate() {
        let alike = all.iter_mut().find(|group| are_alike(&experiments[group[0]], prepared));
        match alike {
            Some(group) => group.push(number),
            None => all.push(vec![number]),
        }
    }
    let in_lanes = |group: Vec<usize>| -> Vec<Group> {
        let together = if group.len() < LEAST { 1 } else { at_once(group.len()) };
        let in_lanes = group.len() >= LEAST;
        group.chunks(together).map(|numbers| Group { numbers: numbers.to_vec(), in_lanes }).collect()
    };
    all.into_iter().flat_map(in_lanes).collect()
}

/// Experiments that are evaluated by one core, one after the other or in lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// Numbers of the experiments.
    pub numbers: Vec<usize>,
    pub in_lanes: bool,
}

impl Group {
    /// Creates the group of a single experiment.
    pub fn alone(number: usize) -> Self {
        Self { numbers: vec![number], in_lanes: false }
    }
}

fn are_alike(one: &Prepared<'_>, other: &Prepared<'_>) -> bool {
    let in_lanes = one.runs_in_lanes() && other.runs_in_lanes();
    in_lanes
        && one.selection.parameters == other.selection.parameters
        && one.problem.conditions().check(&other.problem.conditions()).is_ok()
}

/// Returns J of each of these alike experiments.
pub fn costs(group: &mut [&mut Simulations<'_>], unknowns: &[f64]) -> Vec<Result<f64, SimulationError>> {
    let missing: Vec<&mut &mut Simulations<'_>> =
        group.iter_mut().filter(|one| !one.knows(unknowns)).collect();
    let parameters: Vec<_> = missing.iter().map(|one| one.prepared().parameters(unknowns)).collect();
    if let Some(first) = missing.first() {
        let problem = &first.prepared().problem;
        let runs = problem.run_four(&parameters);
        missing.into_iter().zip(runs).for_each(|(one, run)| one.take(unknowns, run));
    }
    group.iter_mut().map(|one| one.cost(unknowns, None)).collect()
}

/// Returns dJ/dz of each of these alike experiments.
pub(crate) fn gradients(
    group: &mut [&mut Simulations<'_>],
    unknowns: &[f64],
    method: GradientMethod,
) -> Vec<Result<Vec<f64>, SimulationError>> {
    let costs = costs(group, unknowns);
    if method != GradientMethod::DiscreteAdjoint || costs.iter().any(Result::is_err) {
        return group.iter_mut().map(|one| one.gradient(unknowns, method, None)).collect();
    }
    let Some(prepared) = group.first().map(|one| one.prepared()) else { return Vec::new() };
    let selection = &prepared.selection;
    let mut gradients = vec![vec![0.0; unknowns.len()]; group.len()];
    let costs = group.iter_mut().zip(&mut gradients).filter_map(|(one, gradient)| {
        let comparison = &one.prepared().comparison;
        let run = one.latest_mut()?;
        let output_gradient = comparison.gradient(run.outputs(), unknowns, gradient);
        Some((run, output_gradient))
    });
    let mut costs: Vec<_> = costs.collect();
    let mut runs: Vec<_> =
        costs.iter_mut().map(|(run, output_gradient)| RunWithCost { run, output_gradient }).collect();
    let found = gradient_four(prepared.model, &prepared.problem, &mut runs, &selection.parameters);
    for ((gradient, by_parameters), one) in gradients.iter_mut().zip(&found).zip(group.iter()) {
        let Ok(by_parameters) = by_parameters else { continue };
        for (&unknown, derivative) in one.prepared().selection.unknowns.iter().zip(by_parameters) {
            gradient[unknown] += derivative;
        }
    }
    gradients.into_iter().zip(found).map(|(gradient, found)| found.map(|_| gradient)).collect()
}
