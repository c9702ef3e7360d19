//! Runs of four parameter sets in lanes.

use costate_numerics::scalar::{
    CollectVec, LANES, LaneSet, Lanes, Scalar, Vector, Work, each_lane, map_lanes, scatter,
};
use costate_system::model::Functions;
use costate_system::problem::{Buffer, Problem, SimulationError};
use costate_system::series::Series;

use crate::initial::consistent_state;
use crate::room::with_room;
use crate::step::{Integrator, LaneIntegrator};

use super::basis::{RunBasis, trajectory};
use super::constants::RunConstants;
use super::forward::integrator;
use super::stored::stored_row;
use super::{StoredRun, combined_lanes};

/// Simulates `problem` with up to four sets of parameters. The result of a set whose run does not go in lanes is
/// `None`.
pub fn run_lanes<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &[M::Parameters<f64>],
) -> Result<[Option<StoredRun>; LANES], SimulationError> {
    if let Some(levels) = problem.levels() {
        return combined_lanes(problem, &levels, |level| run_lanes::<M>(program, level, parameters));
    }
    let none = || each_lane(|_| None);
    problem.poll(0)?;
    let constants: Vec<_> =
        parameters.iter().map(|parameters| RunConstants::new(program, problem, parameters)).collect_vec();
    let initial: [_; LANES] = each_lane(|lane| consistent_state::<M, _>(program, problem, parameters.get(lane)?).ok());
    let mut singles: [Option<Integrator<M, f64>>; LANES] = each_lane(|lane| {
        let start = initial[lane].as_ref()?.start::<M>();
        Some(integrator(problem, &parameters[lane], &constants[lane], start))
    });
    // lanes without a run go along with another one
    let Some(some) = singles.iter().position(Option::is_some) else { return Ok(none()) };
    let own: [usize; LANES] = each_lane(|lane| if singles[lane].is_some() { lane } else { some });
    let mut in_lanes = M::Parameters::<Lanes>::zeros(M::lengths(program).parameters);
    for (j, value) in in_lanes.as_mut().iter_mut().enumerate() {
        *value = Lanes::of(map_lanes(own, |lane| parameters[lane].as_ref()[j]));
    }
    let lane_constants = RunConstants::new(program, problem, &in_lanes);
    let mut states: [Vec<f64>; LANES] = each_lane(|_| Vec::new());
    let numbers = (problem.steps() + 1) * M::lengths(program).state();
    for (lane, states) in states.iter_mut().enumerate().filter(|(lane, _)| own[*lane] == *lane) {
        match problem.buffers().take(numbers) {
            Ok(memory) => *states = memory,
            Err(_) => singles[lane] = None,
        }
    }
    let alive = LaneSet::of(each_lane(|lane| own[lane] == lane && singles[lane].is_some()));
    let [Some(a), Some(b), Some(c), Some(d)] =
        map_lanes(own, |lane| singles[lane].as_ref().map(|single| (single, constants[lane].first())))
    else {
        return Ok(none());
    };
    let newton = &problem.settings().newton;
    let mut run = LaneRun {
        problem,
        integrator: LaneIntegrator::new(newton, [a, b, c, d], &problem.moment(0).plain_inputs(), alive),
        constants: lane_constants,
        outputs: Vector::zeros(M::lengths(program).outputs),
        unused: each_lane(|_| vec![0.0; M::lengths(program).state()]),
    };
    let step = problem.settings().step;
    let mut outputs: [Series<f64>; LANES] =
        each_lane(|_| Series::zeros(step, M::lengths(program).outputs, problem.steps() + 1));
    with_room::<M, Lanes, _>(program, || {
        Lanes::dispatch(Steps { run: &mut run, states: &mut states, outputs: &mut outputs })
    })?;
    if run.integrator.alive.is_empty() {
        return Ok(none());
    }
    let alive = run.integrator.alive;
    let mut constants = constants.into_iter();
    let mut runs = initial.into_iter().zip(states).zip(outputs);
    Ok(each_lane(|lane| {
        let (constants, ((initial, states), outputs)) = (constants.next()?, runs.next()?);
        let states = Buffer::new(states, problem.buffers());
        let (initial, parameters) = (initial?, parameters[lane].clone());
        let run = || {
            let basis = RunBasis { parameters, constants, initial };
            let statistics = run.integrator.statistics(lane);
            StoredRun::all(outputs, trajectory(problem, basis, states, statistics))
        };
        alive.contains(lane).then(run)
    }))
}

/// Four runs between two steps.
struct LaneRun<'a, M: Functions> {
    problem: &'a Problem,
    integrator: LaneIntegrator<M>,
    constants: RunConstants<M, Lanes>,
    outputs: M::Outputs<Lanes>,
    /// The states of lanes whose runs have ended, which are not read.
    unused: [Vec<f64>; LANES],
}

impl<M: Functions> LaneRun<'_, M> {
    /// Makes step i.
    #[inline(always)]
    fn step(&mut self, i: usize) {
        let constants = self.constants.of_step(i);
        if i == 2 && self.constants.has_restarts() {
            self.integrator.settle(&self.constants.first().weights, &constants.weights);
        }
        self.integrator.step(constants, self.problem.moment(i));
    }

    /// Writes state i of every run that continues.
    #[inline(always)]
    fn store(&mut self, i: usize, states: &mut [Vec<f64>; LANES]) {
        let [a, b, c, d] = states;
        let [unused_a, unused_b, unused_c, unused_d] = &mut self.unused;
        let alive = self.integrator.alive;
        let rows = [
            place(i, a, unused_a, alive.contains(0)),
            place(i, b, unused_b, alive.contains(1)),
            place(i, c, unused_c, alive.contains(2)),
            place(i, d, unused_d, alive.contains(3)),
        ];
        self.integrator.state().0.scatter_stored(rows);
    }

    /// Writes the outputs at x_i.
    #[inline(always)]
    fn sample(&mut self, i: usize, outputs: &mut [Series<f64>; LANES]) {
        let (state, inputs) = self.integrator.state();
        let time = self.problem.moment(i).time;
        M::outputs(&state.point(time, inputs, self.constants.model()), &mut self.outputs);
        let [a, b, c, d] = outputs;
        scatter(self.outputs.as_ref(), [a.row_mut(i), b.row_mut(i), c.row_mut(i), d.row_mut(i)]);
    }
}

/// All steps, until no lane continues, as a piece of work.
struct Steps<'s, 'a, M: Functions> {
    run: &'s mut LaneRun<'a, M>,
    states: &'s mut [Vec<f64>; LANES],
    outputs: &'s mut [Series<f64>; LANES],
}

impl<M: Functions> Work for Steps<'_, '_, M> {
    type Output = Result<(), SimulationError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { run, states, outputs } = self;
        let problem = run.problem;
        for i in 0..=problem.steps() {
            if i > 0 {
                run.step(i);
            }
            run.store(i, states);
            run.sample(i, outputs);
            if run.integrator.alive.is_empty() {
                break;
            }
            problem.poll(i)?;
        }
        Ok(())
    }
}

/// The row for state i: its place in `states` or, if it is not `wanted`, `elsewhere`.
#[inline(always)]
fn place<'a>(i: usize, states: &'a mut Vec<f64>, elsewhere: &'a mut [f64], wanted: bool) -> &'a mut [f64] {
    if !wanted {
        return elsewhere;
    }
    stored_row(states, i, elsewhere.len())
}
