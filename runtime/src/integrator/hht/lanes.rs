//! Runs of four parameter sets in lanes, step by step together.
//!
//! Every lane decides about its iteration and watches its factors by itself and does what a run of its own does: an
//! iteration that another lane needs does not change it. A lane that cannot go on like this, because its factors call for
//! chosen pivots or its iteration fails, leaves; what it computes from then on is not used.

use crate::buffers::Buffer;
use crate::evaluate;
use crate::integrator::error::SimulationError;
use crate::integrator::initial::consistent_state;
use crate::integrator::newton::{Control, Measured, Verdicts};
use crate::integrator::rows::Rows;
use crate::integrator::sizes::Sizes;
use crate::integrator::state::{State, component_into, gather, lift_into, scatter};
use crate::integrator::statistics::Statistics;
use crate::integrator::stored::stored_row;
use crate::model::Model;
use crate::problem::Problem;
use crate::scalar::{LANES, LaneMask, LaneSet, Lanes, Reals, Scalar, Vector, Work};
use crate::series::Series;
use crate::step_matrix::{LaneLimits, StepMatrix};
use crate::trajectory::Trajectory;

use super::correction::Correction;
use super::history::Mass;
use super::{Hht, Unknowns};

/// A run, and its outputs s_i.
pub(crate) type RunAndOutputs<M> = (Trajectory<M, f64>, Series<f64>);

/// Simulates `problem` with up to four sets of parameters. A set is left out, `None`, whose run does not go in lanes.
pub(crate) fn run_lanes<M: Model>(
    problem: &Problem<M>,
    parameters: &[M::Parameters<f64>],
) -> Result<[Option<RunAndOutputs<M>>; LANES], SimulationError> {
    let none = || std::array::from_fn(|_| None);
    problem.poll(0)?;
    let constants: Vec<_> = parameters.iter().map(|parameters| problem.constants(parameters)).collect();
    let initial: [_; LANES] =
        std::array::from_fn(|lane| consistent_state(problem, parameters.get(lane)?).ok());
    let mut singles: [Option<Hht<'_, M, f64>>; LANES] = std::array::from_fn(|lane| {
        let start = initial[lane].as_ref()?.start();
        Some(Hht::new(problem, &parameters[lane], &constants[lane], start))
    });
    // lanes without a run go along with another one
    let Some(some) = singles.iter().position(Option::is_some) else { return Ok(none()) };
    let own: [usize; LANES] = std::array::from_fn(|lane| if singles[lane].is_some() { lane } else { some });
    let mut in_lanes = M::Parameters::<Lanes>::zeros();
    for (j, value) in in_lanes.as_mut().iter_mut().enumerate() {
        *value = Lanes::of(own.map(|lane| parameters[lane].as_ref()[j]));
    }
    let lane_constants = problem.constants(&in_lanes);
    let mut states: [Vec<f64>; LANES] = std::array::from_fn(|_| Vec::new());
    let numbers = (problem.steps() + 1) * Trajectory::<M, f64>::STRIDE;
    for (lane, states) in states.iter_mut().enumerate().filter(|(lane, _)| own[*lane] == *lane) {
        match problem.buffers().take(numbers) {
            Ok(memory) => *states = memory,
            Err(_) => singles[lane] = None,
        }
    }
    let alive = LaneSet::of(std::array::from_fn(|lane| own[lane] == lane && singles[lane].is_some()));
    let Some(mut run) = LaneRun::new(problem, &constants, &lane_constants, &singles, own, alive) else {
        return Ok(none());
    };
    let step = problem.settings().step;
    let mut outputs: [Series<f64>; LANES] = std::array::from_fn(|_| {
        Series::zeros(step, <M::Outputs<f64> as Vector<f64>>::LENGTH, problem.steps() + 1)
    });
    Lanes::dispatch(Steps { run: &mut run, states: &mut states, outputs: &mut outputs })?;
    if run.alive.is_empty() {
        return Ok(none());
    }
    let mut constants = constants.iter().cloned();
    let mut runs = initial.into_iter().zip(states).zip(outputs);
    Ok(std::array::from_fn(|lane| {
        let (constants, ((initial, states), outputs)) = (constants.next()?, runs.next()?);
        let states = Buffer::new(states, problem.buffers());
        let (initial, parameters) = (initial?, parameters[lane].clone());
        let trajectory = || {
            Trajectory::new(
                problem.conditions(),
                parameters,
                constants,
                initial,
                states,
                run.statistics(lane),
            )
        };
        run.alive.contains(lane).then(|| (trajectory(), outputs))
    }))
}

