//! The forward run with checkpoints.

use crate::integrator::{Hht, OutputSampler, SimulationError, Statistics, initial_state};
use crate::model::Model;
use crate::problem::Problem;
use crate::series::Series;

use super::plan::Plan;
use super::store::Store;

/// A run that holds checkpoints.
pub(crate) struct Checkpointed<M: Model> {
    pub(super) parameters: M::Parameters<f64>,
    pub(super) constants: M::Constants<f64>,
    pub(super) store: Store<M>,
    statistics: Statistics,
}

impl<M: Model> Checkpointed<M> {
    /// The parameters of the run.
    pub fn parameters(&self) -> &M::Parameters<f64> {
        &self.parameters
    }

    /// What the run took.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Parameters, constants and store.
    pub fn parts(&mut self) -> (&M::Parameters<f64>, &M::Constants<f64>, &mut Store<M>) {
        (&self.parameters, &self.constants, &mut self.store)
    }
}

/// Simulates `problem` with `parameters`: the outputs at all steps, and what the gradient needs.
pub(crate) fn run<M: Model>(
    problem: &Problem<M>,
    plan: Plan,
    parameters: &M::Parameters<f64>,
) -> Result<(Series<f64>, Checkpointed<M>), SimulationError> {
    problem.poll(0)?;
    let initial = initial_state(problem, parameters)?;
    let constants = problem.constants(parameters);
    let mut store = Store::new(plan)?;
    let mut sampler = OutputSampler::new(problem, &constants);
    let mut integrator = Hht::new(problem, parameters, &constants, initial);
    sampler.sample(0, integrator.state());
    store.next_block(&mut integrator, |i, state| {
        sampler.sample(i, state);
        problem.poll(i)
    })?;
    let statistics = integrator.statistics();
    let outputs = sampler.into_series();
    Ok((outputs, Checkpointed { parameters: parameters.clone(), constants, store, statistics }))
}
