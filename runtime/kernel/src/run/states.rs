//! The states of a run in the order in which a gradient needs them, stored or recomputed.

use costate_numerics::scalar::{LANES, Scalar};
use costate_system::model::Functions;
use costate_system::problem::{OtherProblem, Problem, SimulationError};

use crate::initial::{Consistent, consistent_state};
use crate::step::Integrator;

use super::Trajectory;
use super::basis::{RunBasis, basis_of, fetch};
use super::checkpoints::{Checkpointed, Store};
use super::constants::RunConstants;
use super::forward::integrator;
use super::stored::FETCH_AHEAD;
use super::{CheckpointedRun, RunStates, RunStatesStored};

/// The data that a run of the model `M` has kept.
pub(crate) enum States<'a, M: Functions, S: Scalar> {
    All(&'a Trajectory<S>, &'a RunBasis<M, S>),
    Checkpoints(&'a mut Checkpointed<M, S>),
}

impl<'a, M: Functions, S: Scalar> States<'a, M, S> {
    /// Returns the data of a run of `problem`.
    pub fn of(problem: &Problem, run: RunStates<'a, S>) -> Result<Self, OtherProblem> {
        match run.0 {
            RunStatesStored::All(trajectory) => {
                trajectory.conditions().check(&problem.conditions())?;
                let basis = basis_of::<M, S>(trajectory)?;
                Ok(Self::All(trajectory, basis))
            }
            RunStatesStored::Checkpoints(run) => {
                run.conditions.check(&problem.conditions())?;
                let CheckpointedRun { conditions, kept, .. } = run;
                let other = || conditions.of_other_model(M::COMPILED.unwrap_or(problem.description()).name);
                kept.as_any_mut().downcast_mut().map(Self::Checkpoints).ok_or_else(other)
            }
            RunStatesStored::Levels(run) => {
                run.conditions.check(&problem.conditions())?;
                Err(run.conditions.of_other_model(problem.description().name))
            }
        }
    }
}

/// The states of a run from step N to step 0.
pub struct Backward<'a, M: Functions, S: Scalar> {
    problem: &'a Problem,
    /// The parameters of the run.
    pub parameters: &'a M::Parameters<S>,
    /// The constants of the steps.
    pub constants: &'a RunConstants<M, S>,
    /// The initial state with the data for its derivatives; `None` where the run has not kept it.
    pub initial: Option<&'a Consistent<S>>,
    source: BackwardSource<'a, M, S>,
}

enum BackwardSource<'a, M: Functions, S: Scalar> {
    All(&'a Trajectory<S>),
    Checkpoints(Box<Recomputation<'a, M, S>>),
}

/// Steps that are recomputed.
struct Recomputation<'a, M: Functions, S: Scalar> {
    store: &'a mut Store<M, S>,
    constants: &'a RunConstants<M, S>,
    integrator: Integrator<M, S>,
    /// Numbers of steps, forward or backward, that are done and that will be done at the end.
    done: usize,
    work: usize,
    /// The states of one call of `four`.
    four: [Vec<S>; LANES],
}

impl<'a, M: Functions, S: Scalar> Backward<'a, M, S> {
    /// Prepares the states of a run of `problem`.
    ///
    /// # Errors
    /// [`SimulationError::OtherProblem`] for a run of another problem; the errors of recomputed steps.
    #[inline(never)]
    pub fn new(problem: &'a Problem, run: RunStates<'a, S>) -> Result<Self, SimulationError> {
        let run = match States::<M, S>::of(problem, run)? {
            States::All(trajectory, RunBasis { parameters, constants, initial }) => {
                let (initial, source) = (Some(initial), BackwardSource::All(trajectory));
                return Ok(Self { problem, parameters, constants, initial, source });
            }
            States::Checkpoints(run) => run,
        };
        let (parameters, constants, store) = run.parts();
        let initial = match store.initial() {
            Some(start) => start,
            None => consistent_state::<M, _>(constants.program(), problem, parameters)?.start::<M>(),
        };
        let mut integrator = integrator(problem, parameters, constants, initial);
        let mut work = problem.steps() + store.repeated_steps() as usize;
        if !store.is_at_end() {
            // an earlier gradient has used up the checkpoints
            store.restart(problem, &mut integrator)?;
            work += problem.steps();
        }
        let again =
            Recomputation { store, constants, integrator, done: 0, work, four: std::array::from_fn(|_| Vec::new()) };
        let source = BackwardSource::Checkpoints(Box::new(again));
        Ok(Self { problem, parameters, constants, initial: None, source })
    }

    /// Returns x_i (3n + m); i must not rise from call to call.
    #[inline(always)]
    pub fn at(&mut self, i: usize) -> Result<&[S], SimulationError> {
        match &mut self.source {
            BackwardSource::All(trajectory) => {
                fetch::<M, S>(self.constants.program(), trajectory, i.saturating_sub(FETCH_AHEAD));
                Ok(trajectory.of_step::<M>(self.constants.program(), i))
            }
            BackwardSource::Checkpoints(again) => again.at(self.problem, i),
        }
    }