/// The four runs between two steps.
struct LaneRun<'a, M: Model> {
    /// What all lanes do alike; its Newton control and matrix are not used, but for the factors.
    common: Hht<'a, M, Lanes>,
    lanes: [Lane<'a, M>; LANES],
    control: Control<Lanes>,
    sizes: Sizes<Lanes>,
    multipliers_per_acceleration: Lanes,
    count: Count,
    limits: LaneLimits,
    /// The corrections of a and lambda.
    values: M::Unknowns<Lanes>,
    /// Factors and corrections of some lanes, beside those of the others.
    factors: M::Factors<Lanes>,
    renewed_values: M::Unknowns<Lanes>,
    outputs: M::Outputs<Lanes>,
    /// Whose run goes on.
    alive: LaneSet,
    /// Where the state of one lane is evaluated.
    real: State<M, f64>,
    /// Where lanes without a run of their own leave their states.
    unused: [Vec<f64>; LANES],
}

/// What belongs to one lane.
struct Lane<'a, M: Model> {
    constants: &'a M::Constants<f64>,
    matrix: StepMatrix<M>,
}

/// What the runs took; whole numbers.
#[derive(Clone, Copy, Default)]
struct Count {
    steps: Lanes,
    iterations: Lanes,
    worst_iterations: Lanes,
    factorisations: Lanes,
}

