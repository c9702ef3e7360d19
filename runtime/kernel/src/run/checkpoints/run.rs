//! The forward run with checkpoints.

use std::any::Any;

use costate_numerics::scalar::Scalar;
use costate_system::model::Functions;
use costate_system::problem::{Plan, Problem, SimulationError};

use crate::initial::consistent_state;

use super::super::constants::RunConstants;
use super::super::forward::integrator;
use super::super::outputs::OutputSampler;
use super::super::{CheckpointedRun, StoredCheckpoints, StoredRun};
use super::store::Store;

/// Parameters, constants and store.
type Parts<'a, M, S> = (&'a <M as Functions>::Parameters<S>, &'a RunConstants<M, S>, &'a mut Store<M, S>);

/// The checkpoints of a run, with the data from which steps are computed once more.
pub struct Checkpointed<M: Functions, S: Scalar> {
    pub(super) parameters: M::Parameters<S>,
    pub(super) constants: RunConstants<M, S>,
    pub(super) store: Store<M, S>,
}

impl<M: Functions, S: Scalar> Checkpointed<M, S> {
    /// Parameters, constants and store.
    pub fn parts(&mut self) -> Parts<'_, M, S> {
        (&self.parameters, &self.constants, &mut self.store)
    }
}

impl<M: Functions, S: Scalar> StoredCheckpoints<S> for Checkpointed<M, S> {
    fn end(&self) -> Option<&[S]> {
        self.store.end()
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// Simulates `problem` with `parameters`: the outputs at all steps, and what the gradient needs.
pub(crate) fn run<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    plan: Plan,
    parameters: &M::Parameters<S>,
) -> Result<StoredRun<S>, SimulationError> {
    problem.check_steps()?;
    problem.poll(0)?;
    let initial = consistent_state::<M, _>(program, problem, parameters)?.start::<M>();
    let constants = RunConstants::new(program, problem, parameters);
    let mut store = Store::new(program, plan)?;
    let mut sampler = OutputSampler::new(problem, constants.model())?;
    let mut integrator = integrator(problem, parameters, &constants, initial);
    sampler.sample(0, integrator.state());
    store.next_block(problem, &constants, &mut integrator, |i, state| {
        sampler.sample(i, state);
        problem.poll(i)
    })?;
    let statistics = integrator.statistics();
    let outputs = sampler.into_series();
    let (conditions, all) = (problem.conditions(), parameters.as_ref().to_vec());
    let kept = Box::new(Checkpointed { parameters: parameters.clone(), constants, store });
    let run = CheckpointedRun { conditions, parameters: all, statistics, kept };
    Ok(StoredRun::checkpoints(outputs, run))
}