    /// Returns x_i, x_{i-1}, x_{i-2} and x_{i-3}; the next call is for x_{i-4} or four states from there.
    #[inline(always)]
    pub fn four(&mut self, i: usize) -> Result<[&[S]; LANES], SimulationError> {
        match &mut self.source {
            BackwardSource::All(trajectory) => Ok([
                trajectory.of_step::<M>(self.constants.program(), i),
                trajectory.of_step::<M>(self.constants.program(), i - 1),
                trajectory.of_step::<M>(self.constants.program(), i - 2),
                trajectory.of_step::<M>(self.constants.program(), i - 3),
            ]),
            BackwardSource::Checkpoints(again) => again.four(self.problem, i),
        }
    }

    /// Prefetches a state that [`four`](Self::four) will return when step i is done.
    #[inline(always)]
    pub fn fetch_for_four(&self, i: usize) {
        if let BackwardSource::All(trajectory) = &self.source {
            fetch::<M, S>(self.constants.program(), trajectory, i.saturating_sub(2 * LANES));
        }
    }

    /// Reports progress and checks for an interruption now and then; called after step i of the sweep.
    #[inline(always)]
    pub fn poll(&mut self, i: usize) -> Result<(), SimulationError> {
        match &mut self.source {
            BackwardSource::All(_) => self.problem.poll(self.problem.steps() - i),
            BackwardSource::Checkpoints(again) => {
                again.done += 1;
                self.problem.poll_work(again.done, again.work, i)
            }
        }
    }
}

impl<M: Functions, S: Scalar> Recomputation<'_, M, S> {
    fn at(&mut self, problem: &Problem, i: usize) -> Result<&[S], SimulationError> {
        while self.store.state(i).is_none() {
            let (done, work) = (&mut self.done, self.work);
            let found = self.store.next_block(problem, self.constants, &mut self.integrator, |step, _| {
                *done += 1;
                problem.poll_work(*done, work, step)
            })?;
            if !found {
                self.store.restart(problem, &mut self.integrator)?;
            }
        }
        Ok(self.store.state(i).unwrap_or_default())
    }

    /// Copies the states, which may not all be stored at the same time.
    fn four(&mut self, problem: &Problem, i: usize) -> Result<[&[S]; LANES], SimulationError> {
        for back in 0..LANES {
            let mut copy = std::mem::take(&mut self.four[back]);
            copy.clear();
            copy.extend_from_slice(self.at(problem, i - back)?);
            self.four[back] = copy;
        }
        Ok(self.four.each_ref().map(Vec::as_slice))
    }
}

/// The states of a run from step 0 to step N.
pub struct Forward<'a, M: Functions, S: Scalar> {
    problem: &'a Problem,
    /// The parameters of the run.
    pub parameters: &'a M::Parameters<S>,
    /// The constants of the steps.
    pub constants: &'a RunConstants<M, S>,
    source: ForwardSource<'a, M, S>,
}

enum ForwardSource<'a, M: Functions, S: Scalar> {
    All(&'a Trajectory<S>),
    /// The repeated run, and the state that it has reached.
    Again(Box<Integrator<M, S>>, Vec<S>),
}

impl<'a, M: Functions, S: Scalar> Forward<'a, M, S> {
    /// Prepares the states of a run of `problem`.
    ///
    /// # Errors
    /// [`SimulationError::OtherProblem`] for a run of another problem; the errors of recomputed steps.
    pub fn new(problem: &'a Problem, run: RunStates<'a, S>) -> Result<Self, SimulationError> {
        let run = match States::<M, S>::of(problem, run)? {
            States::All(trajectory, RunBasis { parameters, constants, .. }) => {
                return Ok(Self { problem, parameters, constants, source: ForwardSource::All(trajectory) });
            }
            States::Checkpoints(run) => run,
        };
        let (parameters, constants, store) = run.parts();
        let initial = match store.initial() {
            Some(start) => start,
            None => consistent_state::<M, _>(constants.program(), problem, parameters)?.start::<M>(),
        };
        let integrator = integrator(problem, parameters, constants, initial);
        let again = ForwardSource::Again(Box::new(integrator), Vec::new());
        Ok(Self { problem, parameters, constants, source: again })
    }

    /// Returns x_i (3n + m), which the last call of [`at`](Self::at) has returned.
    pub fn current(&self, i: usize) -> &[S] {
        match &self.source {
            ForwardSource::All(trajectory) => trajectory.of_step::<M>(self.constants.program(), i),
            ForwardSource::Again(_, state) => state,
        }
    }

    /// Returns x_i (3n + m); called with every i in turn.
    pub fn at(&mut self, i: usize) -> Result<&[S], SimulationError> {
        match &mut self.source {
            ForwardSource::All(trajectory) => Ok(trajectory.of_step::<M>(self.constants.program(), i)),
            ForwardSource::Again(integrator, state) => {
                if i > 0 {
                    let constants = self.constants.enter(self.problem, i, integrator);
                    integrator.step(constants, self.problem.moment(i))?;
                }
                state.clear();
                integrator.state().store(state);
                Ok(state)
            }
        }
    }
}