impl<'a, M: Model> LaneRun<'a, M> {
    /// At t = 0, from the runs `own` of the lanes.
    fn new(
        problem: &'a Problem<M>,
        constants: &'a [M::Constants<f64>],
        lane_constants: &'a M::Constants<Lanes>,
        singles: &[Option<Hht<'_, M, f64>>; LANES],
        own: [usize; LANES],
        alive: LaneSet,
    ) -> Option<Self> {
        let [a, b, c, d] = own.map(|lane| singles[lane].as_ref());
        let singles = [a?, b?, c?, d?];
        let mut state = State::<M, Lanes>::zeros();
        state.gather(singles.map(|single| &single.state));
        let mut history = M::Coordinates::<Lanes>::zeros();
        gather(history.as_mut(), singles.map(|single| single.history.as_ref()));
        let mut auxiliary = M::Coordinates::<Lanes>::zeros();
        gather(auxiliary.as_mut(), singles.map(|single| single.auxiliary.as_ref()));
        let mut common = Hht {
            problem,
            fours: singles[0].fours,
            weights: singles[0].weights,
            constants: lane_constants,
            previous: Unknowns::of(&state),
            earlier: Unknowns::of(&state),
            auxiliary,
            q_star: state.coordinates.clone(),
            v_star: state.velocities.clone(),
            state,
            history,
            mass: Mass::in_lanes(singles.map(|single| &single.mass)),
            inputs: Vector::zeros(),
            correction: Correction::new(constants[own[0]].clone()),
            sizes: Sizes::default(),
            derivative_sizes: Vec::new(),
            control: singles[0].control.clone(),
            directions: Vec::new(),
            statistics: Statistics::default(),
        };
        let lanes = std::array::from_fn(|lane| Lane {
            constants: &constants[own[lane]],
            matrix: StepMatrix::new(M::DESCRIPTION.groups.newton),
        });
        let mut sizes = Sizes::default();
        measure(&common.state, Lanes::default(), &mut sizes);
        let mut control = Control::new(problem.settings().newton.clone(), common.weights, 1);
        control.start(Measured { real: sizes, derivatives: &[] });
        lift_into(problem.inputs()[0].as_ref(), common.inputs.as_mut());
        Some(Self {
            common,
            lanes,
            control,
            sizes,
            multipliers_per_acceleration: Lanes::default(),
            count: Count::default(),
            limits: LaneLimits::new(),
            values: Vector::zeros(),
            factors: Vector::zeros(),
            renewed_values: Vector::zeros(),
            outputs: Vector::zeros(),
            alive,
            real: State::zeros(),
            unused: std::array::from_fn(|_| vec![0.0; Trajectory::<M, f64>::STRIDE]),
        })
    }

    fn statistics(&self, lane: usize) -> Statistics {
        let matrix = &self.lanes[lane].matrix;
        let Count { steps, iterations, worst_iterations, factorisations } = self.count;
        let [steps, iterations, worst_iterations, factorisations] =
            [steps, iterations, worst_iterations, factorisations].map(|count| count.component(lane) as usize);
        let (analyses, pivoted) = (matrix.analyses(), matrix.pivoted());
        Statistics { steps, iterations, worst_iterations, factorisations, analyses, pivoted }
    }

    /// Writes state i of every run that goes on.
    #[inline(always)]
    fn store(&mut self, i: usize, states: &mut [Vec<f64>; LANES]) {
        let [a, b, c, d] = states;
        let [unused_a, unused_b, unused_c, unused_d] = &mut self.unused;
        let rows = [
            place(i, a, unused_a, self.alive.contains(0)),
            place(i, b, unused_b, self.alive.contains(1)),
            place(i, c, unused_c, self.alive.contains(2)),
            place(i, d, unused_d, self.alive.contains(3)),
        ];
        self.common.state.scatter_stored(rows);
    }

    /// Writes the outputs at x_i.
    #[inline(always)]
    fn sample(&mut self, i: usize, outputs: &mut [Series<f64>; LANES]) {
        let Hht { state, inputs, constants, weights, .. } = &self.common;
        M::outputs(&state.point(i as f64 * weights.step, inputs, constants), &mut self.outputs);
        let [a, b, c, d] = outputs;
        scatter(self.outputs.as_ref(), [a.row_mut(i), b.row_mut(i), c.row_mut(i), d.row_mut(i)]);
    }

    /// From x_{i-1} to x_i.
    #[inline(always)]
    fn step(&mut self, i: usize) {
        lift_into(self.common.problem.inputs()[i].as_ref(), self.common.inputs.as_mut());
        self.common.predict(i);
        self.iterate(i);
        if self.common.weights.previous != 0.0 && !self.common.update_history_by_mass() {
            self.remember_force_residuals(i);
        }
        self.count.steps = self.count.steps + 1.0;
    }

    #[inline(always)]
    fn iterate(&mut self, i: usize) {
        let mut pending = self.alive;
        let mut renew = self.control.begin().set();
        let zero = self.multipliers_per_acceleration.same(0.0);
        let mut own_iterations = zero;
        let mut first = true;
        while !pending.is_empty() {
            self.correct(i, pending, renew);
            let which = zero.mask(pending);
            self.apply(which, pending == self.alive, first);
            first = false;
            own_iterations += Lanes::select(which, zero.same(1.0), zero);
            let sizes = Measured { real: self.sizes, derivatives: &[] };
            let Verdicts { converged, renew: again, failed } = self.control.judge_each(sizes, which);
            // a run of its own says what is wrong
            self.alive = self.alive.but(failed.set());
            pending = (pending & self.alive).but(converged.set());
            renew = again.set();
        }
        self.count.iterations += own_iterations;
        self.count.worst_iterations = own_iterations.larger(self.count.worst_iterations);
    }

    /// The corrections of the pending lanes, with new factors where they are to be renewed and the last ones elsewhere.
    #[inline(always)]
    fn correct(&mut self, i: usize, pending: LaneSet, renew: LaneSet) {
        let renewed = pending & renew;
        let Hht { state, inputs, constants, history, correction, weights, .. } = &mut self.common;
        let point = state.point(i as f64 * weights.step, inputs, constants);
        if renewed == self.alive {
            M::newton_correction(&point, history, &mut self.values, &mut correction.factors);
        } else {
            if renewed != pending {
                M::chord_correction(&point, history, &mut self.values, &correction.factors);
            }
            if !renewed.is_empty() {
                M::newton_correction(&point, history, &mut self.renewed_values, &mut self.factors);
                let renewed = self.multipliers_per_acceleration.mask(renewed);
                merge(renewed, self.renewed_values.as_ref(), self.values.as_mut());
                merge(renewed, self.factors.as_ref(), correction.factors.as_mut());
            }
        }
        if renewed.is_empty() {
            return;
        }
        let hold = self.limits.hold(correction.factors.as_ref());
        if hold & renewed != renewed {
            self.check(renewed, hold, i);
        }
        let zero = self.multipliers_per_acceleration.same(0.0);
        let renewed = zero.mask(renewed);
        self.count.factorisations += Lanes::select(renewed, zero.same(1.0), zero);
        self.control.renewed(renewed, self.multipliers_per_acceleration);
    }

    /// Looks at the `renewed` factors whose limits do not `hold`; lanes in which they do not serve leave.
    #[cold]
    #[inline(never)]
    fn check(&mut self, renewed: LaneSet, hold: LaneSet, i: usize) {
        for lane in renewed.lanes().filter(|&lane| !hold.contains(lane)) {
            if !self.check_lane(lane, i) {
                self.alive.remove(lane);
            }
        }
    }

    /// Looks at the factors of one lane; whether they serve.
    fn check_lane(&mut self, lane: usize, i: usize) -> bool {
        let Hht { state, correction, problem, weights, .. } = &self.common;
        state.component_into(lane, &mut self.real);
        let Lane { matrix, constants, .. } = &mut self.lanes[lane];
        component_into(correction.factors.as_ref(), lane, matrix.factors.as_mut());
        let point = self.real.point(i as f64 * weights.step, &problem.inputs()[i], constants);
        let serves = matrix.check(&point).is_ok() && matrix.is_emitted();
        self.limits.set(lane, matrix.limits());
        self.multipliers_per_acceleration.set_component(lane, matrix.multipliers_per_acceleration);
        serves
    }

    /// Adds the corrections of the lanes in `which`, or of all, and takes the sizes, those of the state in the `first`
    /// iteration.
    #[inline(always)]
    fn apply(&mut self, which: LaneMask, all: bool, first: bool) {
        let values = self.values.as_mut();
        if !all {
            let zero = self.multipliers_per_acceleration.same(0.0);
            for value in values.iter_mut() {
                *value = Lanes::select(which, *value, zero);
            }
        }
        let (motion, rest) = values.split_at(Hht::<M, Lanes>::N);
        let zero = self.multipliers_per_acceleration.same(0.0);
        self.sizes.acceleration_update = largest(motion, zero);
        self.sizes.multiplier_update = largest(rest, zero);
        self.common.apply(&self.values);
        if first {
            measure(&self.common.state, zero, &mut self.sizes);
        }
    }

    /// G_i of every lane by evaluation, for a mass that depends on the coordinates.
    #[inline(never)]
    fn remember_force_residuals(&mut self, i: usize) {
        let Hht { state, history, problem, weights, .. } = &mut self.common;
        let mut residual = M::Residual::<f64>::zeros();
        for lane in 0..LANES {
            state.component_into(lane, &mut self.real);
            let constants = self.lanes[lane].constants;
            let point = self.real.point(i as f64 * weights.step, &problem.inputs()[i], constants);
            evaluate::residual(&point, &mut residual);
            let rows = Rows::of(M::DESCRIPTION.groups.residual);
            let force_residual = rows.force_residual.values(residual.as_ref());
            for (to, from) in history.as_mut().iter_mut().zip(force_residual) {
                to.set_component(lane, *from * weights.previous);
            }
        }
    }
}

/// All steps, until no lane goes on, as a piece of work.
struct Steps<'s, 'a, M: Model> {
    run: &'s mut LaneRun<'a, M>,
    states: &'s mut [Vec<f64>; LANES],
    outputs: &'s mut [Series<f64>; LANES],
}

impl<M: Model> Work for Steps<'_, '_, M> {
    type Output = Result<(), SimulationError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { run, states, outputs } = self;
        let problem = run.common.problem;
        for i in 0..=problem.steps() {
            if i > 0 {
                run.step(i);
            }
            run.store(i, states);
            run.sample(i, outputs);
            if run.alive.is_empty() {
                break;
            }
            problem.poll(i)?;
        }
        Ok(())
    }
}

