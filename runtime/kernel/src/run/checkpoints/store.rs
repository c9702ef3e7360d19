//! The snapshots and the states that a run with checkpoints holds at one time.

use costate_contract::machine::Room;
use costate_numerics::scalar::Scalar;
use costate_system::model::Functions;
use costate_system::problem::{Action, Plan, Problem, Schedule, SimulationError};

use crate::step::{Integrator, Snapshot, Start, State};

use super::super::constants::RunConstants;

/// Snapshots by slot, the states of one block of steps, and the remaining schedule.
pub(crate) struct Store<M: Functions, S: Scalar> {
    plan: Plan,
    /// Numbers of a state, 3n + m.
    stride: usize,
    schedule: Schedule,
    /// The step that the integrator has reached.
    step: usize,
    snapshots: Vec<Snapshot<M, S>>,
    /// The step of the first state.
    first: usize,
    states: Vec<S>,
    /// True if `states` are those of the last block, from which the schedule continues.
    is_at_end: bool,
}

impl<M: Functions, S: Scalar> Store<M, S> {
    /// Creates a store and allocates all its memory at once.
    pub fn new(program: M::Program, plan: Plan) -> Result<Self, SimulationError> {
        let snapshots = Room::of_steps("the checkpoints", plan.steps()).take(plan.snapshots())?;
        let stride = M::lengths(program).state();
        let states = Room::of_steps("a block", plan.states()).take(plan.states().saturating_mul(stride))?;
        let schedule = plan.schedule();
        Ok(Self { plan, stride, schedule, step: 0, snapshots, first: 0, states, is_at_end: false })
    }

    /// Returns x_0 and s_0, after the first block.
    pub fn initial(&self) -> Option<Start<M, S>> {
        self.snapshots.first().map(Snapshot::start)
    }

    /// Returns the number of steps that the schedule computes in addition to the first run.
    pub fn repeated_steps(&self) -> u64 {
        self.plan.repeated_steps()
    }

    /// Returns x_i (3n + m), if it is stored.
    pub fn state(&self, i: usize) -> Option<&[S]> {
        let begin = i.checked_sub(self.first)? * self.stride;
        self.states.get(begin..begin + self.stride)
    }

    /// Returns x_N, if the states of the last block are stored.
    pub fn end(&self) -> Option<&[S]> {
        self.is_at_end.then(|| self.state(self.plan.steps())).flatten()
    }

    /// Returns true if the states of the last block are stored, and a backward sweep can begin.
    pub fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Begins the schedule once more. The first snapshot is always that of step 0.
    pub fn restart(&mut self, problem: &Problem, integrator: &mut Integrator<M, S>) -> Result<(), SimulationError> {
        self.schedule = self.plan.schedule();
        self.step = 0;
        match self.snapshots.first() {
            Some(start) => Ok(integrator.restore(start, problem.moment(start.step()))?),
            None => Ok(()),
        }
    }

    /// Continues the schedule until the states of the next block are stored; `after` is called after every
    /// step. Returns `false` at the schedule's end.
    pub fn next_block(
        &mut self,
        problem: &Problem,
        constants: &RunConstants<M, S>,
        integrator: &mut Integrator<M, S>,
        mut after: impl FnMut(usize, &State<M, S>) -> Result<(), SimulationError>,
    ) -> Result<bool, SimulationError> {
        // an error leaves the schedule within an action: only `restart` helps then
        self.is_at_end = false;
        for action in self.schedule.by_ref() {
            match action {
                Action::Load { slot } => {
                    let snapshot = &self.snapshots[slot];
                    self.step = snapshot.step();
                    integrator.restore(snapshot, problem.moment(self.step))?;
                }
                Action::Save { slot } => {
                    // the contents of later slots are no longer needed
                    self.snapshots.truncate(slot);
                    self.snapshots.push(integrator.save(self.step, &self.snapshots));
                }
                Action::Advance { to } => {
                    while self.step < to {
                        self.step += 1;
                        let constants = constants.enter(problem, self.step, integrator);
                        integrator.step(constants, problem.moment(self.step))?;
                        after(self.step, integrator.state())?;
                    }
                }
                Action::Reverse { from, to } => {
                    (self.step, self.first) = (from, from);
                    self.states.clear();
                    integrator.state().store(&mut self.states);
                    while self.step < to {
                        self.step += 1;
                        let constants = constants.enter(problem, self.step, integrator);
                        integrator.step(constants, problem.moment(self.step))?;
                        integrator.state().store(&mut self.states);
                        after(self.step, integrator.state())?;
                    }
                    self.is_at_end = to == self.plan.steps();
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
