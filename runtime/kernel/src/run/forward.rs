//! One run, whose states are stored.

use costate_contract::machine::{Room, bytes};
use costate_numerics::scalar::{Scalar, Vector, Work};
use costate_system::model::Functions;
use costate_system::problem::{Buffer, Problem, SimulationError};

use crate::initial::consistent_state;
use crate::room::with_room;
use crate::step::{Integrator, Start};

use super::basis::{RunBasis, trajectory};
use super::constants::RunConstants;
use super::stored::stored_row;
use super::{Trajectory, combined_states};

/// The integrator of `problem` at t = 0.
pub fn integrator<M: Functions, S: Scalar>(
    problem: &Problem,
    parameters: &M::Parameters<S>,
    constants: &RunConstants<M, S>,
    start: Start<M, S>,
) -> Integrator<M, S> {
    Integrator::new(&problem.settings().newton, parameters, constants.first(), start, problem.moment(0))
}

/// Simulates `problem` with `parameters`.
pub fn run_forward<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
) -> Result<Trajectory<S>, SimulationError> {
    if let Some(levels) = problem.levels() {
        let runs = levels.iter().map(|level| run_forward::<M, S>(program, &level.problem, parameters));
        return combined_states(problem, &levels, runs.collect::<Result<_, _>>()?);
    }
    problem.check_steps()?;
    problem.poll(0)?;
    let initial = consistent_state::<M, _>(program, problem, parameters)?;
    let numbers = (problem.steps() + 1).saturating_mul(M::lengths(program).state());
    let states = problem.buffers().take(numbers);
    let missing = |_| Room::of_steps("the run", problem.steps()).missing(bytes(numbers, size_of::<S>()), None);
    let mut states = states.map_err(missing)?;
    let constants = RunConstants::new(program, problem, parameters);
    let mut integrator = integrator(problem, parameters, &constants, initial.start::<M>());
    integrator.state().store_row(stored_row(&mut states, 0, M::lengths(program).state()));
    let steps = Steps { problem, integrator: &mut integrator, constants: &constants, states: &mut states };
    with_room::<M, S, _>(program, || S::dispatch(steps))?;
    let statistics = integrator.statistics();
    let states = Buffer::new(states, problem.buffers());
    let basis = RunBasis { parameters: parameters.clone(), constants, initial };
    Ok(trajectory(problem, basis, states, statistics))
}

/// All steps of a run as a piece of work, which can be interrupted.
struct Steps<'s, M: Functions, S: Scalar> {
    problem: &'s Problem,
    integrator: &'s mut Integrator<M, S>,
    constants: &'s RunConstants<M, S>,
    states: &'s mut Vec<S>,
}

impl<M: Functions, S: Scalar> Work for Steps<'_, M, S> {
    type Output = Result<(), SimulationError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { problem, integrator, constants, states } = self;
        let lengths = M::lengths(constants.program());
        let (mut correction, stride) = (M::Unknowns::zeros(lengths.unknowns), lengths.state());
        for i in 1..=problem.steps() {
            let constants = constants.enter(problem, i, integrator);
            integrator.advance(constants, problem.moment(i), &mut correction)?;
            integrator.state().store_row(stored_row(states, i, stride));
            problem.poll(i)?;
        }
        Ok(())
    }
}
