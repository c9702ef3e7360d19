//! Runs of a model: the loops over steps, of one run or of several in lanes, in numbers of any type.
//!
//! `forward` makes one run, `lanes` four, `outputs` a run of which only outputs are kept, `checkpoints` one that keeps
//! some states. `states` hands the states of a run to sweeps, stored or computed once more. `adaptive` finds the
//! lengths of steps. `constants` has the constants of steps that restart and of steps that go on, for every length,
//! and for the adjoint those of every change between them.

mod adaptive;
mod basis;
mod checkpoints;
mod constants;
mod forward;
mod lanes;
mod outputs;
mod scales;
mod states;
mod stored;

use costate_numerics::scalar::{Scalar, array};
use costate_system::model::{Functions, Model};
use costate_system::problem::{Memory, Plan, Problem, RunSizes, SimulationError};
use costate_system::series::Series;

use crate::step::{Snapshot, State};

pub use costate_system::run::*;

pub use adaptive::plan_steps;
pub use basis::{RunBasis, basis_of, outputs_of};
pub use constants::{RunConstants, constants_of};
pub use forward::{integrator, run_forward};
pub use lanes::run_lanes;
pub use outputs::run_outputs;
pub use scales::scales_of;
pub use states::{Backward, Forward};

/// Runs like [`Problem::run`]; with [`Dual`](costate_numerics::scalar::Dual) numbers it keeps the data for a derivative
/// of the gradient.
///
/// # Errors
/// As [`Problem::forward`]; [`SimulationError::OtherProblem`] for a problem of another model;
/// [`SimulationError::Memory`] and [`SimulationError::Checkpoints`], as such numbers need more than plain ones.
pub fn run_in<M: Model, S: Scalar>(problem: &Problem, parameters: &[S]) -> Result<StoredRun<S>, SimulationError> {
    check_given::<M>(problem, parameters.len())?;
    run_with::<M::Functions, S>(M::program(), problem, &array(parameters))
}

/// Evaluates the outputs like [`Problem::outputs`]; with [`Dual`](costate_numerics::scalar::Dual) numbers they carry
/// their exact derivatives.
///
/// # Errors
/// As [`Problem::outputs`]; [`SimulationError::OtherProblem`] for a problem of another model.
pub fn outputs_in<M: Model, S: Scalar>(problem: &Problem, parameters: &[S]) -> Result<Series<S>, SimulationError> {
    check_given::<M>(problem, parameters.len())?;
    outputs_with::<M::Functions, S>(M::program(), problem, &array(parameters))
}

/// Evaluates the outputs like [`outputs_in`], for a program of a model.
pub(crate) fn outputs_with<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
) -> Result<Series<S>, SimulationError> {
    check_model::<M>(program, problem)?;
    run_outputs::<M, S>(program, problem, parameters)
}

/// Runs like [`Problem::forward`]; with [`Dual`](costate_numerics::scalar::Dual) numbers the result carries the exact
/// derivative of the computed numbers.
///
/// # Errors
/// As [`Problem::forward`]; [`SimulationError::OtherProblem`] for a problem of another model.
pub fn forward_in<M: Model, S: Scalar>(problem: &Problem, parameters: &[S]) -> Result<Trajectory<S>, SimulationError> {
    check_given::<M>(problem, parameters.len())?;
    let program = M::program();
    problem.check_room_for_all(&sizes::<M::Functions, S>(program))?;
    forward::run_forward::<M::Functions, S>(program, problem, &array(parameters))
}

/// Computes the consistent initial state x_0 = (q0, v0, a0, lambda0) of these parameters.
///
/// # Errors
/// [`SimulationError::InitialState`] if the model's initial values contradict its constraints or do not determine the
/// motion; [`SimulationError::OtherProblem`] for a problem of another model.
pub fn initial_state_in<M: Model, S: Scalar>(
    problem: &Problem,
    parameters: &[S],
) -> Result<State<M::Functions, S>, SimulationError> {
    check_given::<M>(problem, parameters.len())?;
    initial_state_with(M::program(), problem, &array(parameters))
}

/// Computes the state like [`initial_state_in`], for a program of a model.
pub(crate) fn initial_state_with<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
) -> Result<State<M, S>, SimulationError> {
    check_model::<M>(program, problem)?;
    Ok(crate::initial::consistent_state::<M, S>(program, problem, parameters)?.state.typed())
}

/// Checks the model before the number of its parameters, which another model may have as well.
fn check_given<M: Model>(problem: &Problem, parameters: usize) -> Result<(), SimulationError> {
    check_model::<M::Functions>(M::program(), problem)?;
    problem.check_count(parameters)
}

/// # Errors
/// [`SimulationError::OtherProblem`] for a problem of another model than `M`.
pub fn check_model<M: Functions>(program: M::Program, problem: &Problem) -> Result<(), SimulationError> {
    match problem.description().is_same(M::description(program)) {
        true => Ok(()),
        false => Err(problem.conditions().of_other_model(M::description(program).name).into()),
    }
}

/// Runs like [`run_in`], for a program of a model.
pub(crate) fn run_with<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
) -> Result<StoredRun<S>, SimulationError> {
    check_model::<M>(program, problem)?;
    let (plan, _) = Memory::planned(problem.settings(), problem.steps(), &sizes::<M, S>(program))?;
    run_planned::<M, S>(program, problem, plan, parameters)
}

/// Returns the sizes that determine the memory of runs of the model `M` in numbers of the type `S`.
fn sizes<M: Functions, S: Scalar>(program: M::Program) -> RunSizes {
    let snapshot = Snapshot::<M, S>::bytes(program);
    RunSizes { model: M::description(program), number: size_of::<S>(), snapshot }
}

/// Runs and keeps all states, or checkpoints as the plan says.
pub fn run_planned<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    plan: Option<Plan>,
    parameters: &M::Parameters<S>,
) -> Result<StoredRun<S>, SimulationError> {
    if let Some(levels) = problem.levels() {
        let runs = levels.iter().map(|level| run_with::<M, S>(program, &level.problem, parameters));
        return combined_run(problem, &levels, runs.collect::<Result<_, _>>()?);
    }
    if let Some(plan) = plan {
        return checkpoints::run::<M, S>(program, problem, plan, parameters);
    }
    problem.check_room_for_all(&sizes::<M, S>(program))?;
    let trajectory = forward::run_forward::<M, S>(program, problem, parameters)?;
    Ok(StoredRun::all(outputs_of::<M, S>(&trajectory), trajectory))
}
