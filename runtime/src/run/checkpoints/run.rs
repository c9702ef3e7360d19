//! The forward run with checkpoints.

use crate::initial::consistent_state;
use crate::model::Model;
use crate::problem::{Conditions, Plan, Problem, SimulationError};
use crate::scalar::Scalar;
use crate::series::Series;
use crate::step::Statistics;

use super::super::constants::RunConstants;
use super::super::forward::integrator;
use super::super::outputs::OutputSampler;
use super::store::Store;

/// Parameters, constants and store.
type Parts<'a, M, S> = (&'a <M as Model>::Parameters<S>, &'a RunConstants<M, S>, &'a mut Store<M, S>);

/// A run that holds checkpoints.
pub(crate) struct Checkpointed<M: Model, S: Scalar> {
    conditions: Conditions<M>,
    pub(super) parameters: M::Parameters<S>,
    pub(super) constants: RunConstants<M, S>,
    pub(super) store: Store<M, S>,
    statistics: Statistics,
}

impl<M: Model, S: Scalar> Checkpointed<M, S> {
    /// What the run depends on besides its parameters.
    pub fn conditions(&self) -> &Conditions<M> {
        &self.conditions
    }

    /// The parameters of the run.
    pub fn parameters(&self) -> &M::Parameters<S> {
        &self.parameters
    }

    /// What the run took.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// x_N, as long as the checkpoints are those of the end.
    pub fn end(&self) -> Option<&[S]> {
        self.store.end()
    }

    /// Parameters, constants and store.
    pub fn parts(&mut self) -> Parts<'_, M, S> {
        (&self.parameters, &self.constants, &mut self.store)
    }
}

/// Simulates `problem` with `parameters`: the outputs at all steps, and what the gradient needs.
pub(crate) fn run<M: Model, S: Scalar>(
    problem: &Problem<M>,
    plan: Plan,
    parameters: &M::Parameters<S>,
) -> Result<(Series<S>, Checkpointed<M, S>), SimulationError> {
    problem.check_steps()?;
    problem.poll(0)?;
    let initial = consistent_state(problem, parameters)?.start();
    let constants = RunConstants::new(problem, parameters);
    let mut store = Store::new(plan)?;
    let mut sampler = OutputSampler::new(problem, constants.model())?;
    let mut integrator = integrator(problem, parameters, &constants, initial);
    sampler.sample(0, integrator.state());
    store.next_block(problem, &constants, &mut integrator, |i, state| {
        sampler.sample(i, state);
        problem.poll(i)
    })?;
    let statistics = integrator.statistics();
    let outputs = sampler.into_series();
    let (conditions, parameters) = (problem.conditions(), parameters.clone());
    Ok((outputs, Checkpointed { conditions, parameters, constants, store, statistics }))
}
