//! Experiments that are alike: their runs differ in parameters alone, and go in lanes side by side. So do the runs of
//! one experiment at several unknowns.

use costate_system::each::{RunWithCost, at_once, gradient_four};
use costate_system::gradient::GradientMethod;
use costate_system::problem::SimulationError;

use super::experiment_problem::ExperimentProblem;
use super::simulations::{MIN_IN_LANES, Simulations};

/// Groups experiments that are alike, at most four together and so that no core is without work; most are alone.
/// Which experiments go in lanes does not depend on the number of cores.
pub(crate) fn groups(experiments: &[ExperimentProblem]) -> Vec<Group> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (number, prepared) in experiments.iter().enumerate() {
        let alike = all.iter_mut().find(|group| are_alike(&experiments[group[0]], prepared));
        match alike {
            Some(group) => group.push(number),
            None => all.push(vec![number]),
        }
    }
    let in_lanes = |group: Vec<usize>| -> Vec<Group> {
        let together = if group.len() < MIN_IN_LANES { 1 } else { at_once(group.len()) };
        let in_lanes = group.len() >= MIN_IN_LANES;
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

fn are_alike(one: &ExperimentProblem, other: &ExperimentProblem) -> bool {
    let in_lanes = one.runs_in_lanes() && other.runs_in_lanes();
    in_lanes
        && one.selection.parameters == other.selection.parameters
        && one.problem.conditions().check(&other.problem.conditions()).is_ok()
}

/// Simulations of a lane, and their unknowns.
pub(crate) struct Lane<'l, 'a> {
    pub simulations: &'l mut Simulations<'a>,
    pub unknowns: &'l [f64],
}

/// Returns lanes of experiments at the same unknowns.
pub(crate) fn lanes<'l, 'a>(experiments: &'l mut [&mut Simulations<'a>], unknowns: &'l [f64]) -> Vec<Lane<'l, 'a>> {
    experiments.iter_mut().map(|simulations| Lane { simulations, unknowns }).collect()
}

/// Simulates in lanes where no run is known.
fn simulate(lanes: &mut [Lane<'_, '_>]) {
    let is_missing = |lane: &&mut Lane<'_, '_>| !lane.simulations.knows(lane.unknowns);
    let mut missing: Vec<_> = lanes.iter_mut().filter(is_missing).collect();
    let Some(first) = missing.first() else { return };
    let problem = &first.simulations.prepared().problem;
    let parameters: Vec<_> = missing.iter().map(|lane| lane.simulations.prepared().parameters(lane.unknowns)).collect();
    missing.iter_mut().for_each(|lane| lane.simulations.forget());
    let runs = problem.run_four(&parameters);
    missing.into_iter().zip(runs).for_each(|(lane, run)| lane.simulations.take(lane.unknowns, run));
}

/// Returns J of each of these up to four alike experiments.
pub(crate) fn costs(lanes: &mut [Lane<'_, '_>]) -> Vec<Result<f64, SimulationError>> {
    simulate(lanes);
    lanes.iter_mut().map(|lane| lane.simulations.cost(lane.unknowns)).collect()
}

/// Returns dJ/dz of each of these up to four alike experiments.
pub(crate) fn gradients(lanes: &mut [Lane<'_, '_>], method: GradientMethod) -> Vec<Result<Vec<f64>, SimulationError>> {
    simulate(lanes);
    let fails = |lane: &mut Lane<'_, '_>| lane.simulations.simulated(lane.unknowns).is_err();
    if method != GradientMethod::DiscreteAdjoint || lanes.iter_mut().any(fails) {
        return lanes.iter_mut().map(|lane| lane.simulations.gradient(lane.unknowns, method)).collect();
    }
    let Some(prepared) = lanes.first().map(|lane| lane.simulations.prepared()) else { return Vec::new() };
    let selection = &prepared.selection;
    let mut gradients: Vec<_> = lanes.iter().map(|lane| vec![0.0; lane.unknowns.len()]).collect();
    let costs = lanes.iter_mut().zip(&mut gradients).filter_map(|(lane, gradient)| {
        let comparison = &lane.simulations.prepared().comparison;
        let run = lane.simulations.latest_mut()?;
        let output_gradient = comparison.gradient(run.outputs(), lane.unknowns, gradient);
        Some((run, output_gradient))
    });
    let mut costs: Vec<_> = costs.collect();
    let mut runs: Vec<_> =
        costs.iter_mut().map(|(run, output_gradient)| RunWithCost { run, output_gradient }).collect();
    let found = gradient_four(prepared.model, &prepared.problem, &mut runs, &selection.parameters);
    for ((gradient, by_parameters), lane) in gradients.iter_mut().zip(&found).zip(lanes.iter()) {
        let Ok(by_parameters) = by_parameters else { continue };
        for (&unknown, derivative) in lane.simulations.prepared().selection.unknowns.iter().zip(by_parameters) {
            gradient[unknown] += derivative;
        }
    }
    gradients.into_iter().zip(found).map(|(gradient, found)| found.map(|_| gradient)).collect()
}