/// Takes `from` where the mask holds.
#[inline(always)]
fn merge(mask: LaneMask, from: &[Lanes], to: &mut [Lanes]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = Lanes::select(mask, *from, *to);
    }
}

/// Takes the sizes of the states.
#[inline(always)]
fn measure<M: Model>(state: &State<M, Lanes>, zero: Lanes, sizes: &mut Sizes<Lanes>) {
    let [coordinates, velocities, accelerations, multipliers] = state.parts();
    sizes.coordinates = largest(coordinates, zero);
    sizes.velocities = largest(velocities, zero);
    sizes.accelerations = largest(accelerations, zero);
    sizes.multipliers = largest(multipliers, zero);
}

/// The largest absolute values; not a number in a lane that has something infinite or no number.
#[inline(always)]
fn largest(values: &[Lanes], zero: Lanes) -> Lanes {
    // several chains that need not wait for each other
    let (mut most, mut sum) = ([zero; LANES], [zero; LANES]);
    let (fours, rest) = values.as_chunks::<LANES>();
    for four in fours {
        for k in 0..LANES {
            let size = four[k].abs();
            most[k] = size.larger(most[k]);
            sum[k] += size;
        }
    }
    for value in rest {
        let size = value.abs();
        most[0] = size.larger(most[0]);
        sum[0] += size;
    }
    let most = (most[0].larger(most[1])).larger(most[2].larger(most[3]));
    most + ((sum[0] + sum[1]) + (sum[2] + sum[3])) * 0.0
}

/// Where state i goes: to its place in `states` or, if it is not `wanted`, elsewhere.
#[inline(always)]
fn place<'a>(i: usize, states: &'a mut Vec<f64>, elsewhere: &'a mut [f64], wanted: bool) -> &'a mut [f64] {
    if !wanted {
        return elsewhere;
    }
    stored_row(states, i, elsewhere.len())
}
