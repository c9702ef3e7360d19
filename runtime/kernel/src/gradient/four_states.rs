//! The states of four steps of a sweep, side by side.

use costate_numerics::scalar::{LANES, Lanes, Vector, gather};
use costate_system::model::{Functions, Point};
use costate_system::problem::Problem;

use crate::run::constants_of;
use crate::step::State;

/// The states of steps i to i - 3 of a run, step i in the first lane.
pub(super) struct FourStates<M: Functions> {
    constants: M::Constants<Lanes>,
    state: State<M, Lanes>,
    inputs: M::Inputs<Lanes>,
}

impl<M: Functions> FourStates<M> {
    /// Creates the states, with the constants of the run that is linearised; lanes must be available.
    pub fn new(program: M::Program, problem: &Problem, parameters: &M::Parameters<f64>) -> Self {
        let mut in_lanes = M::Parameters::<Lanes>::zeros(parameters.as_ref().len());
        for (lanes, value) in in_lanes.as_mut().iter_mut().zip(parameters.as_ref()) {
            *lanes = Lanes::of([*value; LANES]);
        }
        Self {
            constants: constants_of::<M, _>(program, problem, &in_lanes),
            state: State::zeros_of(program),
            inputs: Vector::zeros(M::lengths(program).inputs),
        }
    }

    /// Loads the states of steps i to i - 3, and the inputs there.
    #[inline(always)]
    pub fn load(&mut self, problem: &Problem, i: usize, states: [&[f64]; LANES]) {
        let inputs = problem.inputs();
        self.state.gather_stored(states);
        gather(self.inputs.as_mut(), [inputs.row(i), inputs.row(i - 1), inputs.row(i - 2), inputs.row(i - 3)]);
    }

    /// Returns the loaded states at the times of steps i to i - 3.
    #[inline(always)]
    pub fn point(&self, problem: &Problem, i: usize) -> Point<'_, M, Lanes> {
        let times = [problem.time(i), problem.time(i - 1), problem.time(i - 2), problem.time(i - 3)];
        Point { time: Lanes::of(times), ..self.state.point(0.0, &self.inputs, &self.constants) }
    }
}
