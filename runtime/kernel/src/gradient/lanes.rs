//! The discrete adjoint of four runs in lanes: one backward sweep for all of them.

use costate_numerics::scalar::{LANES, LaneSet, Lanes, Scalar, Vector, Work, each_lane, gather, lane_into, map_lanes};
use costate_system::model::{Functions, SelectedParameters};
use costate_system::problem::{Problem, SimulationError};

use crate::room::with_room;
use crate::run::{RunConstants, basis_of};
use crate::step::{AdjointVariables, LaneLimits, Scratch, State, StepMatrix};

use super::adjoint::{BasedRun, conclude};
use super::{LaneGradients, RunAndCost};

/// Computes the gradients of up to four runs of `problem`. The gradient of a run is `None` where its factors
/// need chosen pivots.
pub fn gradient_lanes<M: Functions>(
    program: M::Program,
    problem: &Problem,
    runs: &[RunAndCost<'_>],
    unknown: (&[usize], &SelectedParameters),
) -> Result<LaneGradients, SimulationError> {
    let none = || each_lane(|_| None);
    let mut based = Vec::with_capacity(runs.len());
    for &(trajectory, cost) in runs {
        based.push(BasedRun { trajectory, basis: basis_of::<M, f64>(trajectory)?, cost });
    }
    let Some(first) = based.first().copied() else { return Ok(none()) };
    // lanes without a run repeat the first one
    let of_lanes: [BasedRun<'_, M>; LANES] = each_lane(|lane| based.get(lane).copied().unwrap_or(first));
    let mut parameters = M::Parameters::<Lanes>::zeros(M::lengths(program).parameters);
    gather(parameters.as_mut(), map_lanes(of_lanes, |run| run.basis.parameters.as_ref()));
    let constants = RunConstants::new(program, problem, &parameters);
    let mut sweep = LaneSweep::new(problem, &constants, of_lanes, unknown.0, unknown.1);
    sweep.alive = LaneSet::of(each_lane(|lane| lane < runs.len() && !constants.regular().is_determined()));
    with_room::<M, Lanes, _>(program, || Lanes::dispatch(Steps { sweep: &mut sweep }))?;
    Ok(each_lane(|lane| sweep.alive.contains(lane).then(|| sweep.finish(lane))))
}

/// The backward sweep of four runs.
struct LaneSweep<'a, M: Functions> {
    problem: &'a Problem,
    constants: &'a RunConstants<M, Lanes>,
    runs: [BasedRun<'a, M>; LANES],
    unknown: &'a [usize],
    selected: SelectedParameters,
    state: State<M, Lanes>,
    inputs: M::Inputs<Lanes>,
    output_gradient: M::Outputs<Lanes>,
    // boxed, because they are swapped in every step
    later: Box<AdjointVariables<M, Lanes>>,
    adjoint: Box<AdjointVariables<M, Lanes>>,
    /// The share of a step in dJ/dp.
    share: M::Parameters<Lanes>,
    /// The accumulated dJ/dp.
    gradient: M::Parameters<Lanes>,
    coefficients: M::AdjointCoefficients<Lanes>,
    factors: M::Factors<Lanes>,
    limits: LaneLimits,
    scratch: Option<Scratch<M, Lanes>>,
    /// The matrix of every lane, for checks of its factors.
    matrices: [StepMatrix<M>; LANES],
    /// Lanes whose sweep continues.
    alive: LaneSet,
}

impl<'a, M: Functions> LaneSweep<'a, M> {
    fn new(
        problem: &'a Problem,
        constants: &'a RunConstants<M, Lanes>,
        runs: [BasedRun<'a, M>; LANES],
        unknown: &'a [usize],
        selected: &SelectedParameters,
    ) -> Self {
        let program = constants.program();
        let lengths = M::lengths(program);
        Self {
            problem,
            constants,
            runs,
            unknown,
            selected: selected.clone(),
            state: State::zeros_of(program),
            inputs: Vector::zeros(lengths.inputs),
            output_gradient: Vector::zeros(lengths.outputs),
            later: Box::new(AdjointVariables::zeros(program)),
            adjoint: Box::new(AdjointVariables::zeros(program)),
            share: Vector::zeros(lengths.parameters),
            gradient: Vector::zeros(lengths.parameters),
            coefficients: Vector::zeros(lengths.adjoint_coefficients),
            factors: Vector::zeros(lengths.factors),
            limits: LaneLimits::new(),
            scratch: None,
            matrices: each_lane(|_| StepMatrix::new(program, M::description(program).groups.adjoint)),
            alive: LaneSet::NONE,
        }
    }

    /// Goes from the adjoint variables of step i + 1 to those of step i.
    #[inline(always)]
    fn step(&mut self, i: usize) {
        // written out: closures may not be inlined here
        let [a, b, c, d] = self.runs;
        let program = self.constants.program();
        self.state.gather_stored([
            a.trajectory.of_step::<M>(program, i),
            b.trajectory.of_step::<M>(program, i),
            c.trajectory.of_step::<M>(program, i),
            d.trajectory.of_step::<M>(program, i),
        ]);
        let output_gradients = [a.cost.of_step(i), b.cost.of_step(i), c.cost.of_step(i), d.cost.of_step(i)];
        gather(self.output_gradient.as_mut(), output_gradients);
        let at = self.problem.moment(i);
        at.lift_inputs(&mut self.inputs);
        let constants = self.constants.backward(i);
        let point = self.state.point(at.time, &self.inputs, &constants.model);
        let weights = &constants.weights;
        let mut scratch = Scratch::take(&mut self.scratch, program);
        self.later.pass_on(weights, &mut scratch.passed);
        M::adjoint_step(
            &point,
            &self.output_gradient,
            &self.selected,
            &mut scratch.passed,
            &mut scratch.found,
            &mut self.share,
            &mut self.coefficients,
            &mut self.factors,
        );
        let hold = self.limits.hold(self.factors.as_ref());
        if hold & self.alive != self.alive {
            self.check(hold, i);
        }
        self.adjoint.follow(&self.later, weights, &scratch.found);
        scratch.keep(&mut self.scratch);
        std::mem::swap(&mut self.later, &mut self.adjoint);
        let (gradient, share) = (self.gradient.as_mut(), self.share.as_ref());
        for &parameter in self.unknown {
            gradient[parameter] += share[parameter];
        }
    }

    /// Checks the factors of the lanes whose limits do not `hold`.
    #[cold]
    #[inline(never)]
    fn check(&mut self, hold: LaneSet, i: usize) {
        for lane in self.alive.lanes().filter(|&lane| !hold.contains(lane)) {
            self.check_lane(lane, i);
        }
    }

    fn check_lane(&mut self, lane: usize, i: usize) {
        let mut state = State::<M, f64>::zeros_of(self.constants.program());
        let BasedRun { trajectory, basis, .. } = self.runs[lane];
        trajectory.load(i, &mut state);
        let matrix = &mut self.matrices[lane];
        lane_into(self.factors.as_ref(), lane, matrix.factors.as_mut());
        let constants = &basis.constants.backward(i).model;
        let inputs = self.problem.moment(i).plain_inputs();
        let point = state.point(trajectory.time(i), &inputs, constants);
        if matrix.check(&point).is_err() || !matrix.is_emitted() {
            self.alive.remove(lane);
        }
        self.limits.set(lane, matrix.limits());
    }

    /// Concludes step 0 of one lane.
    fn finish(&self, lane: usize) -> Result<Vec<f64>, SimulationError> {
        let program = self.constants.program();
        let mut later = AdjointVariables::<M, f64>::zeros(program);
        lane_into(self.later.y.as_ref(), lane, later.y.as_mut());
        lane_into(self.later.z.as_ref(), lane, later.z.as_mut());
        lane_into(self.later.auxiliary.as_ref(), lane, later.auxiliary.as_mut());
        lane_into(self.later.w.as_ref(), lane, later.w.as_mut());
        lane_into(self.later.mu.as_ref(), lane, later.mu.as_mut());
        let mut gradient = M::Parameters::<f64>::zeros(M::lengths(program).parameters);
        lane_into(self.gradient.as_ref(), lane, gradient.as_mut());
        conclude(self.problem, self.runs[lane], self.unknown, self.selected.clone(), later, gradient)
    }
}

/// All steps, while at least one lane continues, as a piece of work.
struct Steps<'s, 'a, M: Functions> {
    sweep: &'s mut LaneSweep<'a, M>,
}

impl<M: Functions> Work for Steps<'_, '_, M> {
    type Output = Result<(), SimulationError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { sweep } = self;
        let problem = sweep.problem;
        for i in (1..=problem.steps()).rev() {
            if sweep.alive.is_empty() {
                break;
            }
            sweep.step(i);
            problem.poll(problem.steps() - i)?;
        }
        Ok(())
    }
}
